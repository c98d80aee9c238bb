//===- ImageBatchingRules.cpp - vmap rules of ops over images -------------===//
//
// Lanes go into the batch where what they share allows it, else into the channels,
// as groups.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::mindir;

static int64_t getChannelDim(ImageLayout layout) {
  return layout == ImageLayout::nchw ? 1 : 3;
}

static int64_t getHeightDim(ImageLayout layout) {
  return layout == ImageLayout::nchw ? 2 : 1;
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

namespace {
/// Where the lanes of a convolution's operands and result go. Lanes of weights are
/// groups: output and input channels of one lane follow those of another.
struct LaneDims {
  int64_t lhs, rhs, result;
};
} // namespace

/// The op, a convolution or one of its gradients, over operands and a result with the
/// lanes merged into `dims`, and `groups` times as many groups.
template <typename OpTy>
static Value buildMerged(Lanes &l, OpTy op, LaneDims dims, int64_t groups) {
  auto merged = [&](unsigned i, int64_t dim) {
    return dim < 0 ? l.get(i) : l.merge(l.all(i), dim);
  };
  Value lhs = merged(0, dims.lhs), rhs = merged(1, dims.rhs), result;
  int64_t allGroups = op.getGroups() * groups;
  if constexpr (std::is_same_v<OpTy, Conv2DOp>)
    result = Conv2DOp::create(l.builder, l.loc, lhs, rhs, op.getStrides(),
                              op.getPadding(), op.getDilations(), allGroups,
                              op.getLayout());
  else
    result = OpTy::create(
        l.builder, l.loc, l.getMergedType(op.getType(), dims.result), lhs, rhs,
        l.getMergedSizes(op.getType(), dims.result, l.operands.drop_front(2)),
        op.getStrides(), op.getPadding(), op.getDilations(), allGroups, op.getLayout());
  return l.split(result, dims.result);
}

/// The size of a convolved dimension of an image of one lane.
static Value buildConvolvedDim(Lanes &l, Conv2DOp op, unsigned dim) {
  OpBuilder &b = l.builder;
  auto constant = [&](int64_t value) {
    return arith::ConstantIndexOp::create(b, l.loc, value).getResult();
  };
  ArrayRef<int64_t> padding = op.getPadding();
  Value one = constant(1);
  Value size = l.operandDim(0, getHeightDim(op.getLayout()) + dim);
  Value kernel = arith::SubIOp::create(b, l.loc, l.operandDim(1, 2 + dim), one);
  Value reach =
      arith::MulIOp::create(b, l.loc, kernel, constant(op.getDilations()[dim]));
  Value padded = arith::AddIOp::create(
      b, l.loc, size, constant(padding[2 * dim] + padding[2 * dim + 1] - 1));
  Value last = arith::SubIOp::create(b, l.loc, padded, reach);
  Value steps =
      arith::DivSIOp::create(b, l.loc, last, constant(op.getStrides()[dim]));
  return arith::AddIOp::create(b, l.loc, steps, one);
}

static Value loopOver(Lanes &l, Conv2DOp op) {
  int64_t height = getHeightDim(op.getLayout());
  return l.loop([&](int64_t dim) {
    if (dim == 0)
      return l.operandDim(0, 0);
    return dim == getChannelDim(op.getLayout()) ? l.operandDim(1, 0)
                                                : buildConvolvedDim(l, op, dim - height);
  });
}

template <typename OpTy> static Value loopOver(Lanes &l, OpTy op) {
  RankedTensorType type = op.getType();
  return l.loop(
      [&](int64_t dim) { return l.get(2 + type.getDynamicDimIndex(dim)); });
}

/// `batch` are the dims for lanes that share what is not the batch's; else lanes are
/// groups in `channels`, or one by one when their number is not known.
template <typename OpTy>
static Value convolve(Lanes &l, OpTy op, std::optional<LaneDims> batch,
                      LaneDims channels) {
  if (batch)
    return buildMerged(l, op, *batch, 1);
  return l.haveKnownCount() ? buildMerged(l, op, channels, l.size) : loopOver(l, op);
}

/// Of conv2d and conv2d_input_grad: an image and a weight give an image.
template <typename OpTy>
static LogicalResult convolveImage(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<OpTy>(l.op);
  int64_t channels = getChannelDim(op.getLayout());
  std::optional<LaneDims> batch;
  if (!l.isBatched(1))
    batch = LaneDims{0, -1, 0};
  results.push_back(convolve(l, op, batch, {channels, 0, channels}));
  return success();
}

static LogicalResult convolveWeightGrad(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<Conv2DWeightGradOp>(l.op);
  int64_t channels = getChannelDim(op.getLayout());
  results.push_back(convolve(l, op, std::nullopt, {channels, channels, 0}));
  return success();
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

static LogicalResult maxPool(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<MaxPool2DOp>(l.op);
  auto pool = MaxPool2DOp::create(l.builder, l.loc, l.merge(l.get(0)), op.getWindow(),
                                  op.getStrides(), op.getPadding(), op.getLayout());
  results.push_back(l.split(pool.getResult()));
  results.push_back(l.split(pool.getIndices()));
  return success();
}

static LogicalResult poolGather(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<PoolGatherOp>(l.op);
  results.push_back(l.split(PoolGatherOp::create(
      l.builder, l.loc, l.merge(l.all(0)), l.merge(l.all(1)), op.getLayout())));
  return success();
}

static LogicalResult poolScatter(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<PoolScatterOp>(l.op);
  results.push_back(l.split(PoolScatterOp::create(
      l.builder, l.loc, l.getMergedType(op.getType(), 0), l.merge(l.all(0)),
      l.merge(l.all(1)), l.getMergedSizes(op.getType(), 0, l.operands.drop_front(2)),
      op.getLayout())));
  return success();
}

static LogicalResult avgPool(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<AvgPool2DOp>(l.op);
  results.push_back(l.split(AvgPool2DOp::create(
      l.builder, l.loc, l.merge(l.get(0)), op.getWindow(), op.getStrides(),
      op.getPadding(), op.getLayout(), op.getCountIncludePad())));
  return success();
}

static LogicalResult avgPoolGrad(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<AvgPool2DGradOp>(l.op);
  results.push_back(l.split(AvgPool2DGradOp::create(
      l.builder, l.loc, l.getMergedType(op.getType(), 0), l.merge(l.get(0)),
      l.getMergedSizes(op.getType(), 0, l.operands.drop_front(1)), op.getWindow(),
      op.getStrides(), op.getPadding(), op.getLayout(), op.getCountIncludePad())));
  return success();
}

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// The statistics are per channel: a lane's channels are channels of their own.
static LogicalResult batchNormTraining(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<BatchNormTrainingOp>(l.op);
  int64_t axis = op.getAxis();
  auto norm = BatchNormTrainingOp::create(
      l.builder, l.loc, l.merge(l.all(0), axis), l.merge(l.all(1)), l.merge(l.all(2)),
      op.getEpsilonAttr(), op.getAxisAttr());
  results.push_back(l.split(norm.getResult(), axis));
  results.push_back(l.split(norm.getMean()));
  results.push_back(l.split(norm.getVariance()));
  return success();
}

static LogicalResult batchNormInference(Lanes &l, SmallVectorImpl<Value> &results) {
  auto op = cast<BatchNormInferenceOp>(l.op);
  int64_t axis = op.getAxis();
  bool isShared = llvm::none_of(l.batched.drop_front(), [](bool b) { return b; });
  if (isShared) {
    results.push_back(BatchNormInferenceOp::create(
        l.builder, l.loc, l.getType(), l.get(0), l.get(1), l.get(2), l.get(3), l.get(4),
        op.getEpsilonAttr(), l.builder.getI64IntegerAttr(axis + 1)));
    return success();
  }
  SmallVector<Value> vectors;
  for (unsigned i = 1; i < 5; ++i)
    vectors.push_back(l.merge(l.all(i)));
  Value norm = BatchNormInferenceOp::create(
      l.builder, l.loc, l.merge(l.all(0), axis), vectors[0], vectors[1], vectors[2],
      vectors[3], op.getEpsilonAttr(), op.getAxisAttr());
  results.push_back(l.split(norm, axis));
  return success();
}

void mindir::attachImageBatchingRules(MLIRContext *context) {
  attachBatching<Conv2DOp, convolveImage<Conv2DOp>>(context);
  attachBatching<Conv2DInputGradOp, convolveImage<Conv2DInputGradOp>>(context);
  attachBatching<Conv2DWeightGradOp, convolveWeightGrad>(context);
  attachBatching<MaxPool2DOp, maxPool>(context);
  attachBatching<PoolGatherOp, poolGather>(context);
  attachBatching<PoolScatterOp, poolScatter>(context);
  attachBatching<AvgPool2DOp, avgPool>(context);
  attachBatching<AvgPool2DGradOp, avgPoolGrad>(context);
  attachBatching<BatchNormTrainingOp, batchNormTraining>(context);
  attachBatching<BatchNormInferenceOp, batchNormInference>(context);
}
