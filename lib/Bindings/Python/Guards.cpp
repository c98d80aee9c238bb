//===- Guards.cpp - checks of the tensors of a compiled call --------------===//
//
// The two guards that grow with the number of tensors, as one call each: are they
// of the types that the call was compiled for, and do the same of them share memory.
//
//===----------------------------------------------------------------------===//
#include "Bindings.h"
#include "EagerTensor.h"

#include <pybind11/stl.h>

#include "llvm/ADT/DenseMap.h"

namespace py = pybind11;
using namespace mlir::mindir::python;

namespace {
/// What one tensor has to be.
struct TensorType {
  PyTypeObject *type;
  std::string dtype;
  /// Sizes; -1 for any of at least 2.
  std::vector<int64_t> dims;
  bool requiresGrad;
};
} // namespace

static bool fits(const std::vector<int64_t> &sizes,
                 const std::vector<int64_t> &dims) {
  if (sizes.size() != dims.size())
    return false;
  for (size_t i = 0; i < sizes.size(); ++i)
    if (sizes[i] != dims[i] && (dims[i] >= 0 || sizes[i] < 2))
      return false;
  return true;
}

/// Whether the object's `requires_grad`, false where it has none, is as expected.
static bool matchesGrad(PyObject *object, bool expected) {
  PyObject *found = PyObject_GetAttrString(object, "requires_grad");
  if (!found) {
    PyErr_Clear();
    return !expected;
  }
  bool value = PyObject_IsTrue(found) == 1;
  Py_DECREF(found);
  return value == expected;
}

namespace {
/// The types of the tensors of a call, compared in one go.
class TensorGuards {
public:
  /// Items: (class, dtype name, sizes with None for an open one, requires_grad).
  /// plain: the class whose instances never require gradients.
  TensorGuards(py::list items, py::type plain)
      : plain(reinterpret_cast<PyTypeObject *>(plain.ptr())) {
    for (py::handle item : items) {
      auto entry = py::cast<py::tuple>(item);
      TensorType type;
      type.type = reinterpret_cast<PyTypeObject *>(entry[0].ptr());
      type.dtype = py::cast<std::string>(entry[1]);
      for (py::handle size : entry[2])
        type.dims.push_back(size.is_none() ? -1 : py::cast<int64_t>(size));
      type.requiresGrad = py::cast<bool>(entry[3]);
      kept.append(entry[0]);
      types.push_back(std::move(type));
    }
  }

  bool match(const py::tuple &tensors) const {
    if (tensors.size() != types.size())
      return false;
    for (size_t i = 0; i < types.size(); ++i)
      if (!matchOne(PyTuple_GET_ITEM(tensors.ptr(), i), types[i]))
        return false;
    return true;
  }

private:
  bool matchOne(PyObject *object, const TensorType &type) const {
    bool isExact = Py_TYPE(object) == type.type;
    if (!isExact && !PyObject_TypeCheck(object, type.type))
      return false;
    if (!isTensor(object) || !asTensor(object)->array)
      return false;
    const mindrt::Array &array = *asTensor(object)->array;
    if (mindrt::dtypeName(array.getDType()) != type.dtype ||
        !fits(array.getSizes(), type.dims))
      return false;
    if (isExact && type.type == plain)
      return !type.requiresGrad;
    return matchesGrad(object, type.requiresGrad);
  }

  PyTypeObject *plain;
  std::vector<TensorType> types;
  py::list kept;
};
} // namespace

/// What tells apart tensors by their memory; of anything else the object itself.
static const void *getStorage(PyObject *object) {
  if (isTensor(object) && asTensor(object)->array)
    return asTensor(object)->array->getBuffer().get();
  return object;
}

/// For each object the index of the first that shares its memory.
static std::vector<size_t> getGroups(PyObject *const *objects, size_t count) {
  llvm::SmallDenseMap<const void *, size_t, 64> seen;
  std::vector<size_t> groups(count);
  for (size_t i = 0; i < count; ++i)
    groups[i] = seen.try_emplace(getStorage(objects[i]), i).first->second;
  return groups;
}

static py::tuple getStorageGroups(const py::tuple &tensors) {
  std::vector<PyObject *> objects;
  for (py::handle tensor : tensors)
    objects.push_back(tensor.ptr());
  return py::tuple(py::cast(getGroups(objects.data(), objects.size())));
}

namespace {
/// Collects the inputs of a call: objects that are known, by weak reference, and
/// what the caller hands over.
class CallInputs {
public:
  /// layout: for each input a weak reference, or None for the next object handed
  /// over. groups: which of the inputs must share memory, or None.
  CallInputs(py::list layout, py::object groups) : layout(std::move(layout)) {
    isChecked = !groups.is_none();
    if (isChecked)
      expected = py::cast<std::vector<size_t>>(groups);
  }

  /// The list of inputs; None when an object is gone or memory is shared otherwise.
  py::object collect(const py::tuple &given) const {
    size_t count = layout.size(), next = 0;
    py::list inputs(count);
    for (size_t i = 0; i < count; ++i) {
      PyObject *reference = PyList_GET_ITEM(layout.ptr(), i);
      PyObject *object = reference == Py_None
                             ? PyTuple_GET_ITEM(given.ptr(), next++)
                             : PyWeakref_GetObject(reference);
      if (object == Py_None && reference != Py_None)
        return py::none();
      Py_INCREF(object);
      PyList_SET_ITEM(inputs.ptr(), i, object);
    }
    PyObject **items = reinterpret_cast<PyListObject *>(inputs.ptr())->ob_item;
    if (isChecked && getGroups(items, count) != expected)
      return py::none();
    return inputs;
  }

private:
  py::list layout;
  std::vector<size_t> expected;
  bool isChecked;
};
} // namespace

void mlir::mindir::python::bindGuards(py::module_ &module) {
  py::class_<TensorGuards>(module, "TensorGuards",
                           "The types of the tensors of a compiled call.")
      .def(py::init<py::list, py::type>(), py::arg("items"), py::arg("plain"),
           "items: (class, dtype name, sizes, requires_grad) of each; plain: the "
           "class whose instances never require gradients.")
      .def("__call__", &TensorGuards::match, py::arg("tensors"),
           "Whether the tensors are of these types.");
  py::class_<CallInputs>(module, "CallInputs", "The inputs of a compiled call.")
      .def(py::init<py::list, py::object>(), py::arg("layout"), py::arg("groups"),
           "layout: for each input a weak reference, or None for one that the "
           "caller hands over; groups: as of storage_groups, or None.")
      .def("__call__", &CallInputs::collect, py::arg("given"),
           "The list of inputs; None when one is gone or shares other memory.");
  module.def("storage_groups", &getStorageGroups, py::arg("tensors"),
             "For each tensor the index of the first that shares its memory.");
}
