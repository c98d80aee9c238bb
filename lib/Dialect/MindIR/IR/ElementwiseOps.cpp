//===- ElementwiseOps.cpp - elementwise ops -------------------------------===//
//
// Inference of elementwise ops, and constants.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ElementwiseOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

LogicalResult CompareOp::inferReturnTypes(
    MLIRContext *context, std::optional<Location> location, ValueRange operands,
    DictionaryAttr, OpaqueProperties, RegionRange,
    SmallVectorImpl<Type> &inferred) {
  auto lhs = cast<RankedTensorType>(operands[0].getType());
  inferred.push_back(lhs.clone(IntegerType::get(context, 1)));
  return success();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }
