//===- ReferenceBinding.cpp - the reference interpreter in Python ---------===//
//
// Runs a module on Arrays by plain loops, for comparison with compiled code.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "Errors.h"

#include "mindir/Compiler/Diagnostics.h"
#include "mindir/InitAllDialects.h"
#include "mindir/Reference/Interpreter.h"
#include "mindir/Runtime/Array.h"

#include "mlir/Parser/Parser.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::python;
using mindrt::Array;
using reference::RuntimeValue;
using reference::Tensor;
using reference::TensorPtr;

/// The two enumerations side by side.
static const std::pair<mindrt::DType, reference::DType> dtypes[] = {
    {mindrt::DType::Bool, reference::DType::Bool},
    {mindrt::DType::Int8, reference::DType::I8},
    {mindrt::DType::Int16, reference::DType::I16},
    {mindrt::DType::Int32, reference::DType::I32},
    {mindrt::DType::Int64, reference::DType::I64},
    {mindrt::DType::UInt8, reference::DType::UI8},
    {mindrt::DType::UInt16, reference::DType::UI16},
    {mindrt::DType::UInt32, reference::DType::UI32},
    {mindrt::DType::UInt64, reference::DType::UI64},
    {mindrt::DType::Float16, reference::DType::F16},
    {mindrt::DType::BFloat16, reference::DType::BF16},
    {mindrt::DType::Float32, reference::DType::F32},
    {mindrt::DType::Float64, reference::DType::F64},
};

static RuntimeValue toTensor(const Array &array) {
  Array dense;
  raiseStatus(array.copy(dense));
  for (auto [ours, theirs] : dtypes)
    if (ours == array.getDType())
      return std::make_shared<Tensor>(*Tensor::fromBytes(
          theirs, array.getSizes(),
          {dense.getData(), static_cast<size_t>(dense.getNumBytes())}));
  raiseTypeError("expected an array of a known dtype");
}

static Array toArray(const Tensor &tensor) {
  Array array;
  for (auto [ours, theirs] : dtypes)
    if (theirs == tensor.getDType())
      raiseStatus(Array::allocate(
          ours, Array::Sizes(tensor.getShape().begin(), tensor.getShape().end()),
          array));
  if (!array)
    raiseTypeError("expected a result of a tensor type, found an index");
  std::vector<char> bytes = tensor.toBytes();
  std::copy(bytes.begin(), bytes.end(), array.getData());
  return array;
}

[[noreturn]] static void raiseExecution(llvm::Error error) {
  std::string message;
  llvm::handleAllErrors(
      std::move(error),
      [&](const reference::ExecutionError &failure) {
        message = failure.getMessage().str();
        std::string position = describePosition(failure.getLocation());
        if (!position.empty())
          message += "\n  at " + position;
      },
      [&](const llvm::ErrorInfoBase &other) { message = other.message(); });
  raiseTagged(std::move(message));
}

static py::list runReference(const std::string &text, const std::string &entry,
                             const std::vector<const Array *> &arrays) {
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  DiagnosticCollector diagnostics(&context);
  auto module = parseSourceString<ModuleOp>(text, &context);
  if (!module)
    diagnostics.raise("the module could not be parsed");
  SmallVector<RuntimeValue> arguments;
  for (const Array *array : arrays)
    arguments.push_back(toTensor(*array));
  std::string printed;
  llvm::raw_string_ostream output(printed);
  reference::InterpreterOptions options;
  options.output = &output;
  reference::Interpreter interpreter(*module, options);
  auto results = interpreter.run(entry, arguments);
  if (!printed.empty())
    py::print(printed, py::arg("end") = "");
  if (!results)
    raiseExecution(results.takeError());
  py::list list;
  for (const RuntimeValue &result : *results) {
    auto *tensor = std::get_if<TensorPtr>(&result);
    list.append(tensor ? py::cast(toArray(**tensor)) : py::none());
  }
  return list;
}

void mlir::mindir::python::bindReference(py::module_ &module) {
  module.def("run_reference", &runReference, py::arg("module"),
             py::arg("entry"), py::arg("arrays"),
             "Runs a module text on Arrays by the reference interpreter. Gives an "
             "Array per result, updates too, and None for tokens and tapes; no "
             "argument is written.");
}
