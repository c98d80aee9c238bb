//===- SeparateFills.cpp - one fill for each use --------------------------===//
//
// Gives each op that accumulates into a filled tensor a fill of its own.
//
//===----------------------------------------------------------------------===//

#include "mindir/Transforms/Memory/Passes.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_SEPARATEFILLS
#include "mindir/Transforms/Memory/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// A fill of a fresh tensor directly before the op that uses it.
static void cloneForUse(IRRewriter &rewriter, linalg::FillOp fill,
                        tensor::EmptyOp empty, OpOperand &use) {
  rewriter.setInsertionPoint(use.getOwner());
  Value fresh = rewriter.clone(*empty)->getResult(0);
  auto clone = linalg::FillOp::create(rewriter, fill.getLoc(),
                                      fill.getInputs(), ValueRange(fresh));
  rewriter.modifyOpInPlace(use.getOwner(),
                           [&] { use.set(clone.getResult(0)); });
}

namespace {

struct SeparateFills
    : mlir::mindir::impl::SeparateFillsBase<SeparateFills> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<linalg::FillOp> fills;
    getOperation()->walk([&](linalg::FillOp op) { fills.push_back(op); });
    for (linalg::FillOp fill : fills)
      separate(rewriter, fill);
    SmallVector<tensor::EmptyOp> empties;
    getOperation()->walk([&](tensor::EmptyOp op) { empties.push_back(op); });
    for (tensor::EmptyOp empty : empties)
      moveIntoBlocks(rewriter, empty);
  }

private:
  /// Gives a use in a region below an empty tensor there: one made outside of a loop
  /// would be one buffer for all iterations, and yielded values copies of it.
  static void moveIntoBlocks(IRRewriter &rewriter, tensor::EmptyOp empty) {
    for (OpOperand &use : llvm::make_early_inc_range(empty->getUses())) {
      if (use.getOwner()->getBlock() == empty->getBlock())
        continue;
      rewriter.setInsertionPoint(use.getOwner());
      Value fresh = rewriter.clone(*empty)->getResult(0);
      rewriter.modifyOpInPlace(use.getOwner(), [&] { use.set(fresh); });
    }
    if (empty->use_empty())
      rewriter.eraseOp(empty);
  }

  static void separate(IRRewriter &rewriter, linalg::FillOp fill) {
    if (!fill.hasPureTensorSemantics())
      return;
    auto empty = fill.getOutputs()[0].getDefiningOp<tensor::EmptyOp>();
    if (!empty)
      return;
    for (OpOperand &use :
         llvm::make_early_inc_range(fill.getResult(0).getUses())) {
      auto style = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      if (style && style.isDpsInit(&use))
        cloneForUse(rewriter, fill, empty, use);
    }
    if (fill->use_empty())
      rewriter.eraseOp(fill);
  }
};

} // namespace
