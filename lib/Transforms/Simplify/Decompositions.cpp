//===- Decompositions.cpp - composite ops as primitive ones ---------------===//
//
// Normalizations and cross entropy in broadcasts, reductions and elementwise ops.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Simplify/Decompositions.h"

#include "mindir/Dialect/MindIR/IR/ShapedOp.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// Builds ops on tensors that all have the shape of one input, and on vectors and
/// kept reductions that are broadcast to it.
class ShapeBuilder {
public:
  ShapeBuilder(OpBuilder &builder, Location loc, Value input)
      : b(builder), loc(loc), input(widen(input)),
        type(cast<RankedTensorType>(this->input.getType())) {}

  /// As f32 when a half float, else as it is.
  Value widen(Value value) {
    auto from = cast<RankedTensorType>(value.getType());
    if (!from.getElementType().isF16() && !from.getElementType().isBF16())
      return value;
    return CastOp::create(b, loc, from.clone(b.getF32Type()), value);
  }

  Value narrow(Value value, Type element) {
    auto from = cast<RankedTensorType>(value.getType());
    if (from.getElementType() == element)
      return value;
    return CastOp::create(b, loc, from.clone(element), value);
  }

  Value broadcast(Value value) {
    if (value.getType() == type)
      return value;
    return BroadcastToOp::create(b, loc, type, value,
                                 getDynamicSizes(b, loc, input));
  }

  /// A vector along `axis`, repeated along all other dimensions.
  Value broadcastAlong(Value vector, int64_t axis) {
    auto vectorType = cast<RankedTensorType>(vector.getType());
    SmallVector<int64_t> shape(type.getRank(), 1);
    shape[axis] = vectorType.getDimSize(0);
    Value kept = ReshapeOp::create(b, loc, vectorType.clone(shape), vector,
                                   getDynamicSizes(b, loc, vector));
    return broadcast(kept);
  }

  /// A number as a tensor of the shape of `like`.
  Value constantLike(Value like, double value) {
    auto likeType = cast<RankedTensorType>(like.getType());
    auto scalar = RankedTensorType::get({}, likeType.getElementType());
    Attribute number = b.getFloatAttr(likeType.getElementType(), value);
    Value constant = ConstantOp::create(
        b, loc, cast<ElementsAttr>(DenseElementsAttr::get(scalar, number)));
    return BroadcastToOp::create(b, loc, likeType, constant,
                                 getDynamicSizes(b, loc, like));
  }

  template <typename Op> Value reduceKept(Value value, int64_t axis) {
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = 1;
    return Op::create(b, loc, type.clone(shape), value,
                      ArrayRef<int64_t>{axis}, /*keep_dims=*/true);
  }

  /// The mean over all dimensions but `axis`.
  Value meanAlong(Value value, int64_t axis) {
    SmallVector<int64_t> axes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (dim != axis)
        axes.push_back(dim);
    RankedTensorType vector =
        RankedTensorType::get({type.getDimSize(axis)}, type.getElementType());
    Value sum =
        ReduceSumOp::create(b, loc, vector, value, axes, /*keep_dims=*/false);
    return DivOp::create(b, loc, sum, countLike(sum, axes));
  }

  OpBuilder &b;
  Location loc;
  Value input;
  RankedTensorType type;

private:
  /// The number of elements along `axes`, in the shape of `like`.
  Value countLike(Value like, ArrayRef<int64_t> axes) {
    int64_t count = 1;
    Value unknown;
    for (int64_t axis : axes) {
      if (!type.isDynamicDim(axis)) {
        count *= type.getDimSize(axis);
        continue;
      }
      Value size = tensor::DimOp::create(b, loc, input, axis);
      unknown = unknown ? arith::MulIOp::create(b, loc, unknown, size).getResult()
                        : size;
    }
    if (!unknown)
      return constantLike(like, static_cast<double>(count));
    Value known = arith::ConstantIndexOp::create(b, loc, count);
    Value total = arith::MulIOp::create(b, loc, unknown, known);
    Value integer = arith::IndexCastOp::create(b, loc, b.getI64Type(), total);
    auto scalar = RankedTensorType::get({}, b.getI64Type());
    Value counted = tensor::FromElementsOp::create(b, loc, scalar, integer);
    auto likeType = cast<RankedTensorType>(like.getType());
    Value number = CastOp::create(b, loc, scalar.clone(likeType.getElementType()),
                                  counted);
    return BroadcastToOp::create(b, loc, likeType, number,
                                 getDynamicSizes(b, loc, like));
  }
};

Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

