//===- VerifyFusion.cpp - the Fusion phase's contract ---------------------===//
//
// Verifies that kernels are what the phases behind can compute well.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Fusion/Passes.h"

#include "mindir/Analysis/VectorBody.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_VERIFYFUSION
#include "mindir/Transforms/Fusion/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// An elementwise result beside a reduced one, in loops that threads cannot share.
static LogicalResult verifyResults(linalg::GenericOp op) {
  SmallVector<AffineMap> outputs;
  for (OpOperand &init : op.getDpsInitsMutable())
    outputs.push_back(op.getMatchingIndexingMap(&init));
  bool isMixed = llvm::any_of(outputs, coversDomain) &&
                 !llvm::all_of(outputs, coversDomain);
  if (!isMixed)
    return success();
  if (!getVectorLanes(op))
    return op.emitOpError("has elementwise and reduced results, and a body that does "
                          "not run on vectors: one thread would run it");
  if (!haveCommonLoops(outputs, op.getNumLoops() - 1))
    return op.emitOpError("has results that no one nest of loops computes");
  return success();
}

namespace {

struct VerifyFusion : mlir::mindir::impl::VerifyFusionBase<VerifyFusion> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](linalg::LinalgOp op) {
      if (!op.hasPureTensorSemantics()) {
        op->emitOpError("is not on tensors behind the Fusion phase");
        return WalkResult::interrupt();
      }
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      return WalkResult(generic ? verifyResults(generic) : success());
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
