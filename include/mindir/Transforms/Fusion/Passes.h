//===- Passes.h - passes of the Fusion phase ------------------------------===//
//
// Passes that join ops into kernels.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_FUSION_PASSES_H
#define MINDIR_TRANSFORMS_FUSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {

namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/Fusion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/Fusion/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_FUSION_PASSES_H
