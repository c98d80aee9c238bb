//===- LinearRules.cpp - derivatives of products, convolution, pooling ----===//
//
// Each op is linear in each operand: its tangent is itself, its cotangent the op
// that the dialect defines as its transpose.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

/// The unknown sizes of operand `i`, for a cotangent of its shape.
static SmallVector<Value> getOperandSizes(VJPContext &ctx, unsigned i) {
  return getDynamicSizes(getTensorType(ctx.op->getOperand(i)),
                         [&](int64_t dim) { return ctx.operandDim(i, dim); });
}

static Value matmul(VJPContext &ctx, Value lhs, Value rhs, bool transposeLhs,
                    bool transposeRhs) {
  return MatMulOp::create(ctx.builder, ctx.loc(), lhs, rhs, transposeLhs,
                          transposeRhs);
}

/// With A' and B' the operands as they are multiplied: dA' = g B'^T, dB' = A'^T g.
static Value transposeMatMul(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<MatMulOp>(ctx.op);
  bool tl = op.getTransposeLhs(), tr = op.getTransposeRhs();
  Value other = ctx.operand(1 - i);
  if (i == 0)
    return tl ? matmul(ctx, other, g, tr, true)
              : matmul(ctx, g, other, false, !tr);
  return tr ? matmul(ctx, g, other, true, tl)
            : matmul(ctx, other, g, !tl, false);
}

//===----------------------------------------------------------------------===//
// Convolution
//===----------------------------------------------------------------------===//

template <typename OpTy>
static Value convolve(VJPContext &ctx, OpTy op, Value input, Value weight) {
  return Conv2DOp::create(ctx.builder, ctx.loc(), input, weight,
                          op.getStrides(), op.getPadding(), op.getDilations(),
                          op.getGroups(), op.getLayout());
}

/// The input cotangent, of operand `like`'s shape.
template <typename OpTy>
static Value convolveBack(VJPContext &ctx, OpTy op, Value cotangent,
                          Value weight, unsigned like) {
  return Conv2DInputGradOp::create(
      ctx.builder, ctx.loc(), ctx.op->getOperand(like).getType(), cotangent,
      weight, getOperandSizes(ctx, like), op.getStrides(), op.getPadding(),
      op.getDilations(), op.getGroups(), op.getLayout());
}

/// The weight cotangent, of operand `like`'s shape.
template <typename OpTy>
static Value correlate(VJPContext &ctx, OpTy op, Value input, Value cotangent,
                       unsigned like) {
  return Conv2DWeightGradOp::create(
      ctx.builder, ctx.loc(), ctx.op->getOperand(like).getType(), input,
      cotangent, getOperandSizes(ctx, like), op.getStrides(), op.getPadding(),
      op.getDilations(), op.getGroups(), op.getLayout());
}

static Value transposeConv(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<Conv2DOp>(ctx.op);
  return i == 0 ? convolveBack(ctx, op, g, ctx.operand(1), 0)
                : correlate(ctx, op, ctx.operand(0), g, 1);
}

static Value transposeConvInputGrad(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<Conv2DInputGradOp>(ctx.op);
  return i == 0 ? convolve(ctx, op, g, ctx.operand(1))
                : correlate(ctx, op, g, ctx.operand(0), 1);
}

static Value transposeConvWeightGrad(VJPContext &ctx, unsigned i, Value g) {
  auto op = cast<Conv2DWeightGradOp>(ctx.op);
  return i == 0 ? convolveBack(ctx, op, ctx.operand(1), g, 0)
                : convolve(ctx, op, ctx.operand(0), g);
}

//===----------------------------------------------------------------------===//
// Pooling
//===----------------------------------------------------------------------===//

/// Adds pooled elements to their places in a plane of operand 0's shape.
static Value scatterPooled(VJPContext &ctx, Value pooled, Value indices,
                           ImageLayout layout) {
  return PoolScatterOp::create(ctx.builder, ctx.loc(),
                               ctx.op->getOperand(0).getType(), pooled, indices,
                               getOperandSizes(ctx, 0), layout);
}

static Value transposePoolGather(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<PoolGatherOp>(ctx.op);
  return scatterPooled(ctx, g, ctx.operand(1), op.getLayout());
}

static Value transposePoolScatter(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<PoolScatterOp>(ctx.op);
  return PoolGatherOp::create(ctx.builder, ctx.loc(), g, ctx.operand(1),
                              op.getLayout());
}

static Value transposeAvgPool(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<AvgPool2DOp>(ctx.op);
  return AvgPool2DGradOp::create(ctx.builder, ctx.loc(),
                                 op.getInput().getType(), g,
                                 getOperandSizes(ctx, 0), op.getWindow(),
                                 op.getStrides(), op.getPadding(),
                                 op.getLayout(), op.getCountIncludePad());
}

static Value transposeAvgPoolGrad(VJPContext &ctx, unsigned, Value g) {
  auto op = cast<AvgPool2DGradOp>(ctx.op);
  return AvgPool2DOp::create(ctx.builder, ctx.loc(), g, op.getWindow(),
                             op.getStrides(), op.getPadding(), op.getLayout(),
                             op.getCountIncludePad());
}

namespace {
/// The positions of the maxima are piecewise constant; given them, max pooling is
/// a linear choice of elements.
struct MaxPoolRules
    : DifferentiableOpInterface::ExternalModel<MaxPoolRules, MaxPool2DOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    if (ctx.needs(0) && ctx.cotangent(0))
      ctx.set(0, scatterPooled(ctx, ctx.cotangent(0), ctx.result(1),
                               cast<MaxPool2DOp>(op).getLayout()));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    ctx.set(0, PoolGatherOp::create(ctx.builder, ctx.loc(), ctx.tangent(0),
                                    ctx.result(1),
                                    cast<MaxPool2DOp>(op).getLayout()));
    return success();
  }
};
} // namespace

void mindir::attachLinearRules(MLIRContext *context) {
  attachMultilinear<MatMulOp, transposeMatMul>(context);
  attachMultilinear<Conv2DOp, transposeConv>(context);
  attachMultilinear<Conv2DInputGradOp, transposeConvInputGrad>(context);
  attachMultilinear<Conv2DWeightGradOp, transposeConvWeightGrad>(context);
  attachMultilinear<PoolGatherOp, transposePoolGather>(context);
  attachMultilinear<PoolScatterOp, transposePoolScatter>(context);
  attachMultilinear<AvgPool2DOp, transposeAvgPool>(context);
  attachMultilinear<AvgPool2DGradOp, transposeAvgPoolGrad>(context);
  MaxPool2DOp::attachInterface<MaxPoolRules>(*context);
}
