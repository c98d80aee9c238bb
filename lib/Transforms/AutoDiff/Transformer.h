//===- Transformer.h - function transformations of a module ---------------===//
//
// What the resolving pass and the C++ entry share: resolution of a function and of
// all that it reaches.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TRANSFORMS_AUTODIFF_TRANSFORMER_H
#define MINDIR_LIB_TRANSFORMS_AUTODIFF_TRANSFORMER_H

#include "ForwardMode.h"
#include "ReverseMode.h"

namespace mlir::mindir {

/// Resolves the function transformations of one module.
class Transformer {
public:
  explicit Transformer(ModuleOp module)
      : symbols(module), reverse(module, symbols), forward(symbols) {}

  /// Replaces the transformations in `function` and in all functions that it calls
  /// or transforms, those in callees first.
  LogicalResult resolve(func::FuncOp function);

  SymbolTable &getSymbols() { return symbols; }
  ReverseMode &getReverseMode() { return reverse; }

private:
  LogicalResult resolveReachable(func::FuncOp function);
  LogicalResult replace(VJPOp op, func::FuncOp callee);
  LogicalResult replace(JVPOp op, func::FuncOp callee);

  SymbolTable symbols;
  ReverseMode reverse;
  ForwardMode forward;
  /// Functions under resolution (false) and resolved (true).
  llvm::DenseMap<Operation *, bool> states;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_TRANSFORMER_H
