//===- EagerTensor.cpp - the C type under Tensor --------------------------===//
//
// Lifetime, garbage collection and attributes of the type, and the state that
// belongs to a thread. Its operators are in EagerOperators.cpp.
//
//===----------------------------------------------------------------------===//
#include "EagerTensor.h"

#include "Bindings.h"
#include "EagerOperators.h"
#include "Errors.h"

#include <structmember.h>

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;

static PyTypeObject *tensorBase = nullptr;
static PyTypeObject *tensorClass = nullptr;

ThreadState &mlir::mindir::python::getThreadState() {
  static thread_local ThreadState state;
  return state;
}

PyTypeObject *mlir::mindir::python::getTensorBase() { return tensorBase; }

void mlir::mindir::python::setTensorClass(py::type value) {
  tensorClass = reinterpret_cast<PyTypeObject *>(value.release().ptr());
}

TensorObject *mlir::mindir::python::getTensor(py::handle object) {
  if (!isTensor(object.ptr()))
    raiseTypeError("expected a Tensor, found " +
                   std::string(Py_TYPE(object.ptr())->tp_name));
  return asTensor(object.ptr());
}

uint64_t mlir::mindir::python::makeNode() {
  static uint64_t last = 0;
  return ++last;
}

void mlir::mindir::python::setPythonError() {
  try {
    throw;
  } catch (py::error_already_set &error) {
    error.restore();
  } catch (const PythonError &error) {
    PyErr_SetString(static_cast<PyObject *>(error.getType()), error.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const py::builtin_exception &error) {
    error.set_error();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

static PyObject *create(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *self = type->tp_alloc(type, 0);
  if (self)
    new (&asTensor(self)->array) std::shared_ptr<Array>();
  return self;
}

static int clear(PyObject *self) {
  Py_CLEAR(asTensor(self)->view);
  Py_CLEAR(asTensor(self)->spec);
  return 0;
}

static int traverse(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(asTensor(self)->view);
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static void deallocate(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clear(self);
  asTensor(self)->array.~shared_ptr();
  type->tp_free(self);
  Py_DECREF(type);
}

py::object
mlir::mindir::python::makeTensor(std::shared_ptr<Array> array) {
  PyObject *self = create(tensorClass, nullptr, nullptr);
  if (!self)
    throw py::error_already_set();
  asTensor(self)->array = std::move(array);
  return py::reinterpret_steal<py::object>(self);
}

py::object mlir::mindir::python::makeTensor(Array array) {
  return makeTensor(std::make_shared<Array>(std::move(array)));
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static PyObject *getArray(PyObject *self, void *) {
  return guard([&] {
    std::shared_ptr<Array> array = asTensor(self)->array;
    return (array ? py::cast(std::move(array)) : py::none()).release().ptr();
  });
}

static int setArray(PyObject *self, PyObject *value, void *) {
  PyObject *done = guard([&] {
    std::shared_ptr<Array> array;
    if (value && value != Py_None)
      array = py::cast<std::shared_ptr<Array>>(py::handle(value));
    asTensor(self)->array = std::move(array);
    Py_CLEAR(asTensor(self)->spec);
    return Py_None;
  });
  return done ? 0 : -1;
}

/// The dtype's name as a string object, one per dtype.
static py::handle getNameObject(mindrt::DType dtype) {
  static PyObject *names[32] = {};
  PyObject *&name = names[static_cast<int>(dtype)];
  if (!name)
    name = PyUnicode_InternFromString(mindrt::dtypeName(dtype));
  return name;
}

py::object mlir::mindir::python::getSpec(TensorObject *tensor) {
  if (!tensor->array)
    throw py::attribute_error("a traced tensor has no array");
  if (!tensor->spec) {
    const Array &array = *tensor->array;
    py::tuple shape(array.getSizes().size());
    for (size_t d = 0; d < array.getSizes().size(); ++d)
      shape[d] = array.getSizes()[d];
    tensor->spec =
        py::make_tuple(getNameObject(array.getDType()), shape).release().ptr();
  }
  return py::reinterpret_borrow<py::object>(tensor->spec);
}

static PyObject *getSpecAttribute(PyObject *self, void *) {
  return guard([&] { return getSpec(asTensor(self)).release().ptr(); });
}

static PyObject *getShape(PyObject *self, void *) {
  return guard([&] {
    py::object spec = getSpec(asTensor(self));
    return Py_NewRef(PyTuple_GET_ITEM(spec.ptr(), 1));
  });
}

static PyObject *getNode(PyObject *self, void *) {
  uint64_t node = asTensor(self)->node;
  return node ? PyLong_FromUnsignedLongLong(node) : Py_NewRef(Py_None);
}

static int setNode(PyObject *self, PyObject *value, void *) {
  uint64_t node = 0;
  if (value && value != Py_None)
    node = PyLong_AsUnsignedLongLong(value);
  if (PyErr_Occurred())
    return -1;
  asTensor(self)->node = node;
  return 0;
}

static PyGetSetDef attributes[] = {
    {"_array", getArray, setArray, "The _core.Array; None of a traced tensor.",
     nullptr},
    {"_spec", getSpecAttribute, nullptr, "(dtype name, shape).", nullptr},
    {"shape", getShape, nullptr, "The sizes of the dimensions, a tuple of ints.",
     nullptr},
    {"_node", getNode, setNode, "The value's identity on tapes, or None.",
     nullptr},
    {}};

static PyMemberDef members[] = {
    {"_view", T_OBJECT, offsetof(TensorObject, view), 0,
     "(base, op, arguments) of a view, or None."},
    {"_seen", T_ULONGLONG, offsetof(TensorObject, seen), 0,
     "The root's count of writes for which _node holds."},
    {"_writes", T_ULONGLONG, offsetof(TensorObject, writes), 0,
     "How often the tensor, or a view of it, was written while followed."},
    {}};

//===----------------------------------------------------------------------===//
// Thread state
//===----------------------------------------------------------------------===//

using Field = PyObject *ThreadState::*;
static Field fields[] = {&ThreadState::emitter, &ThreadState::stack,
                         &ThreadState::tapes};

static PyObject *getField(PyObject *, void *which) {
  auto index = reinterpret_cast<uintptr_t>(which);
  if (PyObject *value = getThreadState().*fields[index])
    return Py_NewRef(value);
  return index == 0 ? Py_NewRef(Py_None) : PyTuple_New(0);
}

static int setField(PyObject *, PyObject *value, void *which) {
  auto index = reinterpret_cast<uintptr_t>(which);
  if (index != 0 && value && !PyTuple_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "expected a tuple");
    return -1;
  }
  bool isEmpty = !value || value == Py_None ||
                 (index != 0 && PyTuple_GET_SIZE(value) == 0);
  Py_XSETREF(getThreadState().*fields[index],
             isEmpty ? nullptr : Py_NewRef(value));
  return 0;
}

static PyObject *getInBody(PyObject *, void *) {
  return PyBool_FromLong(getThreadState().inBody);
}

static int setInBody(PyObject *, PyObject *value, void *) {
  getThreadState().inBody = value == Py_True;
  return 0;
}

static void *index(uintptr_t value) { return reinterpret_cast<void *>(value); }

static py::object makeThreadState() {
  static PyGetSetDef state[] = {
      {"emitter", getField, setField, "The emitter in force, or None.", index(0)},
      {"stack", getField, setField, "The enclosing emitters' states.", index(1)},
      {"tapes", getField, setField, "The active gradient tapes.", index(2)},
      {"in_body", getInBody, setInBody, "Whether an op's body runs.", nullptr},
      {}};
  PyType_Slot slots[] = {{Py_tp_getset, state}, {0, nullptr}};
  PyType_Spec spec = {"mindir._core.ThreadState", sizeof(PyObject), 0,
                      Py_TPFLAGS_DEFAULT, slots};
  auto type = py::reinterpret_steal<py::object>(PyType_FromSpec(&spec));
  if (!type)
    throw py::error_already_set();
  return type();
}

void mlir::mindir::python::bindEagerTensor(py::module_ &module) {
  std::vector<PyType_Slot> slots = {
      {Py_tp_new, reinterpret_cast<void *>(create)},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocate)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_getset, attributes},
      {Py_tp_members, members}};
  addOperatorSlots(slots);
  slots.push_back({0, nullptr});
  PyType_Spec spec = {"mindir._core.TensorBase", sizeof(TensorObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                          Py_TPFLAGS_HAVE_GC,
                      slots.data()};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type)
    throw py::error_already_set();
  tensorBase = reinterpret_cast<PyTypeObject *>(type);
  tensorClass = tensorBase;
  module.attr("TensorBase") = py::handle(type);
  module.attr("thread_state") = makeThreadState();
  module.def("set_tensor_class", &setTensorClass,
             "Results of ops are instances of this subclass of TensorBase.");
  module.def("wrap", [](std::shared_ptr<Array> array) {
    return makeTensor(std::move(array));
  }, "A Tensor over an Array, sharing it.");
  module.def("make_node", &makeNode, "A node that no value has yet.");
}
