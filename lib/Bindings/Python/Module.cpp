//===- Module.cpp - the Python extension mindir._core ---------------------===//
//
// Puts the parts of the extension together, and turns C++ failures into Python
// exceptions.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "Errors.h"

namespace py = pybind11;
using namespace mlir::mindir::python;

PYBIND11_MODULE(_core, module) {
  module.doc() = "MindIR's compiler and runtime.";
  py::register_local_exception_translator([](std::exception_ptr failure) {
    try {
      if (failure)
        std::rethrow_exception(failure);
    } catch (const PythonError &error) {
      PyErr_SetString(static_cast<PyObject *>(error.getType()), error.what());
    }
  });
  bindBuilder(module);
  bindArray(module);
  bindRuntime(module);
  bindCompiler(module);
  bindEagerTensor(module);
  bindEagerModule(module);
  bindEagerTape(module);
  bindEagerDispatch(module);
  bindGuards(module);
  bindReference(module);
}
