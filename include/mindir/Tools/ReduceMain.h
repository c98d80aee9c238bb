//===- ReduceMain.h - the driver of ms-reduce -----------------------------===//
//
// Shrinks a module while a script finds it interesting.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_REDUCEMAIN_H
#define MINDIR_TOOLS_REDUCEMAIN_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::mindir {

/// Parses the command line and reduces; failure after a diagnostic.
LogicalResult reduceMain(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_REDUCEMAIN_H
