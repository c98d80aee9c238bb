//===- IndexingOps.cpp - indexing by tensors ------------------------------===//
//
// Inference and verification of ops whose positions come from tensors.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/IndexingOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult IotaOp::verify() {
  auto type = cast<RankedTensorType>(getType());
  if (failed(verifyAxis(getLoc(), "Range", getAxis(), type.getRank()))) // iota_c1
    return failure();
  return verifyDynamicSizes(*this, getDynamicSizes().size()); // iota_c2
}

LogicalResult OneHotOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  int64_t depth = adaptor.getDepth();
  if (depth < 0) // one_hot_c1
    return OpError(location, ErrorKind::Value, "OneHot")
           << "the depth must not be negative, but got " << depth;
  SmallVector<int64_t> shape(getTensorType(adaptor.getIndices()).getShape());
  shape.push_back(depth);
  inferred.push_back(RankedTensorType::get(shape, adaptor.getElementType()));
  return success();
}

/// Infers gather: the indices' dimensions in place of the axis.
static FailureOr<RankedTensorType>
inferGather(std::optional<Location> location, StringRef name,
            RankedTensorType input, RankedTensorType indices, int64_t axis) {
  if (failed(verifyAxis(location, name, axis, input.getRank()))) // gather_c1
    return failure();
  SmallVector<int64_t> shape(input.getShape().take_front(axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, input.getShape().drop_front(axis + 1));
  return RankedTensorType::get(shape, input.getElementType());
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext *,
                                         std::optional<Location> location,
                                         Adaptor adaptor,
                                         SmallVectorImpl<Type> &inferred) {
  auto type = inferGather(location, "Gather", getTensorType(adaptor.getInput()),
                          getTensorType(adaptor.getIndices()),
                          adaptor.getAxis());
  if (failed(type))
    return failure();
  inferred.push_back(*type);
  return success();
}

LogicalResult ScatterAddOp::verify() {
  auto gathered =
      inferGather(getLoc(), "ScatterAdd", getTensorType(getInput()),
                  getTensorType(getIndices()), getAxis());
  if (failed(gathered))
    return failure();
  if (areCompatibleTensorTypes(*gathered, getUpdates().getType()))
    return success();
  return OpError(getLoc(), ErrorKind::Value, "ScatterAdd") // scatter_add_c1
         << "the updates must have type " << *gathered << ", but got "
         << getUpdates().getType();
}
