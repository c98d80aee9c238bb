//===- DecomposeComposites.cpp - composite ops as primitive ones ----------===//
//
// The pass that writes out the composite ops that nobody took whole.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Simplify/Decompositions.h"
#include "mindir/Transforms/Simplify/Passes.h"

#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITES
#include "mindir/Transforms/Simplify/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

namespace {

struct DecomposeComposites
    : mlir::mindir::impl::DecomposeCompositesBase<DecomposeComposites> {
  using DecomposeCompositesBase::DecomposeCompositesBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecompositionPatterns(patterns, keepChecked);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace
