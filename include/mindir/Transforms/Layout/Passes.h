//===- Passes.h - passes of the Layout phase ------------------------------===//
//
// Passes that choose the order in which dimensions lie in memory.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_LAYOUT_PASSES_H
#define MINDIR_TRANSFORMS_LAYOUT_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class DialectRegistry;

namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/Layout/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/Layout/Passes.h.inc"

/// Attaches `LayoutOpInterface` to mindir ops, and to `tensor.dim` and `tensor.cast`.
void registerLayoutRules(DialectRegistry &registry);

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_LAYOUT_PASSES_H