/// input - max(input) along the axis. An infinite maximum is not subtracted from
/// itself: what is -inf everywhere gives NaN, as the definition does.
Value shift(ShapeBuilder &s, int64_t axis) {
  Value max = s.reduceKept<ReduceMaxOp>(s.input, axis);
  return SubOp::create(s.b, s.loc, s.input, s.broadcast(max));
}

Value logSoftmax(ShapeBuilder &s, int64_t axis) {
  Value shifted = shift(s, axis);
  Value exp = ExpOp::create(s.b, s.loc, shifted);
  Value sum = s.reduceKept<ReduceSumOp>(exp, axis);
  Value log = LogOp::create(s.b, s.loc, sum);
  return SubOp::create(s.b, s.loc, shifted, s.broadcast(log));
}

/// (input - mean) / sqrt(variance + epsilon) * scale + offset, vectors along axis.
Value normalize(ShapeBuilder &s, Value mean, Value variance, Value scale,
                Value offset, APFloat epsilon, int64_t axis) {
  OpBuilder &b = s.b;
  Value shifted =
      AddOp::create(b, s.loc, variance,
                    s.constantLike(variance, epsilon.convertToDouble()));
  Value deviation = SqrtOp::create(b, s.loc, shifted);
  Value factor = DivOp::create(b, s.loc, scale, deviation);
  Value centred =
      SubOp::create(b, s.loc, s.input, s.broadcastAlong(mean, axis));
  Value scaled =
      MulOp::create(b, s.loc, centred, s.broadcastAlong(factor, axis));
  return AddOp::create(b, s.loc, scaled, s.broadcastAlong(offset, axis));
}

} // namespace

SmallVector<Value> mlir::mindir::decompose(OpBuilder &b, SoftmaxOp op) {
  ShapeBuilder s(b, op.getLoc(), op.getInput());
  int64_t axis = op.getAxis();
  Value exp = ExpOp::create(b, op.getLoc(), shift(s, axis));
  Value sum = s.reduceKept<ReduceSumOp>(exp, axis);
  Value result = DivOp::create(b, op.getLoc(), exp, s.broadcast(sum));
  return {s.narrow(result, elementOf(op.getInput()))};
}

SmallVector<Value> mlir::mindir::decompose(OpBuilder &b, LogSoftmaxOp op) {
  ShapeBuilder s(b, op.getLoc(), op.getInput());
  return {s.narrow(logSoftmax(s, op.getAxis()), elementOf(op.getInput()))};
}

