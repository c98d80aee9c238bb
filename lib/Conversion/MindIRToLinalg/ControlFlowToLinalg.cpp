//===- ControlFlowToLinalg.cpp - tokens, effects and tapes ----------------===//
//
// Tokens carry nothing once ops stand in order.
//
//===----------------------------------------------------------------------===//

#include "LoweringUtils.h"

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct TokenPattern : OpConversionPattern<TokenOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(TokenOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(op,
                                                   rewriter.getBoolAttr(false));
    return success();
  }
};

} // namespace

void mlir::mindir::populateControlFlowToLinalg(const TypeConverter &converter,
                                               RewritePatternSet &patterns) {
  patterns.add<TokenPattern>(converter, patterns.getContext());
}
