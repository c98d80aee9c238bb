//===- VerifyResolved.cpp - the AutoDiff phase's contract -----------------===//
//
// The pass `mindir-verify-resolved`.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/AutoDiff/Passes.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_MINDIRVERIFYRESOLVED
#include "mindir/Transforms/AutoDiff/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {
struct VerifyResolved : mindir::impl::MindIRVerifyResolvedBase<VerifyResolved> {
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (!isa<VJPOp, JVPOp, VMapOp>(op))
        return;
      op->emitError("expected every function transformation to be resolved, but '")
          << op->getName() << "' is left; run mindir-resolve-transforms first";
      signalPassFailure();
    });
  }
};
} // namespace
