//===- ArrayBinding.cpp - Array in Python ---------------------------------===//
//
// The Python face of the runtime's arrays, and their exchange with numpy and
// dlpack, which share the bytes.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "Errors.h"
#include "NumpyTypes.h"

#include "mindir/Runtime/Array.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;
using mindrt::Buffer;

using BufferRef = std::shared_ptr<Buffer>;

/// Arrays above this size are copied without the interpreter lock.
static constexpr int64_t kLargeBytes = 1 << 18;

static mindrt::DType getDType(const std::string &name) {
  if (auto dtype = mindrt::dtypeFromName(name))
    return *dtype;
  raiseTypeError("expected a dtype such as 'float32', found '" + name + "'");
}

//===----------------------------------------------------------------------===//
// numpy
//===----------------------------------------------------------------------===//

/// A Python object's reference, dropped by the storage that stands on its memory.
static void dropObject(void *, void *object) {
  if (!Py_IsInitialized())
    return;
  py::gil_scoped_acquire lock;
  Py_DECREF(static_cast<PyObject *>(object));
}

/// numpy's strides in elements; false when one is not a multiple of the element.
static bool getElementStrides(const py::array &array, Array::Sizes &strides) {
  for (py::ssize_t d = 0; d < array.ndim(); ++d) {
    if (array.strides(d) % array.itemsize() != 0)
      return false;
    strides.push_back(array.strides(d) / array.itemsize());
  }
  return true;
}

/// An Array over numpy's own memory; none when its layout does not allow it.
static std::optional<Array> wrapNumpy(const py::array &array,
                                      mindrt::DType dtype) {
  Array::Sizes sizes(array.shape(), array.shape() + array.ndim()), strides;
  if (!array.writeable() || !getElementStrides(array, strides))
    return std::nullopt;
  // numpy's pointer is that of the first element: a negative stride reaches
  // below it.
  int64_t below = 0, above = 1;
  for (size_t d = 0; d < sizes.size(); ++d)
    (strides[d] < 0 ? below : above) += (sizes[d] - 1) * strides[d];
  auto *start = static_cast<char *>(const_cast<void *>(array.data())) +
                below * array.itemsize();
  int64_t bytes = array.size() == 0 ? 0 : (above - below) * array.itemsize();
  mindrt::StorageRef storage = mindrt::StorageRef::adopt(mindrt_storage_wrap(
      start, bytes, dropObject, py::object(array).release().ptr()));
  if (!storage)
    raiseStatus(mindrt::lastError());
  Array result;
  raiseStatus(Array::create(std::make_shared<Buffer>(std::move(storage)), dtype,
                            std::move(sizes), std::move(strides), -below,
                            result));
  return result;
}

static Array fromNumpy(py::object value, bool copy) {
  py::array array = toNativeArray(value);
  mindrt::DType dtype = getDType(getDTypeName(array));
  if (!copy)
    if (std::optional<Array> shared = wrapNumpy(array, dtype))
      return *shared;
  // ascontiguousarray makes a 0-d array 1-d: the sizes are taken before.
  Array result;
  raiseStatus(Array::allocate(
      dtype, Array::Sizes(array.shape(), array.shape() + array.ndim()),
      result));
  array = py::module_::import("numpy").attr("ascontiguousarray")(array);
  std::memcpy(result.getData(), array.data(),
              static_cast<size_t>(result.getNumBytes()));
  return result;
}

/// A numpy array over the same bytes, which it keeps alive.
static py::array toNumpy(const Array &array) {
  py::capsule owner(new BufferRef(array.getBuffer()), [](void *buffer) {
    delete static_cast<BufferRef *>(buffer);
  });
  int64_t element = mindrt::dtypeSize(array.getDType());
  std::vector<py::ssize_t> strides;
  for (int64_t stride : array.getStrides())
    strides.push_back(stride * element);
  return py::array(getNumpyType(array.getDType()), array.getSizes(), strides,
                   array.getData(), owner);
}

//===----------------------------------------------------------------------===//
// Array
//===----------------------------------------------------------------------===//

static Array makeEmpty(const std::string &dtype, Array::Sizes shape) {
  Array result;
  raiseStatus(Array::allocate(getDType(dtype), std::move(shape), result));
  return result;
}

static Array makeCopy(const Array &array) {
  Array result;
  mindrt::Status status;
  if (array.getNumBytes() < kLargeBytes) {
    status = array.copy(result);
  } else {
    py::gil_scoped_release unlocked;
    status = array.copy(result);
  }
  raiseStatus(status);
  return result;
}

