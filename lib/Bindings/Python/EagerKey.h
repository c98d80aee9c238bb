//===- EagerKey.h - signatures of eager calls -------------------*- C++ -*-===//
//
// A call's signature is the op, the dtypes and sizes of its tensors, and its other
// arguments by value; Python numbers that are operands count by type only.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGERKEY_H
#define MINDIR_BINDINGS_PYTHON_EAGERKEY_H

#include "EagerTensor.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace mlir::mindir::python {

/// Builds a signature, collecting the tensors on the way. The words of two calls
/// are equal only if the calls are.
class CallKey {
public:
  explicit CallKey(const void *op) { words.push_back(toWord(op)); }

  /// Adds an argument; false when it is none that a signature can hold (a traced
  /// tensor, an object of unknown kind), which leaves the call to Python.
  bool add(PyObject *argument);
  /// Adds a Python number that is an operand: a 0-d tensor of it.
  bool addScalar(PyObject *number);
  /// Adds the strides of a tensor, on which views depend.
  void addStrides(const TensorObject *tensor);

  llvm::ArrayRef<uint64_t> getWords() const { return words; }
  /// Borrowed from the arguments, or from this object.
  llvm::ArrayRef<TensorObject *> getTensors() const { return tensors; }

private:
  static uint64_t toWord(const void *pointer) {
    return reinterpret_cast<uintptr_t>(pointer);
  }
  bool addTensor(TensorObject *tensor);
  bool addItems(uint64_t tag, PyObject *const *items, size_t count);
  bool addText(PyObject *text);
  bool addInteger(PyObject *number);

  llvm::SmallVector<uint64_t, 32> words;
  llvm::SmallVector<TensorObject *, 4> tensors;
  llvm::SmallVector<pybind11::object, 2> scalars;
};

/// Whether `object` is exactly a bool, int or float.
inline bool isPlainNumber(PyObject *object) {
  return PyFloat_CheckExact(object) || PyLong_CheckExact(object) ||
         PyBool_Check(object);
}

/// Instances of this class, which live forever, stand for themselves in a key.
void setDTypeClass(pybind11::type dtypeClass);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGERKEY_H
