//===- Errors.cpp - diagnostics and failures as Python exceptions ---------===//
//
// Reads the tags of texts.
//
//===----------------------------------------------------------------------===//
#include "Errors.h"

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
  case mindrt::ErrorCode::Recursion:
    return PyExc_RecursionError;
  default:
    return PyExc_RuntimeError;
  }
}

void mlir::mindir::python::raiseStatus(const mindrt::Status &status) {
  if (!status.ok())
    throw PythonError(getExceptionType(status.getCode()), status.getMessage());
}

void mlir::mindir::python::raiseTagged(std::string message) {
  StringRef text = message;
  if (text.consume_front("TypeError: "))
    throw PythonError(PyExc_TypeError, text.str());
  if (text.consume_front("ValueError: "))
    throw PythonError(PyExc_ValueError, text.str());
  if (text.consume_front("IndexError: "))
    throw PythonError(PyExc_IndexError, text.str());
  if (text.consume_front("NotImplementedError: "))
    throw PythonError(PyExc_NotImplementedError, text.str());
  throw PythonError(PyExc_RuntimeError, std::move(message));
}

void mlir::mindir::python::raiseError(llvm::Error error) {
  // An interruption left its exception with the interpreter.
  std::string message = llvm::toString(std::move(error));
  if (PyErr_Occurred())
    throw pybind11::error_already_set();
  raiseTagged(std::move(message));
}

void DiagnosticCollector::raise(StringRef fallback) {
  raiseTagged(get().empty() ? fallback.str() : get());
}
