//===- PythonCapture.h - modules of Python functions ------------*- C++ -*-===//
//
// `ms-compile file.py:function` starts Python with the package mindir, which
// captures the function into a module.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_LIB_TOOLS_MSCOMPILE_PYTHONCAPTURE_H
#define MINDIR_LIB_TOOLS_MSCOMPILE_PYTHONCAPTURE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::mindir {

/// The name of the function in a captured module that is to be compiled.
inline constexpr llvm::StringLiteral kCapturedEntry = "exported";

struct PythonCapture {
  /// "file.py:function".
  std::string target;
  /// The interpreter; empty: that beside this program, else python3.
  std::string interpreter;
  /// Types of the arguments, "float32[2,?]"; none: the file's own example.
  std::vector<std::string> inputs;
  /// The file's name for the example arguments; may be empty.
  std::string example;
  /// "constants" or "arguments".
  std::string parameters;
};

/// Whether `input` names a function of a Python file: "file.py:function".
bool isPythonFunction(llvm::StringRef input);

/// The text of a module whose function `kCapturedEntry` is the captured one. What
/// the capture has to say goes to stderr.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
capturePython(const PythonCapture &capture);

} // namespace mlir::mindir

#endif // MINDIR_LIB_TOOLS_MSCOMPILE_PYTHONCAPTURE_H
