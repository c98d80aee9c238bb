//===- ReductionToLinalg.cpp - reductions as loops ------------------------===//
//
// Reductions along axes, accumulated in the compute type, and the index of an
// extreme.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

//===----------------------------------------------------------------------===//
// Identities and combinations
//===----------------------------------------------------------------------===//

static Value identity(ScalarBuilder &s, ReduceSumOp) { return s.constant(0); }
static Value identity(ScalarBuilder &s, ReduceProdOp) { return s.constant(1); }
static Value identity(ScalarBuilder &s, ReduceMaxOp) { return s.lowest(); }
static Value identity(ScalarBuilder &s, ReduceMinOp) { return s.highest(); }

static Value combine(ScalarBuilder &s, ReduceSumOp, Value lhs, Value rhs) {
  return s.add(lhs, rhs);
}
static Value combine(ScalarBuilder &s, ReduceProdOp, Value lhs, Value rhs) {
  return s.mul(lhs, rhs);
}
static Value combine(ScalarBuilder &s, ReduceMaxOp, Value lhs, Value rhs) {
  return s.max(lhs, rhs);
}
static Value combine(ScalarBuilder &s, ReduceMinOp, Value lhs, Value rhs) {
  return s.min(lhs, rhs);
}

namespace {

template <typename Op> struct ReductionPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getInput());
    auto type = cast<RankedTensorType>(
        this->getTypeConverter()->convertType(op.getType()));
    ScalarBuilder s(rewriter, loc, element);
    Value init =
        createFilled(rewriter, loc, type.clone(s.compute),
                     getUnknownSizes(rewriter, op, adaptor.getInput(), type),
                     identity(s, op));
    Value sum = createLoop(
        rewriter, loc, adaptor.getInput(), init, op.getStructuredIndexingMaps(),
        op.getIteratorTypes(), [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder body(b, loc, element);
          return combine(body, op, args[1], body.load(args[0]));
        });
    rewriter.replaceOp(op, roundToStorage(rewriter, loc, sum, element, type));
    return success();
  }

private:
  /// The sizes of the result that its type does not know.
  static SmallVector<Value> getUnknownSizes(OpBuilder &builder, Op op,
                                            Value input, RankedTensorType type) {
    SmallVector<Value> sizes;
    int64_t resultDim = 0;
    int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
    for (int64_t dim = 0; dim < rank; ++dim) {
      bool isReduced = llvm::is_contained(op.getAxes(), dim);
      if (!isReduced && type.isDynamicDim(resultDim))
        sizes.push_back(getSize(builder, op.getLoc(), input, dim));
      // An inferred kept dimension is 1; a type that does not know it is `?`.
      if (isReduced && op.getKeepDims() && type.isDynamicDim(resultDim))
        sizes.push_back(indexConstant(builder, op.getLoc(), 1));
      resultDim += !isReduced || op.getKeepDims();
    }
    return sizes;
  }
};

/// The extreme, then the least index where it stands: each is a reduction that can be
/// reordered, which one over pairs of value and index is not.
template <typename Op, bool isMax>
struct ArgReductionPattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getInput());
    int64_t axis = op.getAxis();
    Value input = adaptor.getInput();
    auto type = cast<RankedTensorType>(op.getType());
    ScalarBuilder s(rewriter, loc, element);
    Value first = isMax ? s.lowest() : s.highest();
    SmallVector<Value> sizes = getUnknownSizes(rewriter, loc, input, type, axis);
    SmallVector<AffineMap> maps = getMaps(rewriter, input, axis);
    ArrayRef<AffineMap> inAndOut = ArrayRef(maps).take_front(2);
    Value extremes = createLoop(
        rewriter, loc, input,
        createFilled(rewriter, loc, type.clone(s.compute), sizes, first),
        inAndOut, getIterators(input, axis),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder body(b, loc, element);
          Value value = body.load(args[0]);
          return isMax ? body.max(args[1], value) : body.min(args[1], value);
        });
    Value last = arith::ConstantOp::create(
        rewriter, loc, rewriter.getI64IntegerAttr(INT64_MAX));
    Value indices = createLoop(
        rewriter, loc, {input, extremes},
        createFilled(rewriter, loc, type, sizes, last), maps,
        getIterators(input, axis),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          ScalarBuilder body(b, loc, element);
          Value value = body.load(args[0]);
          Value stands = body.compare(ComparePredicate::eq, value, args[1]);
          // When the extreme is NaN, it stands where NaN does.
          if (body.isFloat())
            stands = arith::OrIOp::create(
                b, loc, stands, body.compare(ComparePredicate::ne, value, value));
          Value index = arith::IndexCastOp::create(
              b, loc, b.getI64Type(), linalg::IndexOp::create(b, loc, axis));
          Value found =
              arith::SelectOp::create(b, loc, stands, index, last);
          return arith::MinSIOp::create(b, loc, args[2], found).getResult();
        });
    rewriter.replaceOp(op, indices);
    return success();
  }

private:
  static SmallVector<Value> getUnknownSizes(OpBuilder &builder, Location loc,
                                            Value input, RankedTensorType type,
                                            int64_t axis) {
    SmallVector<Value> sizes;
    for (int64_t dim = 0; dim < type.getRank(); ++dim)
      if (type.isDynamicDim(dim))
        sizes.push_back(
            getSize(builder, loc, input, dim < axis ? dim : dim + 1));
    return sizes;
  }

  static SmallVector<AffineMap> getMaps(OpBuilder &builder, Value input,
                                        int64_t axis) {
    int64_t rank = cast<RankedTensorType>(input.getType()).getRank();
    AffineMap all = builder.getMultiDimIdentityMap(rank);
    AffineMap kept = all.dropResult(axis);
    return {all, kept, kept};
  }

  static SmallVector<utils::IteratorType> getIterators(Value input,
                                                       int64_t axis) {
    SmallVector<utils::IteratorType> iterators(
        cast<RankedTensorType>(input.getType()).getRank(),
        utils::IteratorType::parallel);
    iterators[axis] = utils::IteratorType::reduction;
    return iterators;
  }
};

} // namespace

void mlir::mindir::populateReductionToLinalg(const TypeConverter &converter,
                                             RewritePatternSet &patterns) {
  patterns.add<ReductionPattern<ReduceSumOp>, ReductionPattern<ReduceProdOp>,
               ReductionPattern<ReduceMaxOp>, ReductionPattern<ReduceMinOp>,
               ArgReductionPattern<ArgMaxOp, true>,
               ArgReductionPattern<ArgMinOp, false>>(converter,
                                                     patterns.getContext());
}
