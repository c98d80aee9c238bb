//===- ReductionOps.cpp - reductions --------------------------------------===//
//
// Inference, loops and folding of reductions along axes.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Reductions along axes
//===----------------------------------------------------------------------===//

template <typename Adaptor>
static LogicalResult inferReduction(std::optional<Location> location,
                                    StringRef op, Adaptor adaptor,
                                    SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  ArrayRef<int64_t> axes = adaptor.getAxes();
  for (int64_t axis : axes)
    if (failed(verifyAxis(location, op, axis, input.getRank()))) // reduce_c1
      return failure();
  for (size_t i = 1; i < axes.size(); ++i) // reduce_c2
    if (axes[i - 1] >= axes[i])
      return OpError(location, ErrorKind::Value, op)
             << "axes must be strictly increasing, but got [" << axes << "]";
  SmallVector<int64_t> shape;
  for (auto [dim, size] : llvm::enumerate(input.getShape())) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(dim)))
      shape.push_back(size);
    else if (adaptor.getKeepDims())
      shape.push_back(1);
  }
  inferred.push_back(RankedTensorType::get(shape, input.getElementType()));
  return success();
}

template <typename Op>
static SmallVector<utils::IteratorType> getReductionIterators(Op op) {
  SmallVector<utils::IteratorType> iterators(
      cast<RankedTensorType>(op.getInput().getType()).getRank(),
      utils::IteratorType::parallel);
  for (int64_t axis : op.getAxes())
    iterators[axis] = utils::IteratorType::reduction;
  return iterators;
}

template <typename Op> static SmallVector<AffineMap> getReductionMaps(Op op) {
  MLIRContext *context = op.getContext();
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  SmallVector<AffineExpr> result;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!llvm::is_contained(op.getAxes(), dim))
      result.push_back(getAffineDimExpr(dim, context));
    else if (op.getKeepDims())
      result.push_back(getAffineConstantExpr(0, context));
  }
  return {AffineMap::getMultiDimIdentityMap(rank, context),
          AffineMap::get(rank, 0, result, context)};
}

template <typename Op> static OpFoldResult foldReduction(Op op) {
  bool isIdentity =
      op.getAxes().empty() && op.getInput().getType() == op.getType();
  return isIdentity ? OpFoldResult(op.getInput()) : OpFoldResult();
}

//===----------------------------------------------------------------------===//
// Index of an extreme
//===----------------------------------------------------------------------===//

template <typename Adaptor>
static LogicalResult inferArgReduction(std::optional<Location> location,
                                       StringRef op, Adaptor adaptor,
                                       SmallVectorImpl<Type> &inferred) {
  auto input = cast<RankedTensorType>(adaptor.getInput().getType());
  int64_t axis = adaptor.getAxis();
  if (failed(verifyAxis(location, op, axis, input.getRank()))) // argmax_c1, argmin_c1
    return failure();
  if (input.getDimSize(axis) == 0) // argmax_c2, argmin_c2
    return OpError(location, ErrorKind::Value, op)
           << "axis " << axis << " has size 0, so there is no extreme";
  SmallVector<int64_t> shape(input.getShape());
  shape.erase(shape.begin() + axis);
  inferred.push_back(
      RankedTensorType::get(shape, IntegerType::get(input.getContext(), 64)));
  return success();
}

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/ReductionOps.cpp.inc"
