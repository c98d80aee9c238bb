//===- RunCompiled.cpp - compiled code on the interpreter's tensors -------===//
//
// Converts tensors to the runtime's arrays and back, and compares results.
//
//===----------------------------------------------------------------------===//

#include "mindir/Tools/RunCompiled.h"

#include "mindir/Compiler/Compiler.h"
#include "mindir/Runtime/Array.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::mindir;
using namespace mlir::mindir::reference;
using mindrt::Array;

using Values = SmallVector<RuntimeValue>;

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// The runtime's dtypes in the order of the interpreter's; index has none.
static constexpr mindrt::DType kRuntimeDTypes[] = {
    mindrt::DType::Bool,    mindrt::DType::Int8,     mindrt::DType::Int16,
    mindrt::DType::Int32,   mindrt::DType::Int64,    mindrt::DType::UInt8,
    mindrt::DType::UInt16,  mindrt::DType::UInt32,   mindrt::DType::UInt64,
    mindrt::DType::Int64,   mindrt::DType::Float16,  mindrt::DType::BFloat16,
    mindrt::DType::Float32, mindrt::DType::Float64};

static DType getReferenceDType(mindrt::DType dtype) {
  const auto *found = llvm::find(kRuntimeDTypes, dtype);
  return static_cast<DType>(found - std::begin(kRuntimeDTypes));
}

static llvm::Error toError(const mindrt::Status &status) {
  return llvm::createStringError(std::string(status.getMessage()));
}

static llvm::Expected<Array> toArray(const RuntimeValue &value) {
  auto *tensor = std::get_if<TensorPtr>(&value);
  if (!tensor)
    return llvm::createStringError("compiled code is run on tensors only");
  Array array;
  Array::Sizes sizes((*tensor)->getShape().begin(), (*tensor)->getShape().end());
  mindrt::DType dtype = kRuntimeDTypes[static_cast<int>((*tensor)->getDType())];
  if (auto status = Array::allocate(dtype, sizes, array); !status.ok())
    return toError(status);
  std::vector<char> bytes = (*tensor)->toBytes();
  std::memcpy(array.getData(), bytes.data(), bytes.size());
  return array;
}

static llvm::Expected<RuntimeValue> toValue(const Array &array) {
  Array dense;
  if (auto status = array.copy(dense); !status.ok())
    return toError(status);
  std::optional<Tensor> tensor = Tensor::fromBytes(
      getReferenceDType(dense.getDType()), dense.getSizes(),
      ArrayRef<char>(dense.getData(), static_cast<size_t>(dense.getNumBytes())));
  if (!tensor)
    return llvm::createStringError("a result is too large to print");
  return RuntimeValue(TensorPtr(std::make_shared<Tensor>(std::move(*tensor))));
}

//===----------------------------------------------------------------------===//
// Run
//===----------------------------------------------------------------------===//

static llvm::Expected<std::shared_ptr<Executable>> compileFunction(ModuleOp module,
                                                                   StringRef entry) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  CompileOptions options;
  options.entry = entry.str();
  return compile({text, {}}, options);
}

llvm::Expected<Values> mindir::runCompiled(ModuleOp module, StringRef entry,
                                           ArrayRef<RuntimeValue> arguments) {
  auto executable = compileFunction(module, entry);
  if (!executable)
    return executable.takeError();
  std::vector<Array> arrays, results;
  for (const RuntimeValue &argument : arguments) {
    auto array = toArray(argument);
    if (!array)
      return array.takeError();
    arrays.push_back(std::move(*array));
  }
  std::vector<Array *> pointers;
  for (Array &array : arrays)
    pointers.push_back(&array);
  if (auto status = (*executable)->run(pointers, results); !status.ok())
    return toError(status);
  Values values;
  for (auto [i, result] : llvm::enumerate((*executable)->getSignature().results)) {
    if (!result.type) {
      values.push_back(Token());
      continue;
    }
    auto value = toValue(result.updates ? arrays[*result.updates] : results[i]);
    if (!value)
      return value.takeError();
    values.push_back(std::move(*value));
  }
  return values;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

static bool isClose(const Tensor &actual, const Tensor &expected, int64_t i,
                    double tolerance) {
  if (!actual.isFloat())
    return actual.getInteger(i) == expected.getInteger(i);
  Real x = actual.getReal(i), y = expected.getReal(i);
  if (x == y || (std::isnan(x) && std::isnan(y)))
    return true;
  return std::fabs(x - y) <= tolerance * std::max<Real>(1, std::fabs(y));
}

static std::string getElementText(const Tensor &tensor, int64_t i) {
  Tensor element(tensor.getDType(), {});
  element.copyElement(0, tensor, i);
  return element.getText();
}

static llvm::Error compareTensors(size_t number, const Tensor &actual,
                                  const Tensor &expected, double tolerance) {
  if (actual.getTypeText() != expected.getTypeText())
    return llvm::createStringError("result " + Twine(number) + ": expected " +
                                   expected.getTypeText() + ", found " +
                                   actual.getTypeText());
  for (int64_t i = 0, e = actual.getNumElements(); i < e; ++i)
    if (!isClose(actual, expected, i, tolerance))
      return llvm::createStringError(
          "result " + Twine(number) + ", element " + Twine(i) + ": expected " +
          getElementText(expected, i) + ", found " + getElementText(actual, i));
  return llvm::Error::success();
}

llvm::Error mindir::compareResults(ArrayRef<RuntimeValue> actual,
                                   ArrayRef<RuntimeValue> expected,
                                   double tolerance) {
  if (actual.size() != expected.size())
    return llvm::createStringError("expected " + Twine(expected.size()) +
                                   " results, found " + Twine(actual.size()));
  for (auto [i, x, y] : llvm::enumerate(actual, expected)) {
    auto *first = std::get_if<TensorPtr>(&x), *second = std::get_if<TensorPtr>(&y);
    if (!first || !second)
      continue;
    if (llvm::Error error = compareTensors(i, **first, **second, tolerance))
      return error;
  }
  return llvm::Error::success();
}
