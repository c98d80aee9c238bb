//===- CompilerBinding.cpp - compile and Executable in Python -------------===//
//
// Compiles and runs without the interpreter lock.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "EagerModule.h"
#include "Errors.h"
#include "GraphBuilder.h"
#include "Interrupt.h"

#include "mindir/Compiler/Compiler.h"
#include "mindir/Compiler/Differentiate.h"
#include "mindir/Compiler/DiskCache.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir::mindir;
using namespace mlir::mindir::python;
using mindrt::Array;

//===----------------------------------------------------------------------===//
// compile
//===----------------------------------------------------------------------===//

static void readOption(CompileOptions &options, const std::string &name,
                       py::handle value) {
  if (name == "opt_level") {
    options.optimizationLevel = py::cast<unsigned>(value);
    if (options.optimizationLevel > 3)
      raiseValueError("expected opt_level from 0 to 3, found " +
                      std::to_string(options.optimizationLevel));
  } else if (name == "save_graphs_path") {
    options.saveGraphsPath =
        value.is_none() ? "" : py::cast<std::string>(py::str(value));
  } else if (name == "cache_dir") {
    options.cacheDirectory.reset();
    if (!value.is_none())
      options.cacheDirectory = py::cast<std::string>(py::str(value));
  } else if (name == "libraries") {
    options.libraries = py::cast<std::vector<std::string>>(value);
  } else if (name == "cache_bytes") {
    options.cacheBytes = py::cast<uint64_t>(value);
  } else {
    raiseValueError("expected an option opt_level, libraries, save_graphs_path, "
                    "cache_dir or cache_bytes, found '" + name + "'");
  }
}

static CompileOptions readOptions(const std::string &entry, py::dict values) {
  CompileOptions options;
  options.entry = entry;
  options.cacheDirectory = DiskCache::getDefaultDirectory();
  for (auto [key, value] : values)
    readOption(options, py::cast<std::string>(key), value);
  return options;
}

/// Warnings wait for the interpreter lock.
static void issue(const std::vector<std::string> &warnings) {
  for (const std::string &text : warnings)
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), 2) != 0)
      throw py::error_already_set();
}

static std::shared_ptr<Executable> compileModule(const ModuleSource &source,
                                                 const std::string &entry,
                                                 py::dict values) {
  CompileOptions options = readOptions(entry, values);
  std::vector<std::string> warnings;
  SignalCheck signals;
  options.isInterrupted = [&] { return signals(); };
  options.warn = [&](llvm::StringRef text) { warnings.push_back(text.str()); };
  auto unlocked = std::make_optional<py::gil_scoped_release>();
  auto executable = mlir::mindir::compile(source, options);
  // The exception that a signal handler raised is set on this thread.
  unlocked.reset();
  if (!executable)
    raiseError(executable.takeError());
  issue(warnings);
  return *executable;
}

static std::shared_ptr<Executable>
compileBuilder(GraphBuilder &builder, const std::string &entry,
               py::dict options) {
  std::string text = builder.getText(/*withLocations=*/false);
  std::string bytecode = builder.getBytecode();
  return compileModule({text, bytecode}, entry, options);
}

static std::shared_ptr<Executable> compileText(const std::string &text,
                                               const std::string &entry,
                                               py::dict options) {
  return compileModule({text, {}}, entry, options);
}

std::shared_ptr<Executable>
mlir::mindir::python::compileModuleText(const std::string &text,
                                        const std::string &entry) {
  return compileText(text, entry, py::dict());
}

//===----------------------------------------------------------------------===//
// differentiate
//===----------------------------------------------------------------------===//

static py::dict differentiateText(const std::string &text,
                                  const std::string &entry,
                                  const std::vector<int64_t> &wrt) {
  auto unlocked = std::make_optional<py::gil_scoped_release>();
  llvm::Expected<DerivativeModules> modules =
      mlir::mindir::differentiate(text, entry, wrt);
  unlocked.reset();
  if (!modules)
    raiseError(modules.takeError());
  py::list saved;
  for (const SavedValue &value : modules->saved)
    saved.append(
        py::make_tuple(value.isArgument ? "argument" : "result", value.index));
  py::dict result;
  result["forward"] = modules->forward;
  result["backward"] = modules->backward;
  result["num_residuals"] = modules->numResiduals;
  result["saved"] = saved;
  result["cotangents"] = modules->cotangents;
  return result;
}

