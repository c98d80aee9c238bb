//===- LowerKernelsToLoops.cpp - linalg ops on buffers as loops -----------===//
//
// Emits every linalg op and buffer copy of a module as loops.
//
//===----------------------------------------------------------------------===//

#include "mindir/Codegen/CPU/Passes.h"

#include "LoopEmitter.h"
#include "VectorEmitter.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace mlir::mindir {
#define GEN_PASS_DEF_LOWERKERNELSTOLOOPS
#include "mindir/Codegen/CPU/Passes.h.inc"
} // namespace mlir::mindir

using namespace mlir;
using namespace mlir::mindir;

/// A copy as a loop nest; one that `memcpy` can do is left.
static void generalizeCopy(IRRewriter &rewriter, memref::CopyOp op) {
  auto source = cast<MemRefType>(op.getSource().getType());
  auto target = cast<MemRefType>(op.getTarget().getType());
  if (source.getLayout().isIdentity() && target.getLayout().isIdentity())
    return;
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps(2,
                              rewriter.getMultiDimIdentityMap(source.getRank()));
  SmallVector<utils::IteratorType> iterators(source.getRank(),
                                             utils::IteratorType::parallel);
  linalg::GenericOp::create(rewriter, op.getLoc(), op.getSource(),
                            op.getTarget(), maps, iterators,
                            [](OpBuilder &b, Location loc, ValueRange args) {
                              linalg::YieldOp::create(b, loc, args[0]);
                            });
  rewriter.eraseOp(op);
}

namespace {

struct LowerKernelsToLoops
    : mlir::mindir::impl::LowerKernelsToLoopsBase<LowerKernelsToLoops> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    SmallVector<memref::CopyOp> copies;
    getOperation().walk([&](memref::CopyOp op) { copies.push_back(op); });
    for (memref::CopyOp op : copies)
      generalizeCopy(rewriter, op);
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops)
      if (failed(lower(rewriter, op)))
        return signalPassFailure();
  }

private:
  static LogicalResult lower(IRRewriter &rewriter, linalg::LinalgOp op) {
    if (!op.hasPureBufferSemantics())
      return op.emitError("expected a linalg op on buffers; bufferize first");
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic) {
      rewriter.setInsertionPoint(op);
      FailureOr<linalg::GenericOp> made =
          linalg::generalizeNamedOp(rewriter, op);
      if (failed(made))
        return op.emitError("has no loops");
      generic = *made;
    }
    rewriter.setInsertionPoint(generic);
    LoopNest nest(rewriter, generic);
    nest.collapse(rewriter);
    VectorEmitter vectors(rewriter, nest);
    if (vectors.analyze())
      vectors.emit();
    else
      LoopEmitter(rewriter, nest).emit();
    rewriter.eraseOp(generic);
    return success();
  }
};

} // namespace
