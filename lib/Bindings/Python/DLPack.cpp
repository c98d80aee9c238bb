//===- DLPack.cpp - Arrays for other frameworks ---------------------------===//
//
// The exchange structures of DLPack (version 0, which every consumer reads),
// declared here because they are a frozen ABI.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "Errors.h"
#include "NumpyTypes.h"

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;
using mindrt::DType;

namespace {
struct DLDevice {
  int32_t type, id;
};
struct DLDataType {
  uint8_t code, bits;
  uint16_t lanes;
};
struct DLTensor {
  void *data;
  DLDevice device;
  int32_t rank;
  DLDataType dtype;
  int64_t *sizes, *strides;
  uint64_t byteOffset;
};
struct DLManagedTensor {
  DLTensor tensor;
  void *context;
  void (*deleter)(DLManagedTensor *);
};

/// What the consumer holds: the array whose sizes and strides are pointed to.
struct Export {
  DLManagedTensor managed;
  Array array;
  Array::Sizes sizes, strides;
};
} // namespace

static uint8_t getCode(DType dtype) {
  switch (dtype) {
  case DType::Bool:
    return 6;
  case DType::BFloat16:
    return 4;
  case DType::Float16:
  case DType::Float32:
  case DType::Float64:
    return 2;
  case DType::UInt8:
  case DType::UInt16:
  case DType::UInt32:
  case DType::UInt64:
    return 1;
  default:
    return 0;
  }
}

/// Runs when the capsule dies; a consumer renames it and frees the tensor itself.
static void destroyCapsule(PyObject *capsule) {
  if (!PyCapsule_IsValid(capsule, "dltensor"))
    return;
  auto *managed = static_cast<DLManagedTensor *>(
      PyCapsule_GetPointer(capsule, "dltensor"));
  managed->deleter(managed);
}

py::object mlir::mindir::python::toDLPack(const Array &array, py::object,
                                          py::object, py::object,
                                          py::object copy) {
  auto *exported = new Export{{}, array, array.getSizes(), array.getStrides()};
  if (!copy.is_none() && py::cast<bool>(copy)) {
    raiseStatus(array.copy(exported->array));
    exported->strides = exported->array.getStrides();
  }
  uint8_t bits = static_cast<uint8_t>(8 * mindrt::dtypeSize(array.getDType()));
  exported->managed = {
      {exported->array.getData(), DLDevice{1, 0},
       static_cast<int32_t>(exported->sizes.size()),
       DLDataType{getCode(array.getDType()), bits, 1}, exported->sizes.data(),
       exported->strides.data(), 0},
      exported,
      [](DLManagedTensor *managed) {
        delete static_cast<Export *>(managed->context);
      }};
  return py::reinterpret_steal<py::object>(
      PyCapsule_New(&exported->managed, "dltensor", destroyCapsule));
}
