//===- NormalizationToLinalg.cpp - composite ops --------------------------===//
//
// Composite ops that are left are decomposed, and what they check when run is
// checked.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

#include "mindir/Transforms/Simplify/Decompositions.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

template <typename Op> struct CompositePattern : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;
  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, decompose(rewriter, op));
    return success();
  }
};

/// A label that is neither a class nor ignored is a ValueError.
struct CrossEntropyPattern : OpConversionPattern<CrossEntropyOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(CrossEntropyOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    checkLabels(rewriter, op, adaptor);
    rewriter.replaceOp(op, decompose(rewriter, op));
    return success();
  }

private:
  static void checkLabels(OpBuilder &b, CrossEntropyOp op, OpAdaptor adaptor) {
    Location loc = op.getLoc();
    Value labels = adaptor.getLabels();
    Type element = elementTypeOf(labels);
    Value classes = arith::IndexCastOp::create(
        b, loc, element, getSize(b, loc, adaptor.getLogits(), 1));
    Value ignored = arith::ConstantOp::create(
        b, loc, b.getIntegerAttr(element, static_cast<int64_t>(op.getIgnoreIndex())));
    Value no = arith::ConstantOp::create(b, loc, b.getBoolAttr(false));
    Value init =
        createFilled(b, loc, RankedTensorType::get({}, b.getI1Type()), {}, no);
    Value any = createLoop(
        b, loc, labels, init,
        {b.getMultiDimIdentityMap(1), AffineMap::get(1, 0, b.getContext())},
        {utils::IteratorType::reduction},
        [&](OpBuilder &b, Location loc, ValueRange args) -> Value {
          // A negative label is beyond the classes when taken as unsigned.
          Value isOutside = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::uge, args[0], classes);
          Value counts = arith::CmpIOp::create(
              b, loc, arith::CmpIPredicate::ne, args[0], ignored);
          Value isBad = arith::AndIOp::create(b, loc, isOutside, counts);
          return arith::OrIOp::create(b, loc, args[1], isBad);
        });
    emitErrorIf(b, loc, tensor::ExtractOp::create(b, loc, any),
                /*MINDRT_VALUE_ERROR=*/2,
                "For 'CrossEntropy', each label must lie in [0, classes) or be "
                "ignore_index");
  }
};

} // namespace

void mlir::mindir::populateNormalizationToLinalg(const TypeConverter &converter,
                                                 RewritePatternSet &patterns) {
  patterns.add<CompositePattern<SoftmaxOp>, CompositePattern<LogSoftmaxOp>,
               CompositePattern<BatchNormTrainingOp>,
               CompositePattern<BatchNormInferenceOp>, CrossEntropyPattern>(
      converter, patterns.getContext());
}
