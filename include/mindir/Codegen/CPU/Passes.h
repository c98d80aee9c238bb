//===- Passes.h - code generation for CPUs --------------------------------===//
//
// Passes from loops on buffers to the LLVM dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CODEGEN_CPU_PASSES_H
#define MINDIR_CODEGEN_CPU_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Codegen/CPU/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Codegen/CPU/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_CODEGEN_CPU_PASSES_H
