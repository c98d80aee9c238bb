//===- Errors.h - diagnostics and failures as Python exceptions -*- C++ -*-===//
//
// Collects MLIR's diagnostics and raises them as the Python exceptions that
// users of MindSpore catch. A text that starts with the tag "TypeError: ",
// "ValueError: " or "IndexError: " gives that exception; others RuntimeError.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_ERRORS_H
#define MINDIR_BINDINGS_PYTHON_ERRORS_H

#include "mindir/Compiler/Diagnostics.h"
#include "mindir/Runtime/Status.h"

#include <string>

namespace mlir::mindir::python {

/// A failure on its way to Python: `type` is one of the Python C API's exception
/// objects, kept as an opaque pointer here.
class PythonError : public std::exception {
public:
  PythonError(void *type, std::string message)
      : type(type), message(std::move(message)) {}
  void *getType() const { return type; }
  const char *what() const noexcept override { return message.c_str(); }

private:
  void *type;
  std::string message;
};

/// Throws the exception that the tag of `message` names, without the tag.
[[noreturn]] void raiseTagged(std::string message);
[[noreturn]] void raiseTypeError(std::string message);
[[noreturn]] void raiseValueError(std::string message);

/// Throws the exception of a failed status.
void raiseStatus(const mindrt::Status &status);

/// Throws the exception that an error of the compiler stands for.
void raiseError(llvm::Error error);

/// Catches the diagnostics that its context emits while it lives.
class DiagnosticCollector : public DiagnosticText {
public:
  using DiagnosticText::DiagnosticText;
  /// Throws what was collected, or `fallback` when nothing was.
  [[noreturn]] void raise(StringRef fallback);
};

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_ERRORS_H
