//===- Errors.cpp - diagnostics and failures as Python exceptions ---------===//
//
// Reads the tags of diagnostics, and rewords what upstream's generated
// verifiers say into MindSpore's lead.
//
//===----------------------------------------------------------------------===//
#include "Errors.h"

#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <pybind11/pybind11.h>

using namespace mlir;
using namespace mlir::mindir::python;

void mlir::mindir::python::raiseTypeError(std::string message) {
  throw PythonError(PyExc_TypeError, std::move(message));
}

void mlir::mindir::python::raiseValueError(std::string message) {
  throw PythonError(PyExc_ValueError, std::move(message));
}

static void *getExceptionType(mindrt::ErrorCode code) {
  switch (code) {
  case mindrt::ErrorCode::Type:
    return PyExc_TypeError;
  case mindrt::ErrorCode::Value:
    return PyExc_ValueError;
  case mindrt::ErrorCode::Index:
    return PyExc_IndexError;
  case mindrt::ErrorCode::Memory:
    return PyExc_MemoryError;
  case mindrt::ErrorCode::Interrupt:
    return PyExc_KeyboardInterrupt;
  default:
    return PyExc_RuntimeError;
  }
}

void mlir::mindir::python::raiseStatus(const mindrt::Status &status) {
  if (!status.ok())
    throw PythonError(getExceptionType(status.getCode()), status.getMessage());
}

/// `'mindir.reduce_sum' op operand #0 must be ...` becomes `TypeError: For
/// 'ReduceSum', operand #0 must be ...`; other texts stay.
static std::string reword(StringRef text) {
  StringRef rest = text;
  if (!rest.consume_front("'"))
    return text.str();
  auto [name, tail] = rest.split("' ");
  tail.consume_front("op ");
  for (StringRef tag : {"TypeError: ", "ValueError: ", "IndexError: "})
    if (tail.starts_with(tag))
      return tail.str();
  bool isTypeError = tail.starts_with("operand #") ||
                     tail.starts_with("expected ") ||
                     tail.starts_with("requires ") ||
                     tail.starts_with("attribute ");
  if (!isTypeError || !name.consume_front("mindir."))
    return text.str();
  return "TypeError: For '" +
         llvm::convertToCamelFromSnakeCase(name, /*capitalizeFirst=*/true) +
         "', " + tail.str();
}

void mlir::mindir::python::raiseTagged(std::string message) {
  StringRef text = message;
  if (text.consume_front("TypeError: "))
    throw PythonError(PyExc_TypeError, text.str());
  if (text.consume_front("ValueError: "))
    throw PythonError(PyExc_ValueError, text.str());
  if (text.consume_front("IndexError: "))
    throw PythonError(PyExc_IndexError, text.str());
  throw PythonError(PyExc_RuntimeError, std::move(message));
}

std::string mlir::mindir::python::describeLocation(Location location) {
  auto file = location->findInstanceOf<FileLineColLoc>();
  if (!file)
    return "";
  return (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
          Twine(file.getColumn()))
      .str();
}

static void append(std::string &text, Diagnostic &diagnostic) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return;
  if (!text.empty())
    text += '\n';
  text += reword(diagnostic.str());
  std::string position = describeLocation(diagnostic.getLocation());
  if (!position.empty())
    text += "\n  at " + position;
  for (Diagnostic &note : diagnostic.getNotes())
    if (!StringRef(note.str()).starts_with("see current operation"))
      text += "\n  note: " + note.str();
}

DiagnosticCollector::DiagnosticCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        append(text, diagnostic);
        return success();
      }) {}

void DiagnosticCollector::raise(StringRef fallback) {
  raiseTagged(text.empty() ? fallback.str() : std::move(text));
}
