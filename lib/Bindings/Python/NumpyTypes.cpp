//===- NumpyTypes.cpp - numpy's dtypes and the runtime's ------------------===//
//
// Conversions between dtype names, numpy's types and bfloat16 bits.
//
//===----------------------------------------------------------------------===//
#include "NumpyTypes.h"

#include "Errors.h"

#include <cstring>

namespace py = pybind11;
using namespace mlir::mindir::python;

py::array mlir::mindir::python::toNativeArray(py::handle value) {
  py::array array = py::module_::import("numpy").attr("asarray")(value);
  py::dtype type = array.dtype();
  if (!py::cast<bool>(type.attr("isnative")))
    array = array.attr("astype")(type.attr("newbyteorder")("="));
  return array;
}

std::string mlir::mindir::python::getDTypeName(const py::array &array) {
  return py::cast<std::string>(array.dtype().attr("name"));
}

/// ml_dtypes' bfloat16, or uint16.
static py::dtype findBFloat16() {
  try {
    return py::dtype::from_args(
        py::module_::import("ml_dtypes").attr("bfloat16"));
  } catch (py::error_already_set &error) {
    if (!error.matches(PyExc_ImportError))
      throw;
    return py::dtype::of<uint16_t>();
  }
}

py::dtype mlir::mindir::python::getNumpyType(mindrt::DType dtype) {
  if (dtype == mindrt::DType::BFloat16)
    return findBFloat16();
  return py::dtype(mindrt::dtypeName(dtype));
}

uint16_t mlir::mindir::python::roundToBFloat16(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value)
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

float mlir::mindir::python::widenBFloat16(const void *data) {
  uint16_t upper;
  std::memcpy(&upper, data, sizeof(upper));
  uint32_t bits = uint32_t(upper) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
