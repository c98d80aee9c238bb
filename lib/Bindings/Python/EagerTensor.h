//===- EagerTensor.h - the C type under Tensor ------------------*- C++ -*-===//
//
// What every Tensor is to C: an array, its identity on gradient tapes and, for a
// view, what it is a view of. The Python class adds attributes and methods.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGERTENSOR_H
#define MINDIR_BINDINGS_PYTHON_EAGERTENSOR_H

#include "mindir/Runtime/Array.h"

#include <pybind11/pybind11.h>

#include <memory>

namespace mlir::mindir::python {

/// An instance. All fields are guarded by the interpreter lock.
struct TensorObject {
  PyObject_HEAD
  /// Null for a traced tensor. Replaced, never changed: calls hold it.
  std::shared_ptr<mindrt::Array> array;
  /// (base, op, arguments) of a view, else null.
  PyObject *view;
  /// (dtype name, shape), made when first asked for.
  PyObject *spec;
  /// The identity of the present value on tapes; 0: none.
  uint64_t node;
  /// Of a view: the root's `writes` for which `node` holds.
  unsigned long long seen;
  /// How often the tensor, or a view of it, was written while followed.
  unsigned long long writes;
};

/// What of the Python side runs in this thread, instead of the thread-local
/// variables that would cost more than an op.
struct ThreadState {
  /// The emitter in force, or null.
  PyObject *emitter = nullptr;
  /// Saved states of enclosing emitters; a tuple or null.
  PyObject *stack = nullptr;
  /// The active gradient tapes, outermost first; a tuple or null.
  PyObject *tapes = nullptr;
  bool inBody = false;

  size_t getNumTapes() const {
    return tapes ? static_cast<size_t>(PyTuple_GET_SIZE(tapes)) : 0;
  }
};
ThreadState &getThreadState();

/// The C type, and the Python class that results are instances of.
PyTypeObject *getTensorBase();
void setTensorClass(pybind11::type tensorClass);

inline TensorObject *asTensor(PyObject *object) {
  return reinterpret_cast<TensorObject *>(object);
}
inline bool isTensor(PyObject *object) {
  return PyObject_TypeCheck(object, getTensorBase());
}
/// The tensor in `object`; TypeError for anything else.
TensorObject *getTensor(pybind11::handle object);

/// A new Tensor over an array.
pybind11::object makeTensor(std::shared_ptr<mindrt::Array> array);
pybind11::object makeTensor(mindrt::Array array);
/// (dtype name, shape).
pybind11::object getSpec(TensorObject *tensor);

/// A node that no value has yet.
uint64_t makeNode();

/// Runs `function`, turning what it throws into the Python error; null then.
template <typename Function> PyObject *guard(Function function);
/// Sets the Python error of the exception in flight.
void setPythonError();

template <typename Function> PyObject *guard(Function function) {
  try {
    return function();
  } catch (...) {
    setPythonError();
    return nullptr;
  }
}

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGERTENSOR_H
