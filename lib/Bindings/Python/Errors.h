//===- Errors.h - diagnostics and failures as Python exceptions -*- C++ -*-===//
//
// Collects MLIR's diagnostics and raises them as the Python exceptions that
// users of MindSpore catch. A text that starts with the tag "TypeError: ",
// "ValueError: " or "IndexError: " gives that exception; others RuntimeError.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_ERRORS_H
#define MINDIR_BINDINGS_PYTHON_ERRORS_H

#include "mindir/Runtime/Status.h"

#include "mlir/IR/Diagnostics.h"

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

/// Catches the diagnostics that its context emits while it lives.
class DiagnosticCollector {
public:
  explicit DiagnosticCollector(MLIRContext *context);

  /// The texts of the errors so far, with notes and known source lines.
  const std::string &getText() const { return text; }
  void clear() { text.clear(); }
  /// Throws what was collected, or `fallback` when nothing was.
  [[noreturn]] void raise(StringRef fallback);

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// "file:line:column" of the innermost source position in `location`, or "".
std::string describeLocation(Location location);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_ERRORS_H
