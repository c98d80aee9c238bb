//===- Passes.h - automatic differentiation passes ------------------------===//
//
// The passes and the pipeline of the AutoDiff phase.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_AUTODIFF_PASSES_H
#define MINDIR_TRANSFORMS_AUTODIFF_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/AutoDiff/Passes.h.inc"

/// The AutoDiff phase: resolves every function transformation, drops functions
/// that nothing uses any more, and verifies that no transformation is left.
void buildAutoDiffPipeline(OpPassManager &passManager);

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/AutoDiff/Passes.h.inc"

} // namespace mlir::mindir

#endif // MINDIR_TRANSFORMS_AUTODIFF_PASSES_H