SmallVector<Value> mlir::mindir::decompose(OpBuilder &b, CrossEntropyOp op) {
  Location loc = op.getLoc();
  ShapeBuilder s(b, loc, op.getLogits());
  auto labelType = cast<RankedTensorType>(op.getLabels().getType());
  RankedTensorType columnType = s.type.clone(labelType.getElementType());
  SmallVector<Value> sizes = getDynamicSizes(b, loc, op.getLogits());
  Value column = IotaOp::create(b, loc, columnType, sizes, /*axis=*/1);
  SmallVector<int64_t> keptShape = {labelType.getDimSize(0), 1};
  Value kept = ReshapeOp::create(b, loc, labelType.clone(keptShape),
                                 op.getLabels(),
                                 getDynamicSizes(b, loc, op.getLabels()));
  Value label = BroadcastToOp::create(b, loc, columnType, kept, sizes);
  Value isLabel =
      CompareOp::create(b, loc, ComparePredicate::eq, column, label);
  // No class has a negative index, but an ignored one may be a class.
  auto scalar = RankedTensorType::get({}, labelType.getElementType());
  Attribute ignored = b.getIntegerAttr(
      labelType.getElementType(), static_cast<int64_t>(op.getIgnoreIndex()));
  Value ignore = ConstantOp::create(
      b, loc, cast<ElementsAttr>(DenseElementsAttr::get(scalar, ignored)));
  Value ignoredLabel = BroadcastToOp::create(b, loc, columnType, ignore, sizes);
  Value counts =
      CompareOp::create(b, loc, ComparePredicate::ne, label, ignoredLabel);
  Value isPicked = AndOp::create(b, loc, isLabel, counts);
  Value picked = SelectOp::create(b, loc, isPicked, logSoftmax(s, 1),
                                  s.constantLike(s.input, 0));
  auto vector =
      RankedTensorType::get({s.type.getDimSize(0)}, s.type.getElementType());
  Value sum = ReduceSumOp::create(b, loc, vector, picked,
                                  ArrayRef<int64_t>{1}, /*keep_dims=*/false);
  // Zero less the sum, so that an ignored row gives +0.
  Value loss = SubOp::create(b, loc, s.constantLike(sum, 0), sum);
  auto resultType = cast<RankedTensorType>(op.getType());
  Value result = s.narrow(loss, resultType.getElementType());
  if (result.getType() != resultType)
    result = tensor::CastOp::create(b, loc, resultType, result);
  return {result};
}

SmallVector<Value> mlir::mindir::decompose(OpBuilder &b, BatchNormTrainingOp op) {
  ShapeBuilder s(b, op.getLoc(), op.getInput());
  int64_t axis = op.getAxis();
  Value mean = s.meanAlong(s.input, axis);
  Value centred =
      SubOp::create(b, op.getLoc(), s.input, s.broadcastAlong(mean, axis));
  Value square = MulOp::create(b, op.getLoc(), centred, centred);
  Value variance = s.meanAlong(square, axis);
  Value result =
      normalize(s, mean, variance, s.widen(op.getScale()),
                s.widen(op.getOffset()), op.getEpsilon(), axis);
  Type element = elementOf(op.getInput());
  SmallVector<Value> results = {s.narrow(result, element),
                                s.narrow(mean, element),
                                s.narrow(variance, element)};
  for (auto [value, type] : llvm::zip(results, op->getResultTypes()))
    if (value.getType() != type)
      value = tensor::CastOp::create(b, op.getLoc(), type, value);
  return results;
}

SmallVector<Value> mlir::mindir::decompose(OpBuilder &b,
                                           BatchNormInferenceOp op) {
  ShapeBuilder s(b, op.getLoc(), op.getInput());
  Value result = normalize(s, s.widen(op.getMean()), s.widen(op.getVariance()),
                           s.widen(op.getScale()), s.widen(op.getOffset()),
                           op.getEpsilon(), op.getAxis());
  result = s.narrow(result, elementOf(op.getInput()));
  if (result.getType() != op.getType())
    result = tensor::CastOp::create(b, op.getLoc(), op.getType(), result);
  return {result};
}

namespace {

template <typename Op> struct DecompositionPattern : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, decompose(rewriter, op));
    return success();
  }
};

} // namespace

void mlir::mindir::populateDecompositionPatterns(RewritePatternSet &patterns,
                                                 bool keepChecked) {
  patterns.add<DecompositionPattern<SoftmaxOp>,
               DecompositionPattern<LogSoftmaxOp>,
               DecompositionPattern<BatchNormTrainingOp>,
               DecompositionPattern<BatchNormInferenceOp>>(
      patterns.getContext());
  if (!keepChecked)
    patterns.add<DecompositionPattern<CrossEntropyOp>>(patterns.getContext());
}
