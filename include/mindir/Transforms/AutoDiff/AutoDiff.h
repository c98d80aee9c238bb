//===- AutoDiff.h - derivatives of functions ------------------------------===//
//
// Registration of the derivative rules, and reverse mode as a C++ entry.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TRANSFORMS_AUTODIFF_AUTODIFF_H
#define MINDIR_TRANSFORMS_AUTODIFF_AUTODIFF_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace mlir::mindir {

/// Attaches the VJP and JVP rules of every differentiable op.
void registerAutoDiffRules(DialectRegistry &registry);

/// Where a leading argument of a backward function comes from.
struct ResidualSource {
  enum class Kind {
    Argument, ///< argument `index` of the forward function
    Result,   ///< result `index` of the forward function, one the primal has too
    Residual, ///< result `index` of the forward function, past the primal's
  };
  Kind kind;
  unsigned index;
};

/// A function's forward and backward functions.
struct GradientFunctions {
  /// `(arguments) -> (the primal's results, residuals)`.
  func::FuncOp forward;
  /// `(residuals, cotangents) -> (cotangents of wrt)`: `residuals.size()`
  /// arguments, then one cotangent per result in `cotangentResults`.
  func::FuncOp backward;
  /// The sources of backward's leading arguments, in order.
  SmallVector<ResidualSource> residuals;
  /// The number of results that forward has past the primal's.
  unsigned numResiduals = 0;
  /// Indices of the results whose cotangents backward takes: the float ones that
  /// update no Parameter.
  SmallVector<unsigned> cotangentResults;
};

/// Builds `@<entry>.fwd` and `@<entry>.bwd` for the cotangents of the arguments
/// `wrt`, which must be float tensors (or tapes), next to @entry; function
/// transformations that @entry reaches are resolved first. On failure an error was
/// emitted, and the module may hold unfinished functions.
FailureOr<GradientFunctions> buildGradientFunctions(ModuleOp module,
                                                    StringRef entry,
                                                    ArrayRef<int64_t> wrt);

} // namespace mlir::mindir

#endif // MINDIR_TRANSFORMS_AUTODIFF_AUTODIFF_H
