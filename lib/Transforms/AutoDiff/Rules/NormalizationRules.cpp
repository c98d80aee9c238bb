//===- NormalizationRules.cpp - derivatives of normalizations -------------===//
//
// Composite ops have one rule as a whole, written in primitives.
//
//===----------------------------------------------------------------------===//

#include "RuleSupport.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// The sum along an axis, broadcast back.
static Value sumBack(Arith &a, Value tensor, int64_t axis) {
  return broadcastLike(a, a.sum(tensor, {axis}, /*keepDims=*/true), tensor);
}

/// `y * (g - sum(g * y))`: a symmetric Jacobian.
static Value applySoftmaxJacobian(Arith &a, Value y, Value g, int64_t axis) {
  return a.mul(y, a.sub(g, sumBack(a, a.mul(g, y), axis)));
}

namespace {
struct SoftmaxRules
    : DifferentiableOpInterface::ExternalModel<SoftmaxRules, SoftmaxOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    ctx.set(0, applySoftmaxJacobian(a, ctx.result(0), ctx.cotangent(0),
                                    cast<SoftmaxOp>(op).getAxis()));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    ctx.set(0, applySoftmaxJacobian(a, ctx.result(0), ctx.tangent(0),
                                    cast<SoftmaxOp>(op).getAxis()));
    return success();
  }
};

struct LogSoftmaxRules
    : DifferentiableOpInterface::ExternalModel<LogSoftmaxRules, LogSoftmaxOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    int64_t axis = cast<LogSoftmaxOp>(op).getAxis();
    Value g = ctx.cotangent(0);
    ctx.set(0, a.sub(g, a.mul(a.exp(ctx.result(0)), sumBack(a, g, axis))));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    int64_t axis = cast<LogSoftmaxOp>(op).getAxis();
    Value t = ctx.tangent(0);
    ctx.set(0, a.sub(t, sumBack(a, a.mul(a.exp(ctx.result(0)), t), axis)));
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Cross entropy
//===----------------------------------------------------------------------===//

/// The derivative of each row's loss by its logits, `softmax - one_hot(label)`;
/// zero in ignored rows.
struct CrossEntropyRules
    : DifferentiableOpInterface::ExternalModel<CrossEntropyRules,
                                               CrossEntropyOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    Value slope =
        buildSlope(a, cast<CrossEntropyOp>(op), ctx.operand(0), ctx.operand(1));
    ctx.set(0, a.mul(broadcastAlong(a, ctx.cotangent(0), 0, slope), slope));
    return success();
  }
  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    Arith a(ctx.builder, ctx.loc());
    Value slope =
        buildSlope(a, cast<CrossEntropyOp>(op), ctx.operand(0), ctx.operand(1));
    ctx.set(0, a.sum(a.mul(ctx.tangent(0), slope), {1}));
    return success();
  }

private:
  static Value buildSlope(Arith &a, CrossEntropyOp op, Value logits,
                          Value labels) {
    RankedTensorType type = getTensorType(logits);
    auto indices = cast<RankedTensorType>(
        type.clone(getTensorType(labels).getElementType()));
    auto dim = [&](int64_t i) { return buildDim(a.builder, a.loc, logits, i); };
    Value classes = IotaOp::create(a.builder, a.loc, indices,
                                   getDynamicSizes(indices, dim), 1);
    Value label = broadcastTo(a, insertUnitDims(a, labels, {1}), indices, dim);
    Value isLabel = a.compare(ComparePredicate::eq, classes, label);
    Value probability = SoftmaxOp::create(a.builder, a.loc, logits, 1);
    Value slope = a.sub(probability,
                        CastOp::create(a.builder, a.loc, type, isLabel));
    Value ignored =
        a.splat(label, static_cast<int64_t>(op.getIgnoreIndex()));
    return a.where(a.compare(ComparePredicate::ne, label, ignored), slope);
  }
};

//===----------------------------------------------------------------------===//
// Batch normalization
//===----------------------------------------------------------------------===//

