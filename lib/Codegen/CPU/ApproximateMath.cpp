//===- ApproximateMath.cpp - polynomials for math functions ---------------===//
//
// Chooses which math functions are computed without a call.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// Makes a logarithm right for subnormals, which the polynomial takes for the least
/// normal number: log(x) = log(x * 2^25) - 25 log(2).
static void scaleSubnormals(math::LogOp log) {
  Type type = log.getType();
  if (!getElementTypeOrSelf(type).isF32())
    return;
  OpBuilder builder(log);
  Location loc = log.getLoc();
  auto constant = [&](float value) -> Value {
    TypedAttr number = builder.getF32FloatAttr(value);
    if (auto vector = dyn_cast<VectorType>(type))
      number = DenseElementsAttr::get(vector, ArrayRef<Attribute>(number));
    return arith::ConstantOp::create(builder, loc, number);
  };
  Value input = log.getOperand();
  Value isSmall = arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLT,
                                        input, constant(0x1p-126f));
  Value large = arith::MulFOp::create(builder, loc, input, constant(0x1p25f));
  Value scaled = arith::SelectOp::create(builder, loc, isSmall, large, input);
  Value excess = arith::SelectOp::create(
      builder, loc, isSmall, constant(17.3286795139986f), constant(0.0f));
  log.getOperandMutable().assign(scaled);
  builder.setInsertionPointAfter(log);
  auto result = arith::SubFOp::create(builder, loc, log.getResult(), excess);
  log.getResult().replaceAllUsesExcept(result, result);
}

namespace {

struct ApproximateMath
    : mlir::mindir::impl::ApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    SmallVector<math::LogOp> logs;
    getOperation()->walk([&](math::LogOp log) { logs.push_back(log); });
    llvm::for_each(logs, scaleSubnormals);
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::ExpOp::getOperationName() ||
             name == math::ExpM1Op::getOperationName() ||
             name == math::LogOp::getOperationName() ||
             name == math::Log1pOp::getOperationName() ||
             name == math::TanhOp::getOperationName() ||
             name == math::ErfOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      return signalPassFailure();
    callLibrary();
  }

private:
  /// What is left of expm1 and log1p is f64's. Upstream's conversion to LLVM writes
  /// them as exp(x) - 1 and log(1 + x), which cancel near zero.
  void callLibrary() {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    ConversionTarget target(getContext());
    target.addIllegalOp<math::ExpM1Op, math::Log1pOp>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
