//===- LayoutOpInterface.h - ops on permuted images -----------------------===//
//
// C++ face of LayoutOpInterface.td.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_INTERFACES_LAYOUTOPINTERFACE_H
#define MINDIR_INTERFACES_LAYOUTOPINTERFACE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::mindir {

/// Which operands and results of an op are transposed with it, one flag each.
struct LayoutCarriers {
  SmallVector<bool> operands, results;
  /// Whether there is one.
  bool any() const {
    return llvm::is_contained(operands, true) || llvm::is_contained(results, true);
  }
};

} // namespace mlir::mindir

#include "mindir/Interfaces/LayoutOpInterface.h.inc"

#endif // MINDIR_INTERFACES_LAYOUTOPINTERFACE_H
