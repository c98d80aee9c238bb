//===- Passes.h - passes of the Simplify phase ------------------------------===//
//
// Passes that make a program smaller or plainer, on mindir ops.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_SIMPLIFY_PASSES_H
#define MINDIR_TRANSFORMS_SIMPLIFY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {

namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/Simplify/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/Simplify/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_SIMPLIFY_PASSES_H
