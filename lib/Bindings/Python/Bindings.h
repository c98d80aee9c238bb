//===- Bindings.h - the parts of the Python extension -----------*- C++ -*-===//
//
// Each function adds one part to the module `mindir._core`.
//
//===----------------------------------------------------------------------===//
#ifndef MINDIR_BINDINGS_PYTHON_BINDINGS_H
#define MINDIR_BINDINGS_PYTHON_BINDINGS_H

#include <pybind11/pybind11.h>

namespace mlir::mindir::python {

/// Builder, Value, Region.
void bindBuilder(pybind11::module_ &module);
/// Array.
void bindArray(pybind11::module_ &module);
/// compile, Executable, differentiate.
void bindCompiler(pybind11::module_ &module);
/// TensorBase, thread_state.
void bindEagerTensor(pybind11::module_ &module);
/// ModuleCallable, Derivative.
void bindEagerModule(pybind11::module_ &module);
/// Tape, call.
void bindEagerTape(pybind11::module_ &module);
/// OpBase and the operators of TensorBase.
void bindEagerDispatch(pybind11::module_ &module);
/// run_reference.
void bindGuards(pybind11::module_ &module);
void bindReference(pybind11::module_ &module);
/// statistics, set_num_threads ...
void bindRuntime(pybind11::module_ &module);

} // namespace mlir::mindir::python

#endif // MINDIR_BINDINGS_PYTHON_BINDINGS_H
