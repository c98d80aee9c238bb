//===- Passes.h - passes of the Parallel phase ----------------------------===//
//
// Passes that distribute a module over a device grid.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_PARALLEL_PASSES_H
#define MINDIR_TRANSFORMS_PARALLEL_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/Parallel/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/Parallel/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_PARALLEL_PASSES_H
