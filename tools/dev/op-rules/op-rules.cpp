//===- op-rules.cpp - what the build knows about each op ------------------===//
//
// Prints, as JSON, which rules each registered mindir op has: by its interfaces, the
// reference interpreter's kernels and the patterns of the lowering. The generated
// documents and the test that ops are complete read it.
//
//===----------------------------------------------------------------------===//

#include "mindir/Conversion/LoweredOps.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/InitAllDialects.h"
#include "mindir/Interfaces/BatchableOpInterface.h"
#include "mindir/Interfaces/DifferentiableOpInterface.h"
#include "mindir/Interfaces/LayoutOpInterface.h"
#include "mindir/Reference/Kernels.h"

#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::mindir;

/// The op's autocast category, a fact of the op that needs no operands; null if it
/// has none.
static llvm::json::Value getPrecision(RegisteredOperationName name) {
  if (!name.hasInterface<PrecisionOpInterface>())
    return nullptr;
  OperationState state(UnknownLoc::get(name.getContext()), name);
  Operation *op = Operation::create(state);
  PrecisionCategory category = cast<PrecisionOpInterface>(op).getPrecisionCategory();
  op->destroy();
  switch (category) {
  case PrecisionCategory::Low:
    return "low";
  case PrecisionCategory::Full:
    return "full";
  case PrecisionCategory::Follow:
    return "follow";
  }
  return nullptr;
}

static llvm::json::Object describe(RegisteredOperationName name,
                                   const llvm::StringSet<> &lowered) {
  return llvm::json::Object{
      {"inference", name.hasInterface<InferTypeOpInterface>()},
      {"derivative", name.hasInterface<DifferentiableOpInterface>()},
      // vmap takes elementwise ops as they are.
      {"batching", name.hasInterface<BatchableOpInterface>() ||
                       name.hasTrait<OpTrait::Elementwise>()},
      {"sharding", name.hasInterface<shard::ShardingInterface>()},
      {"layout", name.hasInterface<LayoutOpInterface>()},
      {"precision", getPrecision(name)},
      {"reference", reference::KernelRegistry::get().computes(name.getStringRef())},
      {"lowering", lowered.contains(name.getStringRef())},
  };
}

int main() {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<MindIRDialect>();
  llvm::StringSet<> lowered = getLoweredOps(context);
  llvm::json::Object ops;
  for (RegisteredOperationName name : context.getRegisteredOperations())
    if (isa<MindIRDialect>(name.getDialect()))
      ops[name.stripDialect()] = describe(name, lowered);
  llvm::outs() << llvm::formatv("{0:2}\n", llvm::json::Value(std::move(ops)));
  return 0;
}
