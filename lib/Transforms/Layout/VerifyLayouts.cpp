//===- VerifyLayouts.cpp - the contract of the Layout phase ---------------===//
//
// Checks that every convolution is channels-last and that transposes do not meet.
//
//===----------------------------------------------------------------------===//

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Interfaces/LayoutOpInterface.h"
#include "mindir/Transforms/Layout/Passes.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_VERIFYLAYOUTS
#include "mindir/Transforms/Layout/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

static LogicalResult verifyLayout(Operation *op) {
  if (auto layout = dyn_cast<LayoutOpInterface>(op))
    if (layout.wantsChannelsLast())
      return op->emitOpError("expected channels-last images after the Layout phase; "
                             "run mindir-assign-layouts first");
  if (auto transpose = dyn_cast<TransposeOp>(op))
    if (transpose.getInput().getDefiningOp<TransposeOp>())
      return op->emitOpError("expected no transpose of a transpose after the Layout "
                             "phase; canonicalize first");
  return success();
}

namespace {

struct VerifyLayouts : mlir::mindir::impl::VerifyLayoutsBase<VerifyLayouts> {
  void runOnOperation() override {
    WalkResult result = getOperation()->walk([](Operation *op) {
      return failed(verifyLayout(op)) ? WalkResult::interrupt()
                                      : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};

} // namespace
