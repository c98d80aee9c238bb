//===- CompileMain.h - the driver of ms-compile ---------------------------===//
//
// Ahead-of-time compilation of a MindIR file for C programs.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_COMPILEMAIN_H
#define MINDIR_TOOLS_COMPILEMAIN_H

#include "mlir/Support/LLVM.h"

namespace mlir::mindir {

/// Parses the command line and compiles; failure after a message on stderr.
LogicalResult compileMain(int argc, char **argv);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_COMPILEMAIN_H
