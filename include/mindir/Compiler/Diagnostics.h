//===- Diagnostics.h - diagnostics as one tagged text ---------------------===//
//
// Collects what MLIR's passes and verifiers say. A text may start with a tag,
// "TypeError: ", "ValueError: " or "IndexError: ": the exception that it becomes
// in Python.
//
//===----------------------------------------------------------------------===//

#ifndef MINDIR_COMPILER_DIAGNOSTICS_H
#define MINDIR_COMPILER_DIAGNOSTICS_H

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/Error.h"

#include <string>

namespace mlir::mindir {

/// Catches the diagnostics that its context emits while it lives.
class DiagnosticText {
public:
  explicit DiagnosticText(MLIRContext *context);

  /// The texts of the errors so far, with notes and known source positions.
  const std::string &get() const { return text; }
  void clear() { text.clear(); }
  /// What was collected, or `fallback` when nothing was, as an error.
  llvm::Error takeError(const llvm::Twine &fallback);

private:
  std::string text;
  ScopedDiagnosticHandler handler;
};

/// "file:line:column" of the innermost source position in `location`, or "".
std::string describePosition(Location location);

} // namespace mlir::mindir

#endif // MINDIR_COMPILER_DIAGNOSTICS_H
