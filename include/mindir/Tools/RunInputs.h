//===- RunInputs.h - the arguments of a run -------------------------------===//
//
// Makes tensors for a function's arguments from files, text or a seed.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_RUNINPUTS_H
#define MINDIR_TOOLS_RUNINPUTS_H

#include "mindir/Reference/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::mindir {

/// How ms-run's inputs were given.
struct RunInputs {
  /// One per argument, or none: a `.npy` path, or an elements attribute as text.
  std::vector<std::string> inputs;
  /// Folder of files `<function>.<argument>.npy`; empty for none.
  std::string directory;
  /// What random inputs, of arguments that nothing else gives, start from.
  uint64_t seed = 0;
  /// The size that random inputs have where the type does not know it.
  int64_t dynamicSize = 3;
};

/// The tensors for the function's arguments, to be of `types`. Floats are random in
/// [-1, 1), integers in [0, 8). An argument that is no tensor is an error.
llvm::Expected<SmallVector<reference::RuntimeValue>>
makeArguments(func::FuncOp function, TypeRange types, const RunInputs &inputs);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_RUNINPUTS_H
