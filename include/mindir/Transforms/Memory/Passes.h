//===- Passes.h - passes of the Memory phase ------------------------------===//
//
// Passes that decide in which buffer each value lives.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_MEMORY_PASSES_H
#define MINDIR_TRANSFORMS_MEMORY_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Transforms/Memory/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Transforms/Memory/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_TRANSFORMS_MEMORY_PASSES_H
