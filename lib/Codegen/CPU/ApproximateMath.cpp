//===- ApproximateMath.cpp - polynomials for math functions ---------------===//
//
// Chooses which math functions are computed without a call.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_APPROXIMATEMATH
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct ApproximateMath
    : mlir::mindir::impl::ApproximateMathBase<ApproximateMath> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, [](StringRef name) {
      return name == math::ExpOp::getOperationName() ||
             name == math::LogOp::getOperationName() ||
             name == math::TanhOp::getOperationName() ||
             name == math::ErfOp::getOperationName();
    });
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace
