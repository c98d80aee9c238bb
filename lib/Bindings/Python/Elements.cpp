//===- Elements.cpp - numpy arrays and numbers as dense elements ----------===//
//
// Constants of the captured program: numpy does the conversion of dtypes, this
// file the packing.
//
//===----------------------------------------------------------------------===//
#include "Attributes.h"
#include "Errors.h"
#include "NumpyTypes.h"
#include "Types.h"

namespace py = pybind11;
using namespace mlir;
using namespace mlir::mindir::python;

/// The default dtype of a Python number.
static const char *defaultDType(py::handle value) {
  if (py::isinstance<py::bool_>(value))
    return "bool";
  return py::isinstance<py::float_>(value) ? "float32" : "int64";
}

static py::array toArray(py::handle value, StringRef dtype) {
  if (py::isinstance<py::array>(value))
    return toNativeArray(value);
  py::object asarray = py::module_::import("numpy").attr("asarray");
  if (dtype == "bfloat16") // numpy lacks it; `convert` rounds.
    return asarray(value);
  StringRef wanted = dtype.empty() ? defaultDType(value) : dtype;
  return asarray(value, py::str(wanted.str()));
}

static py::array convert(py::array array, StringRef dtype) {
  std::string found = getDTypeName(array);
  if (dtype == "bfloat16") {
    if (found == "uint16" || found == "bfloat16")
      return array;
    return roundToBFloat16(array);
  }
  return dtype == found ? array : array.attr("astype")(py::str(dtype.str()));
}

DenseElementsAttr mlir::mindir::python::getElements(MLIRContext *context,
                                                    py::handle value,
                                                    StringRef dtype) {
  py::array array = toArray(value, dtype);
  std::string name = dtype.empty() ? getDTypeName(array) : dtype.str();
  Type element = getElementType(context, name);
  SmallVector<int64_t> sizes(array.shape(), array.shape() + array.ndim());
  auto type = RankedTensorType::get(sizes, element);
  array = py::module_::import("numpy").attr("ascontiguousarray")(
      convert(array, name));
  if (name == "bool") {
    auto *data = static_cast<const bool *>(array.data());
    return DenseElementsAttr::get(type, ArrayRef<bool>(data, array.size()));
  }
  auto *data = static_cast<const char *>(array.data());
  size_t bytes = array.nbytes(), size = array.itemsize();
  bool isSplat = array.size() > 1 && std::memcmp(data, data + size, bytes - size) == 0;
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef<char>(data, isSplat ? size : bytes));
}
