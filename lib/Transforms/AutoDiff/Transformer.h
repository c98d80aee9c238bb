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
#include "VMap.h"

namespace mlir::mindir {

/// Resolves the function transformations of one module.
class Transformer {
public:
  explicit Transformer(ModuleOp module)
      : symbols(module), reverse(module, symbols), forward(symbols), vmap(symbols) {}

  /// Replaces the transformations in `functions` and in all functions that they call
  /// or transform, those in callees first; every vmap before every derivative, as a
  /// derivative over lanes is the derivative of a function over lanes, whereas a tape
  /// has no lanes.
  LogicalResult resolve(ArrayRef<func::FuncOp> functions);

  SymbolTable &getSymbols() { return symbols; }
  ReverseMode &getReverseMode() { return reverse; }

private:
  using States = llvm::DenseMap<Operation *, bool>;
  using Replace = function_ref<LogicalResult(Operation *, func::FuncOp)>;
  LogicalResult visit(func::FuncOp function, States &states, Replace replace);
  LogicalResult visitReachable(func::FuncOp function, States &states,
                               Replace replace);
  LogicalResult replace(VJPOp op, func::FuncOp callee);
  LogicalResult replace(JVPOp op, func::FuncOp callee);
  LogicalResult replace(VMapOp op, func::FuncOp callee);

  SymbolTable symbols;
  ReverseMode reverse;
  ForwardMode forward;
  VMapMode vmap;
  /// Functions being visited (false) and done (true), for vmap and for derivatives.
  States mapped, differentiated;
};

} // namespace mlir::mindir

#endif // MINDIR_LIB_TRANSFORMS_AUTODIFF_TRANSFORMER_H