/// What the rules of both batch normalizations compute on: tensors of the input's
/// shape, and vectors along the axis.
class BatchNorm : public Arith {
public:
  BatchNorm(OpBuilder &builder, Location loc, Value input, Value mean,
            Value variance, double epsilon, int64_t axis)
      : Arith(builder, loc), axis(axis), input(input), variance(variance) {
    centered = sub(input, spread(mean));
    inverseStd = rsqrt(add(variance, splat(variance, epsilon)));
    normalized = mul(centered, spread(inverseStd));
  }

  Value spread(Value vector) { return broadcastAlong(*this, vector, axis, input); }
  /// The sum over all but the axis.
  Value gather(Value tensor) { return sum(tensor, getAllAxes(input, axis)); }
  /// The number of elements that one entry of a vector stands for, as a vector.
  Value count() {
    return broadcastLike(*this,
                         countElements(*this, input, getAllAxes(input, axis)),
                         variance);
  }

  int64_t axis;
  Value input, variance;
  Value centered, inverseStd, normalized;
};
} // namespace

namespace {
struct BatchNormTrainingRules
    : DifferentiableOpInterface::ExternalModel<BatchNormTrainingRules,
                                               BatchNormTrainingOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    auto norm = cast<BatchNormTrainingOp>(op);
    BatchNorm b(ctx.builder, ctx.loc(), ctx.operand(0), ctx.result(1),
                ctx.result(2), norm.getEpsilon().convertToDouble(),
                norm.getAxis());
    Value g = ctx.cotangent(0);
    Value sumG = g ? b.gather(g) : Value();
    Value sumGX = g ? b.gather(b.mul(g, b.normalized)) : Value();
    if (g && ctx.needs(1))
      ctx.set(1, sumGX);
    if (g && ctx.needs(2))
      ctx.set(2, sumG);
    if (ctx.needs(0))
      ctx.set(0, buildInputCotangent(b, ctx, g, sumG, sumGX));
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    auto norm = cast<BatchNormTrainingOp>(op);
    BatchNorm b(ctx.builder, ctx.loc(), ctx.operand(0), ctx.result(1),
                ctx.result(2), norm.getEpsilon().convertToDouble(),
                norm.getAxis());
    Value sum;
    auto addTerm = [&](Value term) { sum = sum ? b.add(sum, term) : term; };
    if (Value scale = ctx.tangent(1))
      addTerm(b.mul(b.spread(scale), b.normalized));
    if (Value offset = ctx.tangent(2))
      addTerm(b.spread(offset));
    if (Value input = ctx.tangent(0)) {
      Value mean = b.div(b.gather(input), b.count());
      Value product = b.gather(b.mul(b.centered, input));
      Value variance = b.scale(b.div(product, b.count()), 2);
      ctx.set(1, mean);
      ctx.set(2, variance);
      // d(inverse std) = -1/2 (inverse std)^3 d(variance)
      Value cube = b.mul(b.inverseStd, b.mul(b.inverseStd, b.inverseStd));
      Value slope = b.scale(b.mul(cube, variance), -0.5);
      Value moved = b.mul(b.sub(input, b.spread(mean)), b.spread(b.inverseStd));
      Value normalized = b.add(moved, b.mul(b.centered, b.spread(slope)));
      addTerm(b.mul(b.spread(ctx.operand(1)), normalized));
    }
    if (sum)
      ctx.set(0, sum);
    return success();
  }

private:
  /// `scale * inverse_std / n * (n g - sum(g) - x^ sum(g x^))`, and the shares of
  /// the mean and of the variance.
  static Value buildInputCotangent(BatchNorm &b, VJPContext &ctx, Value g,
                                   Value sumG, Value sumGX) {
    Value count = b.count();
    Value sum;
    auto addTerm = [&](Value term) { sum = sum ? b.add(sum, term) : term; };
    if (g) {
      Value common = b.add(b.spread(b.div(sumG, count)),
                           b.mul(b.normalized, b.spread(b.div(sumGX, count))));
      Value factor = b.mul(ctx.operand(1), b.inverseStd);
      addTerm(b.mul(b.spread(factor), b.sub(g, common)));
    }
    if (Value mean = ctx.cotangent(1))
      addTerm(b.spread(b.div(mean, count)));
    if (Value variance = ctx.cotangent(2))
      addTerm(b.mul(b.centered, b.spread(b.scale(b.div(variance, count), 2))));
    return sum;
  }
};

