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

//===----------------------------------------------------------------------===//
// Rounding to bfloat16
//===----------------------------------------------------------------------===//
//
// Through float32 a value would be rounded twice. What float32 cannot hold is first
// cut off behind digits that decide, with one bit that says whether anything was.

/// The lowest `count` bits replaced by one at `count`, set if one of them was.
static uint64_t keepSticky(uint64_t bits, unsigned count) {
  uint64_t unit = uint64_t(1) << count;
  return (bits & -unit) | ((bits & (unit - 1)) ? unit : 0);
}

static uint16_t roundElement(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  if (value != value)
    return static_cast<uint16_t>((bits >> 16) | 0x40);
  return static_cast<uint16_t>((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

static uint16_t roundElement(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  bits = keepSticky(bits, 41);
  std::memcpy(&value, &bits, sizeof(bits));
  return roundElement(static_cast<float>(value));
}

static uint16_t roundElement(int64_t value) {
  constexpr int64_t limit = int64_t(1) << 53;
  if (value < -limit || value > limit)
    value = static_cast<int64_t>(keepSticky(static_cast<uint64_t>(value), 12));
  return roundElement(static_cast<double>(value));
}

static uint16_t roundElement(uint64_t value) {
  return roundElement(static_cast<double>(value >> 53 ? keepSticky(value, 12) : value));
}

template <typename T>
static py::array_t<uint16_t> roundElements(const py::array &values) {
  py::array_t<T, py::array::c_style | py::array::forcecast> source(values);
  py::array_t<uint16_t> target(std::vector<py::ssize_t>(
      source.shape(), source.shape() + source.ndim()));
  for (py::ssize_t i = 0; i < source.size(); ++i)
    target.mutable_data()[i] = roundElement(source.data()[i]);
  return target;
}

py::array_t<uint16_t>
mlir::mindir::python::roundToBFloat16(const py::array &values) {
  bool isWide = values.itemsize() == 8;
  switch (values.dtype().kind()) {
  case 'i':
    return isWide ? roundElements<int64_t>(values) : roundElements<double>(values);
  case 'u':
    return isWide ? roundElements<uint64_t>(values) : roundElements<double>(values);
  case 'f':
    return isWide ? roundElements<double>(values) : roundElements<float>(values);
  default:
    return roundElements<float>(values);
  }
}

float mlir::mindir::python::widenBFloat16(const void *data) {
  uint16_t upper;
  std::memcpy(&upper, data, sizeof(upper));
  uint32_t bits = uint32_t(upper) << 16;
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}
