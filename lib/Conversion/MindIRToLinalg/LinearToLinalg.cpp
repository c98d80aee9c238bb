//===- LinearToLinalg.cpp - matrix products and convolution ---------------===//
//
// Matrix products and convolution with its two gradients, as reductions that
// accumulate in the compute type.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

/// Multiplies and adds: (lhs, rhs, accumulator) -> accumulator.
Value multiplyAdd(OpBuilder &b, Location loc, Type element, ValueRange args) {
  ScalarBuilder s(b, loc, element);
  return s.add(args[2], s.mul(s.load(args[0]), s.load(args[1])));
}

struct MatMulPattern : OpConversionPattern<MatMulOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MatMulOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Type element = elementTypeOf(op.getLhs());
    auto type =
        cast<RankedTensorType>(getTypeConverter()->convertType(op.getType()));
    Value zero = ScalarBuilder(rewriter, loc, element).constant(0);
    Value init =
        createFilled(rewriter, loc, type.clone(getComputeType(element)),
                     getUnknownSizes(rewriter, op, adaptor, type), zero);
    Value product = createLoop(
        rewriter, loc, {adaptor.getLhs(), adaptor.getRhs()}, init,
        op.getStructuredIndexingMaps(), op.getIteratorTypes(),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          return multiplyAdd(b, loc, element, args);
        });
    rewriter.replaceOp(op, roundToStorage(rewriter, loc, product, element, type));
    return success();
  }

private:
  static SmallVector<Value> getUnknownSizes(OpBuilder &b, MatMulOp op,
                                            OpAdaptor adaptor,
                                            RankedTensorType type) {
    SmallVector<Value> sizes;
    int64_t rank = type.getRank(), row = rank - 2, column = rank - 1;
    for (int64_t dim = 0; dim < rank; ++dim) {
      if (!type.isDynamicDim(dim))
        continue;
      Value from = dim == column ? adaptor.getRhs() : adaptor.getLhs();
      int64_t source = dim;
      if (dim == row && op.getTransposeLhs())
        source = column;
      if (dim == column && op.getTransposeRhs())
        source = row;
      sizes.push_back(getSize(b, op.getLoc(), from, source));
    }
    return sizes;
  }
};

} // namespace

void mlir::mindir::populateLinearToLinalg(const TypeConverter &converter,
                                          RewritePatternSet &patterns) {
  patterns.add<MatMulPattern>(converter, patterns.getContext());
}