//===----------------------------------------------------------------------===//
// Executable
//===----------------------------------------------------------------------===//

void mlir::mindir::python::runExecutable(const Executable &executable,
                                         llvm::ArrayRef<Array *> arguments,
                                         std::vector<Array> &results,
                                         bool keepLock) {
  mindrt::Status status;
  {
    std::optional<py::gil_scoped_release> unlocked;
    if (!keepLock)
      unlocked.emplace();
    InterruptibleRun interruptible;
    status = executable.run(arguments, results);
  }
  if (status.getCode() == mindrt::ErrorCode::Interrupt &&
      PyErr_CheckSignals() != 0)
    throw py::error_already_set();
  raiseStatus(status);
}

static py::list run(const Executable &executable, py::sequence inputs) {
  // The objects keep the arrays alive while the interpreter lock is released.
  llvm::SmallVector<py::object, 8> owners;
  llvm::SmallVector<Array *, 8> arrays;
  for (py::handle input : inputs) {
    owners.push_back(py::reinterpret_borrow<py::object>(input));
    arrays.push_back(py::cast<Array *>(input));
    if (!arrays.back())
      raiseTypeError("expected an Array, found None");
  }
  std::vector<Array> results;
  runExecutable(executable, arrays, results, /*keepLock=*/false);
  py::list list;
  for (Array &result : results)
    list.append(result ? py::cast(std::move(result)) : py::none());
  return list;
}

static py::tuple getPair(const ArrayType &type) {
  py::tuple shape(type.sizes.size());
  for (size_t d = 0; d < type.sizes.size(); ++d)
    shape[d] = type.sizes[d] == ArrayType::kUnknownSize
                   ? py::object(py::none())
                   : py::object(py::int_(type.sizes[d]));
  return py::make_tuple(mindrt::dtypeName(type.dtype), shape);
}

static py::list getArgumentTypes(const Executable &executable) {
  py::list types;
  for (const CallArgument &argument : executable.getSignature().arguments)
    types.append(getPair(argument.type));
  return types;
}

static py::list getResultTypes(const Executable &executable) {
  py::list types;
  for (const CallResult &result : executable.getSignature().results)
    types.append(result.type ? py::object(getPair(*result.type)) : py::none());
  return types;
}

static py::dict getUpdates(const Executable &executable) {
  py::dict updates;
  for (auto [i, result] : llvm::enumerate(executable.getSignature().results))
    if (result.updates)
      updates[py::int_(i)] = *result.updates;
  return updates;
}

void mlir::mindir::python::bindCompiler(py::module_ &module) {
  installInterruptHandler();
  py::class_<Executable, std::shared_ptr<Executable>>(
      module, "Executable", "Compiled code; may run on several threads at once.")
      .def("__call__", &run, py::arg("arrays"),
           "Runs on a list of Arrays. Gives a list with an Array per result, "
           "None for a result that updates an argument, which is written into "
           "that argument's own buffer.")
      .def_property_readonly("argument_types", &getArgumentTypes,
                             "(dtype, shape) of each argument.")
      .def_property_readonly("result_types", &getResultTypes,
                             "(dtype, shape) of each result; None of a token.")
      .def_property_readonly("updates", &getUpdates,
                             "{result: the argument that it updates}");
  const char *text =
      "Compiles a module. Options: opt_level (0 to 3), save_graphs_path (a "
      "folder for the IR after each phase), cache_dir (None: no cache), "
      "cache_bytes, libraries (a list such as ['onednn']; default: what the "
      "runtime has).";
  module.def("compile", &compileBuilder, py::arg("module"), py::kw_only(),
             py::arg("entry") = "main", py::arg("options") = py::dict(), text);
  module.def("compile", &compileText, py::arg("module"), py::kw_only(),
             py::arg("entry") = "main", py::arg("options") = py::dict(), text);
  module.def(
      "differentiate", &differentiateText, py::arg("module"),
      py::arg("entry") = "main", py::arg("wrt") = std::vector<int64_t>{0},
      "Splits a function: {'forward': the text of a module with entry.fwd, "
      "arguments -> results + residuals; 'backward': entry.bwd, saved values + "
      "cotangents -> cotangents of the arguments wrt; 'num_residuals'; 'saved': "
      "where backward's first arguments come from, ('argument', k) or ('result', "
      "k) of forward; 'cotangents': the results whose cotangents it takes}.");
}
