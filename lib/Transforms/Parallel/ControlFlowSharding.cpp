//===- ControlFlowSharding.cpp - sharding through regions and calls -------===//
//
// Control flow has no loops to split: its values keep the shardings that the
// propagation unified along its edges, and its bodies are partitioned in place.
//
//===----------------------------------------------------------------------===//

#include "ControlFlowSharding.h"

#include "ShardingUtils.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Shard/Interfaces/ShardingInterface.h"

using namespace mlir;
using namespace mlir::mindir;
using shard::Sharding;
using shard::ShardingOption;

/// The same region with the partitioned ops of the old one.
static LogicalResult partitionRegion(Region &source, Region &target,
                                     IRMapping &mapping,
                                     SymbolTableCollection &symbols,
                                     OpBuilder &builder) {
  if (source.empty())
    return success();
  if (!source.hasOneBlock())
    return source.getParentOp()->emitError(
        "expected structured control flow (scf), but found a region of several blocks");
  Block &block = source.front();
  SmallVector<Location> locations = llvm::map_to_vector(
      block.getArguments(), [](BlockArgument argument) { return argument.getLoc(); });
  Block *local = builder.createBlock(&target, target.end(),
                                     getLocalArgumentTypes(block, symbols), locations);
  return partitionBlock(block, *local, mapping, symbols, builder);
}

namespace {
/// An op whose results, and whose regions if it has any, become local.
template <typename OpTy>
struct ControlFlowSharding
    : shard::ShardingInterface::ExternalModel<ControlFlowSharding<OpTy>, OpTy> {
  FailureOr<ShardingOption> getShardingOption(Operation *, ArrayRef<Sharding>,
                                              ArrayRef<Sharding>) const {
    return ShardingOption::makeEmpty();
  }
  LogicalResult partition(Operation *op, ArrayRef<Value>, ArrayRef<Sharding>,
                          ArrayRef<Sharding> results, IRMapping &mapping,
                          SymbolTableCollection &symbols, OpBuilder &builder) const {
    Operation *local = builder.cloneWithoutRegions(*op, mapping);
    for (auto [result, sharding] : llvm::zip(local->getResults(), results))
      result.setType(getLocalType(result.getType(), sharding, op, symbols));
    OpBuilder::InsertionGuard guard(builder);
    for (auto [source, target] : llvm::zip(op->getRegions(), local->getRegions()))
      if (failed(partitionRegion(source, target, mapping, symbols, builder)))
        return failure();
    return success();
  }
};
} // namespace

template <typename... OpTys> static void attachControlFlow(MLIRContext *context) {
  (OpTys::template attachInterface<ControlFlowSharding<OpTys>>(*context), ...);
}

void mindir::registerControlFlowSharding(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, scf::SCFDialect *) {
    attachControlFlow<scf::IfOp, scf::WhileOp, scf::ForOp, scf::YieldOp, scf::ConditionOp>(
        context);
  });
  registry.addExtension(+[](MLIRContext *context, func::FuncDialect *) {
    attachControlFlow<func::CallOp>(context);
  });
}
