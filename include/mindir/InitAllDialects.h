//===- InitAllDialects.h - registration of all dialects -------------------===//
//
// The one place where the dialects of a tool are registered.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INITALLDIALECTS_H
#define MINDIR_INITALLDIALECTS_H

#include "mlir/IR/DialectRegistry.h"

namespace mlir::mindir {

/// Registers the mindir dialect, its extensions, and every upstream dialect.
void registerAllDialects(DialectRegistry &registry);

} // namespace mlir::mindir

#endif // MINDIR_INITALLDIALECTS_H
