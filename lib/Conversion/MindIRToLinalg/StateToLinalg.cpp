//===- StateToLinalg.cpp - generator state and gradient stops -------------===//
//
// A generator's state is a constant when it starts; a gradient stop is nothing.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct SeedStatePattern : OpConversionPattern<SeedStateOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(SeedStateOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = RankedTensorType::get({2}, rewriter.getI64Type());
    int64_t words[2] = {static_cast<int64_t>(op.getSeed()), 0};
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        op, DenseIntElementsAttr::get(type, ArrayRef<int64_t>(words)));
    return success();
  }
};

struct StopGradientPattern : OpConversionPattern<StopGradientOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(StopGradientOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getInput());
    return success();
  }
};

} // namespace

void mlir::mindir::populateStateToLinalg(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<SeedStatePattern, StopGradientPattern>(converter,
                                                      patterns.getContext());
}
