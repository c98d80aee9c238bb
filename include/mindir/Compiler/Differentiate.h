//===- Differentiate.h - a module split into forward and backward ---------===//
//
// Reverse mode for eager execution: the two functions that a tape calls, as
// modules of their own.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_DIFFERENTIATE_H
#define MINDIR_COMPILER_DIFFERENTIATE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace mlir::mindir {

/// Where an argument of the backward function comes from.
struct SavedValue {
  /// An argument of the forward function, else one of its results.
  bool isArgument;
  unsigned index;
};

struct DerivativeModules {
  /// The module of `@<entry>.fwd`: the arguments to the results, then
  /// `numResiduals` residuals.
  std::string forward;
  /// The module of `@<entry>.bwd`: the values in `saved`, then the cotangents of
  /// the results in `cotangents`, to the cotangents of the arguments asked for.
  std::string backward;
  unsigned numResiduals = 0;
  std::vector<SavedValue> saved;
  std::vector<unsigned> cotangents;
};

/// Differentiates the function `entry` of a module text with respect to the
/// arguments `wrt`. Where a residual cannot leave a function (a loop's tape), the
/// backward function takes the arguments and computes the residuals again. Fails for an op without a rule, which the error names.
llvm::Expected<DerivativeModules> differentiate(llvm::StringRef text,
                                                llvm::StringRef entry,
                                                llvm::ArrayRef<int64_t> wrt);

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_DIFFERENTIATE_H
