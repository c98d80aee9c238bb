//===- Decompositions.h - composite ops as primitive ones -----------------===//
//
// The decomposition of each composite op, for the pass and for whoever wants one.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_SIMPLIFY_DECOMPOSITIONS_H
#define MINDIR_TRANSFORMS_SIMPLIFY_DECOMPOSITIONS_H

#include "mindir/Dialect/MindIR/IR/MindIR.h"

namespace mlir::mindir {

/// Each builds primitive ops at the insertion point that compute the results of
/// `op`, and returns them in order; `op` stays.
SmallVector<Value> decompose(OpBuilder &builder, SoftmaxOp op);
SmallVector<Value> decompose(OpBuilder &builder, LogSoftmaxOp op);
/// A row whose label lies out of range gives zero.
SmallVector<Value> decompose(OpBuilder &builder, CrossEntropyOp op);
SmallVector<Value> decompose(OpBuilder &builder, BatchNormTrainingOp op);
SmallVector<Value> decompose(OpBuilder &builder, BatchNormInferenceOp op);

/// Rewrites every composite op; with `keepChecked` not those that check their
/// operands when run.
void populateDecompositionPatterns(RewritePatternSet &patterns, bool keepChecked);

} // namespace mlir::mindir

#endif // MINDIR_TRANSFORMS_SIMPLIFY_DECOMPOSITIONS_H
