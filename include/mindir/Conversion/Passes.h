//===- Passes.h - conversion passes ---------------------------------------===//
//
// Passes that leave the mindir dialect.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_CONVERSION_PASSES_H
#define MINDIR_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
class ModuleOp;
namespace mindir {

#define GEN_PASS_DECL
#include "mindir/Conversion/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "mindir/Conversion/Passes.h.inc"

} // namespace mindir
} // namespace mlir

#endif // MINDIR_CONVERSION_PASSES_H
