//===- RunCompiled.h - compiled code on the interpreter's tensors ---------===//
//
// Lets ms-run run a function compiled, and compare it with the reference.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_TOOLS_RUNCOMPILED_H
#define MINDIR_TOOLS_RUNCOMPILED_H

#include "mindir/Reference/Interpreter.h"

namespace mlir::mindir {

/// Compiles function `entry` of the module, and runs it. Results are as the
/// interpreter's: the new value of an argument is given too.
llvm::Expected<SmallVector<reference::RuntimeValue>>
runCompiled(ModuleOp module, StringRef entry,
            ArrayRef<reference::RuntimeValue> arguments);

/// Fails at the first element of a tensor that differs from the expected one's: of
/// floats by more than `tolerance * max(1, |expected|)`, NaN being equal to NaN; of
/// others at all.
llvm::Error compareResults(ArrayRef<reference::RuntimeValue> actual,
                           ArrayRef<reference::RuntimeValue> expected,
                           double tolerance);

} // namespace mlir::mindir

#endif // MINDIR_TOOLS_RUNCOMPILED_H
