//===- Activity.h - which values a derivative concerns --------------------===//
//
// Dependence of values on chosen arguments, and of results on values.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_ACTIVITY_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_ACTIVITY_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseSet.h"

namespace mlir::mindir {

/// Whether the op's results do not depend on its operands as far as derivatives
/// go: it is piecewise constant, or a constant by request.
bool hasZeroDerivative(Operation *op);

/// Values, in nested regions too, that depend differentiably on the arguments
/// `wrt` of `function`. A call's results are taken to depend on all its operands.
/// With `allTapes`, every tape counts (forward mode keeps a tangent tape for each).
llvm::DenseSet<Value> computeVaried(func::FuncOp function,
                                    ArrayRef<unsigned> wrt,
                                    bool allTapes = false);

/// Varied values on which the varied values in `seeds`, all in or above `block`,
/// depend through the ops of `block`; the seeds are among them. Nested regions
/// count as one op.
llvm::DenseSet<Value> computeUseful(Block &block, ArrayRef<Value> seeds,
                                    const llvm::DenseSet<Value> &varied);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_ACTIVITY_H