struct BatchNormInferenceRules
    : DifferentiableOpInterface::ExternalModel<BatchNormInferenceRules,
                                               BatchNormInferenceOp> {
  LogicalResult buildVJP(Operation *op, VJPContext &ctx) const {
    auto norm = cast<BatchNormInferenceOp>(op);
    Value g = ctx.cotangent(0);
    if (ctx.needs(2))
      ctx.set(2, sumOverAxis(ctx, g, norm.getAxis()));
    if (!ctx.needs(0) && !ctx.needs(1) && !ctx.needs(3) && !ctx.needs(4))
      return success();
    BatchNorm b(ctx.builder, ctx.loc(), ctx.operand(0), ctx.operand(3),
                ctx.operand(4), norm.getEpsilon().convertToDouble(),
                norm.getAxis());
    if (ctx.needs(1))
      ctx.set(1, b.gather(b.mul(g, b.normalized)));
    if (!ctx.needs(0) && !ctx.needs(3) && !ctx.needs(4))
      return success();
    Value factor = b.mul(ctx.operand(1), b.inverseStd);
    if (ctx.needs(0))
      ctx.set(0, b.mul(g, b.spread(factor)));
    if (ctx.needs(3))
      ctx.set(3, b.neg(b.mul(b.gather(g), factor)));
    if (ctx.needs(4)) {
      Value slope = b.mul(factor, b.scale(b.mul(b.inverseStd, b.inverseStd), -0.5));
      ctx.set(4, b.mul(b.gather(b.mul(g, b.centered)), slope));
    }
    return success();
  }

  LogicalResult buildJVP(Operation *op, JVPContext &ctx) const {
    auto norm = cast<BatchNormInferenceOp>(op);
    BatchNorm b(ctx.builder, ctx.loc(), ctx.operand(0), ctx.operand(3),
                ctx.operand(4), norm.getEpsilon().convertToDouble(),
                norm.getAxis());
    Value factor = b.mul(ctx.operand(1), b.inverseStd);
    Value sum;
    auto addTerm = [&](Value term) { sum = sum ? b.add(sum, term) : term; };
    if (Value input = ctx.tangent(0))
      addTerm(b.mul(input, b.spread(factor)));
    if (Value scale = ctx.tangent(1))
      addTerm(b.mul(b.spread(scale), b.normalized));
    if (Value offset = ctx.tangent(2))
      addTerm(b.spread(offset));
    if (Value mean = ctx.tangent(3))
      addTerm(b.neg(b.spread(b.mul(mean, factor))));
    if (Value variance = ctx.tangent(4)) {
      Value slope = b.mul(factor, b.scale(b.mul(b.inverseStd, b.inverseStd), -0.5));
      addTerm(b.mul(b.centered, b.spread(b.mul(variance, slope))));
    }
    if (sum)
      ctx.set(0, sum);
    return success();
  }

private:
  static Value sumOverAxis(VJPContext &ctx, Value g, int64_t axis) {
    Arith a(ctx.builder, ctx.loc());
    return a.sum(g, getAllAxes(g, axis));
  }
};
} // namespace

void mindir::attachNormalizationRules(MLIRContext *context) {
  SoftmaxOp::attachInterface<SoftmaxRules>(*context);
  LogSoftmaxOp::attachInterface<LogSoftmaxRules>(*context);
  CrossEntropyOp::attachInterface<CrossEntropyRules>(*context);
  BatchNormTrainingOp::attachInterface<BatchNormTrainingRules>(*context);
  BatchNormInferenceOp::attachInterface<BatchNormInferenceRules>(*context);
}
