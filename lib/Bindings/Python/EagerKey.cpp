//===- EagerKey.cpp - signatures of eager calls ---------------------------===//
//
// Each argument becomes a tag and words of a length that the tag and they tell.
//
//===----------------------------------------------------------------------===//
#include "EagerKey.h"

#include "Errors.h"

#include <cstring>
#include <map>

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;
using mindrt::DType;

namespace {
enum Tag : uint64_t { Tensor, Scalar, Object, Integer, Float, Text, Tuple, List, Slice };
} // namespace

static PyTypeObject *dtypeClass = nullptr;

void mlir::mindir::python::setDTypeClass(py::type value) {
  dtypeClass = reinterpret_cast<PyTypeObject *>(value.release().ptr());
}

//===----------------------------------------------------------------------===//
// Numbers as tensors
//===----------------------------------------------------------------------===//

template <typename T> static py::object makeScalar(DType dtype, T value) {
  Array array;
  raiseStatus(Array::allocate(dtype, {}, array));
  std::memcpy(array.getData(), &value, sizeof(T));
  return makeTensor(std::move(array));
}

/// A 0-d Tensor of a number, by dtype and bits; the common ones are kept.
static py::object getScalar(DType dtype, uint64_t bits) {
  static auto *known = new std::map<std::pair<DType, uint64_t>, py::object>();
  auto found = known->find({dtype, bits});
  if (found != known->end())
    return found->second;
  if (known->size() >= 4096)
    known->clear();
  py::object made = dtype == DType::Bool
                        ? makeScalar<uint8_t>(dtype, bits != 0)
                        : makeScalar<uint64_t>(dtype, bits);
  return known->emplace(std::make_pair(dtype, bits), made).first->second;
}

bool CallKey::addScalar(PyObject *number) {
  DType dtype = DType::Int64;
  uint64_t bits = 0;
  if (PyFloat_CheckExact(number)) {
    dtype = DType::Float64;
    double value = PyFloat_AS_DOUBLE(number);
    std::memcpy(&bits, &value, sizeof(bits));
  } else if (PyBool_Check(number)) {
    dtype = DType::Bool;
    bits = number == Py_True;
  } else {
    int overflow = 0;
    bits = static_cast<uint64_t>(PyLong_AsLongLongAndOverflow(number, &overflow));
    if (overflow)
      return false;
  }
  words.push_back(Scalar | static_cast<uint64_t>(dtype) << 8);
  scalars.push_back(getScalar(dtype, bits));
  tensors.push_back(asTensor(scalars.back().ptr()));
  return true;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

bool CallKey::addTensor(TensorObject *tensor) {
  const Array *array = tensor->array.get();
  if (!array)
    return false;
  words.push_back(Tensor | static_cast<uint64_t>(array->getDType()) << 8 |
                  static_cast<uint64_t>(array->getRank()) << 16);
  words.append(array->getSizes().begin(), array->getSizes().end());
  tensors.push_back(tensor);
  return true;
}

void CallKey::addStrides(const TensorObject *tensor) {
  const Array &array = *tensor->array;
  if (!array.isContiguous())
    words.append(array.getStrides().begin(), array.getStrides().end());
}

bool CallKey::addItems(uint64_t tag, PyObject *const *items, size_t count) {
  words.push_back(tag | count << 8);
  for (size_t i = 0; i < count; ++i)
    if (!add(items[i]))
      return false;
  return true;
}

bool CallKey::addText(PyObject *text) {
  Py_ssize_t length;
  const char *data = PyUnicode_AsUTF8AndSize(text, &length);
  if (!data) {
    PyErr_Clear();
    return false;
  }
  words.push_back(Text | static_cast<uint64_t>(length) << 8);
  for (Py_ssize_t i = 0; i < length; i += 8) {
    uint64_t word = 0;
    std::memcpy(&word, data + i, std::min<Py_ssize_t>(8, length - i));
    words.push_back(word);
  }
  return true;
}

bool CallKey::addInteger(PyObject *number) {
  int overflow = 0;
  long long value = PyLong_AsLongLongAndOverflow(number, &overflow);
  words.append({Integer, static_cast<uint64_t>(value)});
  return !overflow;
}

bool CallKey::add(PyObject *argument) {
  if (isTensor(argument))
    return addTensor(asTensor(argument));
  if (argument == Py_None || argument == Py_Ellipsis ||
      PyBool_Check(argument) || Py_IS_TYPE(argument, dtypeClass)) {
    words.append({Object, toWord(argument)});
    return true;
  }
  if (PyLong_CheckExact(argument))
    return addInteger(argument);
  if (PyFloat_CheckExact(argument)) {
    double value = PyFloat_AS_DOUBLE(argument);
    words.append({Float, 0});
    std::memcpy(&words.back(), &value, sizeof(value));
    return true;
  }
  if (PyUnicode_CheckExact(argument))
    return addText(argument);
  if (PyTuple_CheckExact(argument))
    return addItems(Tuple, &PyTuple_GET_ITEM(argument, 0),
                    PyTuple_GET_SIZE(argument));
  if (PyList_CheckExact(argument))
    return addItems(List, PySequence_Fast_ITEMS(argument),
                    PyList_GET_SIZE(argument));
  if (PySlice_Check(argument)) {
    auto *slice = reinterpret_cast<PySliceObject *>(argument);
    PyObject *parts[] = {slice->start, slice->stop, slice->step};
    return addItems(Slice, parts, 3);
  }
  return false;
}
