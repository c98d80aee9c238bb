//===- EagerOperators.h - the operators of Tensor ---------------*- C++ -*-===//
//
// Number and comparison slots of the C type, each an op of `mindir.ops`.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_EAGEROPERATORS_H
#define MINDIR_BINDINGS_PYTHON_EAGEROPERATORS_H

#include <pybind11/pybind11.h>

#include <vector>

namespace mlir::mindir::python {

/// Appends the slots of the operators.
void addOperatorSlots(std::vector<PyType_Slot> &slots);
/// Defines `set_operator`.
void bindOperators(pybind11::module_ &module);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_EAGEROPERATORS_H
