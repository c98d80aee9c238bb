//===- EagerDispatch.h - eager calls of ops ---------------------*- C++ -*-===//
//
// A call that was made before with the same signature runs its compiled code with
// no Python in between.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGERDISPATCH_H
#define MINDIR_BINDINGS_PYTHON_EAGERDISPATCH_H

#include "llvm/ADT/ArrayRef.h"

#include <pybind11/pybind11.h>

namespace mlir::mindir::python {

/// The base of `mindir.ops.primitive.Primitive`. Calls that cannot take the short
/// way go to the method `_call` of the instance.
struct OpObject {
  PyObject_HEAD
  vectorcallfunc vectorcall;
  /// The parameters' names, and their defaults, which `required` of the front lack.
  PyObject *names, *defaults;
  /// A function (array, *arguments) -> array on the same storage or None; or null.
  PyObject *view;
  /// Bit i: a Python number as argument i is a run-time operand.
  uint64_t scalars;
  unsigned required, positional;
  /// Whether calls may take the short way.
  bool isPlain;
  /// Whether it writes arguments; its calls have all their arguments.
  bool isMutating;
};

/// Whether `object` is an op.
bool isOp(PyObject *object);

/// The call of an op with positional arguments in eager mode. Throws what it
/// raises.
pybind11::object callOp(pybind11::handle op,
                        llvm::ArrayRef<PyObject *> arguments);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGERDISPATCH_H
