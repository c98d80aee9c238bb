//===- EagerOperators.cpp - the operators of Tensor -----------------------===//
//
// Operands that are Tensors and Python numbers go to the op at once; others, and
// captured code, to a Python function that converts them.
//
//===----------------------------------------------------------------------===//
#include "EagerOperators.h"

#include "EagerDispatch.h"
#include "EagerKey.h"
#include "EagerTensor.h"
#include "Errors.h"

#include <cstring>

namespace py = pybind11;
using namespace mlir::mindir::python;

namespace {
enum Operator : unsigned {
  Add, Subtract, Multiply, TrueDivide, FloorDivide, Remainder, Power, And, Or, Xor,
  MatrixMultiply, Negative, Absolute, Invert, Less, LessEqual, Equal, NotEqual,
  Greater, GreaterEqual, Subscript, numOperators
};

/// The names by which Python sets an operator, in the enumeration's order.
constexpr const char *operatorNames[numOperators] = {
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor",
    "matmul", "neg", "abs", "invert", "lt", "le", "eq", "ne", "gt", "ge",
    "getitem"};

struct Implementation {
  /// The op, or null where all calls go to `general`.
  PyObject *op;
  /// The operands in source order -> the result or NotImplemented.
  PyObject *general;
};
} // namespace

static Implementation implementations[numOperators];

static bool isOperand(PyObject *object) {
  return isTensor(object) || isPlainNumber(object);
}

static PyObject *callOperator(Operator which,
                              std::initializer_list<PyObject *> operands) {
  const Implementation &implementation = implementations[which];
  if (!implementation.general)
    return Py_NewRef(Py_NotImplemented);
  if (implementation.op && !getThreadState().emitter &&
      std::all_of(operands.begin(), operands.end(), isOperand))
    return guard([&] {
      return callOp(implementation.op, operands).release().ptr();
    });
  return PyObject_Vectorcall(implementation.general, operands.begin(),
                             operands.size(), nullptr);
}

template <Operator which> static PyObject *binary(PyObject *a, PyObject *b) {
  return callOperator(which, {a, b});
}
template <Operator which> static PyObject *unary(PyObject *a) {
  return callOperator(which, {a});
}

static PyObject *power(PyObject *a, PyObject *b, PyObject *modulus) {
  if (modulus != Py_None)
    return Py_NewRef(Py_NotImplemented);
  return callOperator(Power, {a, b});
}

static PyObject *compare(PyObject *a, PyObject *b, int which) {
  // In the order of Py_LT, Py_LE, Py_EQ, Py_NE, Py_GT, Py_GE.
  return callOperator(static_cast<Operator>(Less + which), {a, b});
}

/// Subscripts by ints and slices are views; others are resolved in Python.
static PyObject *subscript(PyObject *self, PyObject *index) {
  const Implementation &implementation = implementations[Subscript];
  if (implementation.op && !getThreadState().emitter &&
      (PyLong_CheckExact(index) || PySlice_Check(index)))
    return guard([&] {
      return callOp(implementation.op, {self, index}).release().ptr();
    });
  if (!implementation.general) {
    PyErr_SetString(PyExc_TypeError, "the tensor cannot be subscripted");
    return nullptr;
  }
  PyObject *operands[] = {self, index};
  return PyObject_Vectorcall(implementation.general, operands, 2, nullptr);
}

template <typename Function> static void *address(Function function) {
  return reinterpret_cast<void *>(function);
}

void mlir::mindir::python::addOperatorSlots(std::vector<PyType_Slot> &slots) {
  slots.insert(slots.end(),
               {{Py_nb_add, address(binary<Add>)},
                {Py_nb_subtract, address(binary<Subtract>)},
                {Py_nb_multiply, address(binary<Multiply>)},
                {Py_nb_true_divide, address(binary<TrueDivide>)},
                {Py_nb_floor_divide, address(binary<FloorDivide>)},
                {Py_nb_remainder, address(binary<Remainder>)},
                {Py_nb_power, address(power)},
                {Py_nb_and, address(binary<And>)},
                {Py_nb_or, address(binary<Or>)},
                {Py_nb_xor, address(binary<Xor>)},
                {Py_nb_matrix_multiply, address(binary<MatrixMultiply>)},
                {Py_nb_negative, address(unary<Negative>)},
                {Py_nb_absolute, address(unary<Absolute>)},
                {Py_nb_invert, address(unary<Invert>)},
                {Py_mp_subscript, address(subscript)},
                {Py_tp_richcompare, address(compare)},
                {Py_tp_hash, address(PyBaseObject_Type.tp_hash)}});
}

static void setOperator(const std::string &name, py::object op,
                        py::object general) {
  for (unsigned i = 0; i < numOperators; ++i) {
    if (name != operatorNames[i])
      continue;
    if (!op.is_none() && !isOp(op.ptr()))
      raiseTypeError("expected an op or None for '" + name + "'");
    implementations[i] = {op.is_none() ? nullptr : op.release().ptr(),
                          general.release().ptr()};
    return;
  }
  raiseValueError("expected an operator's name, found '" + name + "'");
}

void mlir::mindir::python::bindOperators(py::module_ &module) {
  module.def("set_operator", &setOperator, py::arg("name"), py::arg("op"),
             py::arg("general"),
             "Makes `op` an operator of tensors ('add', 'neg', 'lt' ...); "
             "`general` takes operands that are neither tensors nor numbers, and "
             "calls in captured code.");
}
