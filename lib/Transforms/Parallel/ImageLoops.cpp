//===- ImageLoops.cpp - loops of ops over images --------------------------===//
//
// Convolution, pooling and batch normalization are split by batch and channels; the
// planes of images are whole.
//
//===----------------------------------------------------------------------===//

#include "LoopsBuilder.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

/// Loops of a convolution of one group over batch, output and input channels; the
/// image is whole. Channels of several groups are not split.
static ShardingLoops getConvolutionLoops(Operation *op, ImageLayout layout,
                                         int64_t groups, unsigned numScalars) {
  bool isConv = isa<Conv2DOp>(op), isInputGrad = isa<Conv2DInputGradOp>(op);
  int64_t batch = 0, output = 1, input = 1;
  // The loop that the op sums over comes last.
  if (isConv) {
    input = 2;
  } else if (isInputGrad) {
    output = 2;
  } else {
    batch = 2;
    output = 0;
  }
  if (groups != 1)
    output = input = kWhole;
  auto image = [&](int64_t channels) {
    bool isNCHW = layout == ImageLayout::nchw;
    return SmallVector<int64_t>{batch, isNCHW ? channels : kWhole, kWhole,
                                isNCHW ? kWhole : channels};
  };
  SmallVector<int64_t> inputDims = image(input), resultDims = image(output);
  SmallVector<int64_t> weightDims{output, input, kWhole, kWhole};
  LoopsBuilder builder(op->getContext(), 3);
  builder.reduce(2);
  if (isConv)
    builder.add(inputDims).add(weightDims).add(resultDims);
  else if (isInputGrad)
    builder.add(resultDims).add(weightDims).addScalars(numScalars).add(inputDims);
  else
    builder.add(inputDims).add(resultDims).addScalars(numScalars).add(weightDims);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Each plane on its own: batch and channels of every image, whatever its size.
static ShardingLoops getPlaneLoops(Operation *op, ImageLayout layout) {
  bool isNCHW = layout == ImageLayout::nchw;
  int64_t image[] = {0, isNCHW ? 1 : kWhole, kWhole, isNCHW ? kWhole : 1};
  LoopsBuilder builder(op->getContext(), 2);
  SmallVector<Type> types(op->getOperandTypes());
  llvm::append_range(types, op->getResultTypes());
  for (Type type : types)
    if (isShardable(type))
      builder.add(image);
    else
      builder.addScalars(1);
  return builder.build();
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// Vectors run along the axis. Training's statistics sum over the other dimensions.
template <typename OpTy> static ShardingLoops getBatchNormLoops(OpTy op) {
  int64_t rank = cast<RankedTensorType>(op.getInput().getType()).getRank();
  int64_t axis = op.getAxis();
  SmallVector<int64_t> all = getDimsExcept(rank, {});
  LoopsBuilder builder(op.getContext(), rank);
  for (int64_t dim = 0; dim < rank; ++dim)
    if (isa<BatchNormTrainingOp>(op) && dim != axis)
      builder.reduce(dim);
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    builder.add(i == 0 ? ArrayRef<int64_t>(all) : axis);
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    builder.add(i == 0 ? ArrayRef<int64_t>(all) : axis);
  return builder.build();
}

std::optional<ShardingLoops> mindir::getImageLoops(Operation *op) {
  using Loops = std::optional<ShardingLoops>;
  return llvm::TypeSwitch<Operation *, Loops>(op)
      .Case([](Conv2DOp op) -> Loops {
        return getConvolutionLoops(op, op.getLayout(), op.getGroups(), 0);
      })
      .Case<Conv2DInputGradOp, Conv2DWeightGradOp>([](auto op) -> Loops {
        return getConvolutionLoops(op, op.getLayout(), op.getGroups(),
                                   op.getDynamicSizes().size());
      })
      .Case<MaxPool2DOp, AvgPool2DOp, AvgPool2DGradOp, PoolGatherOp, PoolScatterOp>(
          [](auto op) -> Loops { return getPlaneLoops(op, op.getLayout()); })
      .Case<BatchNormTrainingOp, BatchNormInferenceOp>(
          [](auto op) -> Loops { return getBatchNormLoops(op); })
      .Default([](Operation *) -> Loops { return std::nullopt; });
}
