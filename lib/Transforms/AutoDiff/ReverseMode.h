//===- ReverseMode.h - forward and backward functions ---------------------===//
//
// Derives a function's forward and backward functions, each choice of arguments
// and cotangents once.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSEMODE_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSEMODE_H

#include "ReverseScope.h"

#include "mlir/IR/SymbolTable.h"

#include <map>

namespace mlir::mindir {

/// Which derivative of a function is asked for.
struct ReverseKey {
  /// The primal function.
  StringAttr function;
  /// Arguments whose cotangents are wanted.
  SmallVector<unsigned> wrt;
  /// Results whose cotangents are given; those of the others are zero.
  SmallVector<unsigned> cotangents;
  /// Whether all residuals go on a tape that the functions take and give last.
  bool isTaped = false;

  bool operator<(const ReverseKey &other) const;
};

/// `forward`: arguments (, tape) -> results, residuals (, tape).
/// `backward`: residuals, cotangents (, tape) -> cotangents of wrt (, tape).
struct ReversePair {
  func::FuncOp forward, backward;
  SmallVector<ResidualSource> sources;
};

/// Reverse mode over the functions of one module.
class ReverseMode {
public:
  ReverseMode(ModuleOp module, SymbolTable &symbols)
      : module(module), symbols(symbols) {}

  /// Derives, or finds, a pair. Functions that @function reaches must be free of
  /// function transformations.
  FailureOr<ReversePair> derive(const ReverseKey &key);

  /// Reverses the ops of a scope's block, last to first; the cotangents of what the
  /// terminator hands out have been given.
  LogicalResult reverse(ReverseScope &scope);

private:
  FailureOr<ReversePair> build(const ReverseKey &key, func::FuncOp primal);
  LogicalResult buildBodies(const ReverseKey &key, ReversePair &pair);
  LogicalResult reverse(ReverseScope &scope, Operation *op);
  LogicalResult reverseByRule(ReverseScope &scope, Operation *op);
  LogicalResult reverseCall(ReverseScope &scope, func::CallOp op);
  bool isRecursive(func::FuncOp function);

  ModuleOp module;
  SymbolTable &symbols;
  std::map<ReverseKey, ReversePair> pairs;
};

/// Reverses structured control flow. Defined in ReverseControlFlow.cpp.
LogicalResult reverseIf(ReverseMode &mode, ReverseScope &scope, scf::IfOp op);
LogicalResult reverseFor(ReverseMode &mode, ReverseScope &scope, scf::ForOp op);
LogicalResult reverseWhile(ReverseMode &mode, ReverseScope &scope,
                           scf::WhileOp op);

/// Brings every `scf.while` of a function into the form that reverse mode takes:
/// its condition region hands on arguments of its own, unchanged. Where it computes
/// what it hands on, the region is run once ahead, and then after each iteration.
void rotateLoops(func::FuncOp function);

/// Emits the error for an op on the path of a derivative that has no rule.
LogicalResult emitNoRule(Operation *op, StringRef mode);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_REVERSEMODE_H
