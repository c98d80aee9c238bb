//===- VerifyVectorMath.cpp - no function is computed element by element --===//
//
// Verifies that vectors reach the LLVM dialect with operations that processors have.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_VERIFYVECTORMATH
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct VerifyVectorMath
    : mlir::mindir::impl::VerifyVectorMathBase<VerifyVectorMath> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      bool isOnVectors =
          op->getNumResults() && isa<VectorType>(op->getResult(0).getType());
      if (!isOnVectors || !isa<math::MathDialect>(op->getDialect()) ||
          isa<math::AbsFOp, math::SqrtOp, math::RsqrtOp, math::FloorOp,
              math::CeilOp, math::TruncOp, math::RoundEvenOp,
              math::CopySignOp, math::FmaOp>(op))
        return WalkResult::advance();
      op->emitOpError("would be called for each element of a vector: its kernel is "
                      "to be made of loops of elements");
      return WalkResult::interrupt();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
