//===- EagerModule.cpp - compiled modules that eager code calls -----------===//
//
// Compilation and differentiation on demand, each once per module.
//
//===----------------------------------------------------------------------===//
#include "EagerModule.h"

#include "Bindings.h"
#include "Errors.h"

#include "mindir/Compiler/Differentiate.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir::mindir;
using namespace mlir::mindir::python;
using mindrt::Array;

// Two threads may both make what is missing; either's is right.

std::shared_ptr<Executable> ModuleCallable::getExecutable() {
  if (!executable)
    executable = compileModuleText(text, entry);
  return executable;
}

static std::shared_ptr<Derivative>
differentiateModule(const ModuleCallable &module,
                    const std::vector<int64_t> &wrt) {
  auto unlocked = std::make_optional<py::gil_scoped_release>();
  llvm::Expected<DerivativeModules> split =
      differentiate(module.getText(), module.getEntry(), wrt);
  unlocked.reset();
  if (!split)
    raiseError(split.takeError());
  auto result = std::make_shared<Derivative>();
  result->forward = std::make_shared<ModuleCallable>(
      split->forward, module.getEntry() + ".fwd", nullptr, module.getUpdates());
  result->backward = std::make_shared<ModuleCallable>(
      split->backward, module.getEntry() + ".bwd", nullptr,
      std::map<unsigned, unsigned>());
  result->forward->isOp = result->backward->isOp = module.isOp;
  result->numResiduals = split->numResiduals;
  for (const SavedValue &value : split->saved)
    result->saved.push_back(
        {value.isArgument, static_cast<unsigned>(value.index)});
  result->cotangents.assign(split->cotangents.begin(), split->cotangents.end());
  return result;
}

std::shared_ptr<Derivative>
ModuleCallable::getDerivative(const std::vector<int64_t> &wrt) {
  auto found = derivatives.find(wrt);
  if (found != derivatives.end())
    return found->second;
  std::shared_ptr<Derivative> made = differentiateModule(*this, wrt);
  return derivatives.emplace(wrt, made).first->second;
}

static py::list runOnArrays(ModuleCallable &module, py::sequence inputs) {
  llvm::SmallVector<std::shared_ptr<Array>, 8> owners;
  llvm::SmallVector<Array *, 8> arrays;
  for (py::handle input : inputs) {
    owners.push_back(py::cast<std::shared_ptr<Array>>(input));
    arrays.push_back(owners.back().get());
  }
  std::vector<Array> results;
  runExecutable(*module.getExecutable(), arrays, results, /*keepLock=*/false);
  py::list list;
  for (Array &result : results)
    list.append(result ? py::cast(std::move(result)) : py::none());
  return list;
}

static py::list getSaved(const Derivative &derivative) {
  py::list saved;
  for (auto [isArgument, index] : derivative.saved)
    saved.append(py::make_tuple(isArgument ? "argument" : "result", index));
  return saved;
}

void mlir::mindir::python::bindEagerModule(py::module_ &module) {
  py::class_<Derivative, std::shared_ptr<Derivative>>(
      module, "Derivative", "A module split by the autodiff pass.")
      .def_readonly("forward", &Derivative::forward,
                    "The arguments -> the results, then the residuals.")
      .def_readonly("backward", &Derivative::backward,
                    "Saved values, then cotangents of the results -> cotangents "
                    "of the arguments.")
      .def_readonly("num_residuals", &Derivative::numResiduals)
      .def_readonly("cotangents", &Derivative::cotangents,
                    "The results whose cotangents backward takes.")
      .def_property_readonly("saved", &getSaved,
                             "Where backward's first arguments come from: "
                             "('argument', k), or ('result', k) of forward.");
  py::class_<ModuleCallable, std::shared_ptr<ModuleCallable>>(
      module, "ModuleCallable",
      "One function of a module, to call, record on a tape and differentiate.")
      .def(py::init<std::string, std::string, std::shared_ptr<Executable>,
                    std::map<unsigned, unsigned>>(),
           py::arg("module_text"), py::arg("entry") = "main",
           py::arg("executable") = py::none(),
           py::arg("updates") = std::map<unsigned, unsigned>())
      .def_property_readonly("module_text", &ModuleCallable::getText, "The IR.")
      .def_property_readonly("entry", &ModuleCallable::getEntry,
                             "Its function's name.")
      .def_property_readonly("updates", &ModuleCallable::getUpdates,
                             "{result: the argument whose new value it is}.")
      .def_readwrite("is_op", &ModuleCallable::isOp,
                     "Whether it is the code of one op.")
      .def("arrays", &runOnArrays, "Runs it on a list of Arrays.")
      .def("derivative", &ModuleCallable::getDerivative, py::arg("wrt"),
           "The Derivative by the arguments at wrt. TypeError names an op "
           "without a rule.");
}