static void assign(Array &target, const Array &source) {
  Array to = target, from = source;
  mindrt::Status status;
  {
    // The lock may be held by a running compiled call.
    py::gil_scoped_release unlocked;
    std::unique_lock<std::shared_mutex> lock(to.getBuffer()->getMutex());
    status = to.assign(from);
  }
  raiseStatus(status);
}

static Array makeView(const Array &array, int64_t offset, Array::Sizes shape,
                      std::optional<Array::Sizes> strides) {
  Array result;
  if (!strides)
    strides = mindrt::denseStrides(shape);
  raiseStatus(Array::create(array.getBuffer(), array.getDType(),
                            std::move(shape), std::move(*strides),
                            array.getOffset() + offset, result));
  return result;
}

static py::tuple toTuple(const Array::Sizes &sizes) {
  py::tuple result(sizes.size());
  for (size_t d = 0; d < sizes.size(); ++d)
    result[d] = sizes[d];
  return result;
}

static py::object getItem(const Array &array) {
  if (array.getNumElements() != 1)
    raiseValueError("expected an array of one element for item(), found " +
                    std::to_string(array.getNumElements()) + " elements");
  py::object value = toNumpy(array);
  if (array.getDType() == mindrt::DType::BFloat16)
    value = py::float_(widenBFloat16(array.getData()));
  return py::hasattr(value, "item") ? value.attr("item")() : value;
}

static std::string describe(const Array &array) {
  return "Array(" + std::string(mindrt::dtypeName(array.getDType())) + ", " +
         py::cast<std::string>(py::str(toTuple(array.getSizes()))) + ")";
}

static void bindProperties(py::class_<Array, std::shared_ptr<Array>> &array) {
  array
      .def_property_readonly(
          "dtype", [](const Array &a) { return mindrt::dtypeName(a.getDType()); },
          "numpy's name of the element type, or 'bfloat16'.")
      .def_property_readonly(
          "shape", [](const Array &a) { return toTuple(a.getSizes()); })
      .def_property_readonly(
          "strides", [](const Array &a) { return toTuple(a.getStrides()); },
          "In elements.")
      .def_property_readonly("offset", &Array::getOffset,
                             "Of the first element in the storage, in elements.")
      .def_property_readonly("ndim", &Array::getRank)
      .def_property_readonly("size", &Array::getNumElements)
      .def_property_readonly("nbytes", &Array::getNumBytes)
      .def_property_readonly("is_contiguous", &Array::isContiguous,
                             "Whether the elements lie dense in row-major order.")
      .def_property_readonly(
          "data_ptr",
          [](const Array &a) { return reinterpret_cast<uintptr_t>(a.getData()); })
      .def_property_readonly(
          "storage_id",
          [](const Array &a) {
            return reinterpret_cast<uintptr_t>(a.getBuffer().get());
          },
          "Equal for arrays that share their bytes.")
      .def_property_readonly(
          "version", [](const Array &a) { return a.getBuffer()->getVersion(); },
          "Number of in-place writes to the storage so far.");
}

void mlir::mindir::python::bindArray(py::module_ &module) {
  py::class_<Array, std::shared_ptr<Array>> array(
      module, "Array", "A strided array over reference-counted bytes.");
  bindProperties(array);
  array
      .def_static("from_numpy", &fromNumpy, py::arg("array"),
                  py::arg("copy") = true,
                  "An Array of a numpy array; without copy it shares the bytes "
                  "where the layout allows.")
      .def_static("empty", &makeEmpty, py::arg("dtype"), py::arg("shape"),
                  "A dense array of undefined contents.")
      .def("numpy", &toNumpy,
           "A numpy array over the same bytes; bfloat16 as ml_dtypes' type, or "
           "as uint16 without that package.")
      .def("item", &getItem, "The only element as a Python number.")
      .def("copy", &makeCopy, "A fresh dense array with the same elements.")
      .def("assign", &assign, py::arg("other"),
           "Writes the elements of another array of the same type into this one.")
      .def("view", &makeView, py::arg("offset"), py::arg("shape"),
           py::arg("strides") = py::none(),
           "An array over the same bytes; offset counts elements from this "
           "array's first.")
      .def(
          "bump_version", [](Array &a) { a.getBuffer()->bumpVersion(); },
          "Counts a write that was made through numpy.")
      .def("__dlpack__", &toDLPack, py::arg("stream") = py::none(),
           py::kw_only(), py::arg("max_version") = py::none(),
           py::arg("dl_device") = py::none(), py::arg("copy") = py::none())
      .def("__dlpack_device__",
           [](const Array &) { return py::make_tuple(1, 0); })
      .def("__repr__", describe);
  module.def("round_to_bfloat16", &roundToBFloat16, py::arg("values"),
             "The bits, as uint16, of a numpy array's values rounded to bfloat16.");
}
