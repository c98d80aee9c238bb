//===- RunMain.h - the driver of ms-run -----------------------------------===//
//
// Runs functions of a MindIR file on given or random inputs.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_RUNMAIN_H
#define MINDIR_TOOLS_RUNMAIN_H

#include "mlir/Support/LLVM.h"

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::mindir {

/// Parses the command line and runs; failure after a diagnostic. `registry` holds
/// the dialects that the file may use.
LogicalResult runMain(int argc, char **argv, DialectRegistry &registry);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_RUNMAIN_H
