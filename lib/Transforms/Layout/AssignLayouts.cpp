//===- AssignLayouts.cpp - channels-last where convolutions are -----------===//
//
// Chooses and writes the layouts of a module's images.
//
//===----------------------------------------------------------------------===//

#include "LayoutProblem.h"
#include "LayoutRewriter.h"

#include "mindir/Dialect/MindIR/IR/MindIR.h"
#include "mindir/Transforms/Layout/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "mindir/Transforms/Layout/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// From [batch, channels, height, width] to [batch, height, width, channels].
static constexpr int64_t kChannelsLast[] = {0, 2, 3, 1};

namespace {

struct AssignLayouts : mlir::mindir::impl::AssignLayoutsBase<AssignLayouts> {
  void runOnOperation() override {
    LayoutProblem problem(getOperation(), kChannelsLast);
    if (!problem.hasWish())
      return markAllAnalysesPreserved();
    problem.solve();
    LayoutRewriter rewriter(problem, kChannelsLast, &getContext());
    for (auto function : getOperation().getOps<func::FuncOp>())
      rewriter.rewrite(function);
  }
};

} // namespace
