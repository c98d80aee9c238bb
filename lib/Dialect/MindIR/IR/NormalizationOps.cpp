//===- NormalizationOps.cpp - normalizations ------------------------------===//
//
// Inference and verification of softmax, cross entropy and batch normalization.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"

#include "mlir/IR/Builders.h"

#define GET_OP_CLASSES
#include "mindir/Dialect/MindIR/IR/NormalizationOps.cpp.inc"

using namespace mlir;
using namespace mlir::mindir;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

LogicalResult SoftmaxOp::verify() { // softmax_c1
  return verifyAxis(getLoc(), "Softmax", getAxis(),
                    getTensorType(getInput()).getRank());
}

LogicalResult LogSoftmaxOp::verify() { // log_softmax_c1
  return verifyAxis(getLoc(), "LogSoftmax", getAxis(),
                    getTensorType(getInput()).getRank());
}

LogicalResult CrossEntropyOp::inferReturnTypes(MLIRContext *,
                                               std::optional<Location> location,
                                               Adaptor adaptor,
                                               SmallVectorImpl<Type> &inferred) {
  RankedTensorType logits = getTensorType(adaptor.getLogits());
  RankedTensorType labels = getTensorType(adaptor.getLabels());
  if (logits.getRank() != 2 || labels.getRank() != 1) // cross_entropy_c1
    return OpError(location, ErrorKind::Value, "CrossEntropy")
           << "logits must have rank 2 and labels rank 1, but got shapes ["
           << logits.getShape() << "] and [" << labels.getShape() << "]";
  if (!areCompatibleSizes(logits.getDimSize(0),
                          labels.getDimSize(0))) // cross_entropy_c2
    return OpError(location, ErrorKind::Value, "CrossEntropy")
           << "there must be one label per row of logits, but got "
           << labels.getDimSize(0) << " labels for " << logits.getDimSize(0)
           << " rows";
  inferred.push_back(RankedTensorType::get(
      {mergeSizes(logits.getDimSize(0), labels.getDimSize(0))},
      logits.getElementType()));
  return success();
}

/// Checks that each vector runs along the input's axis.
static LogicalResult verifyBatchNorm(std::optional<Location> location,
                                     RankedTensorType input, ValueRange vectors,
                                     int64_t axis) {
  if (failed(verifyAxis(location, "BatchNorm", axis,
                        input.getRank()))) // batch_norm_c1
    return failure();
  for (Value vector : vectors) { // batch_norm_c2
    RankedTensorType type = getTensorType(vector);
    if (type.getElementType() != input.getElementType())
      return OpError(location, ErrorKind::Type, "BatchNorm")
             << "all inputs must have the same dtype, but got "
             << input.getElementType() << " and " << type.getElementType();
    if (type.getRank() != 1 ||
        !areCompatibleSizes(type.getDimSize(0), input.getDimSize(axis)))
      return OpError(location, ErrorKind::Value, "BatchNorm")
             << "scale, offset, mean and variance must be vectors of size "
             << input.getDimSize(axis) << ", but got shape ["
             << type.getShape() << "]";
  }
  return success();
}

LogicalResult BatchNormTrainingOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  if (failed(verifyBatchNorm(location, input,
                             {adaptor.getScale(), adaptor.getOffset()},
                             adaptor.getAxis())))
    return failure();
  auto vector = RankedTensorType::get({input.getDimSize(adaptor.getAxis())},
                                      input.getElementType());
  inferred.assign({input, vector, vector});
  return success();
}

LogicalResult BatchNormInferenceOp::inferReturnTypes(
    MLIRContext *, std::optional<Location> location, Adaptor adaptor,
    SmallVectorImpl<Type> &inferred) {
  RankedTensorType input = getTensorType(adaptor.getInput());
  if (failed(verifyBatchNorm(location, input,
                             {adaptor.getScale(), adaptor.getOffset(),
                              adaptor.getMean(), adaptor.getVariance()},
                             adaptor.getAxis())))
    return failure();
  inferred.push_back(input);
  return success();
}
