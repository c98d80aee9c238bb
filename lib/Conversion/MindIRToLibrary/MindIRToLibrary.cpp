//===- MindIRToLibrary.cpp - library calls on buffers ---------------------===//
//
// Turns `mindir.library_call` on buffers into a call of the runtime's registry.
//
//===----------------------------------------------------------------------===//

#include "mindir/Conversion/Passes.h"
#include "mindir/Conversion/RuntimeCalls.h"
#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_CONVERTMINDIRTOLIBRARY
#include "mindir/Conversion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// The address of a constant array of i64.
static Value createConfig(OpBuilder &b, Location loc, ArrayRef<int64_t> config) {
  Value array = createStackSlot(b, loc, b.getI64Type(),
                                std::max<size_t>(config.size(), 1));
  for (auto [i, value] : llvm::enumerate(config)) {
    Value place = LLVM::GEPOp::create(b, loc, array.getType(), b.getI64Type(),
                                      array, ArrayRef<LLVM::GEPArg>{int32_t(i)});
    Value number = arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
    LLVM::StoreOp::create(b, loc, number, place);
  }
  return array;
}

static LogicalResult lowerCall(LibraryCallOp op) {
  if (op->getNumResults() != 0)
    return op.emitOpError("is on tensors; bufferize first");
  OpBuilder b(op);
  Location loc = op.getLoc();
  SmallVector<Value> descriptors;
  auto permutations = op->getAttrOfType<ArrayAttr>(kPermutationsName);
  for (auto [index, operand] : llvm::enumerate(op->getOperands())) {
    auto type = dyn_cast<MemRefType>(operand.getType());
    if (!type)
      return op.emitOpError("takes buffers, but got ") << operand.getType();
    ArrayRef<int64_t> permutation;
    if (permutations)
      permutation = cast<DenseI64ArrayAttr>(permutations[index]).asArrayRef();
    descriptors.push_back(createRuntimeMemRef(
        b, loc, operand, getRuntimeDType(type.getElementType()), permutation));
  }
  auto number = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(value));
  };
  Value name = createRuntimeString(b, loc, op.getName());
  callRuntime(b, loc, "mindrt_library_call", b.getI32Type(),
              {name, number(descriptors.size()),
               createPointerArray(b, loc, descriptors),
               createConfig(b, loc, op.getConfig()),
               number(op.getConfig().size())});
  op.erase();
  return success();
}

namespace {

struct ConvertMindIRToLibrary
    : mlir::mindir::impl::ConvertMindIRToLibraryBase<ConvertMindIRToLibrary> {
  void runOnOperation() override {
    SmallVector<LibraryCallOp> calls;
    getOperation().walk([&](LibraryCallOp op) { calls.push_back(op); });
    for (LibraryCallOp op : calls)
      if (failed(lowerCall(op)))
        return signalPassFailure();
  }
};

} // namespace
