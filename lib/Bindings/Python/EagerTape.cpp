//===- EagerTape.cpp - eager calls and their gradients --------------------===//
//
// Running, recording and walking back; see EagerTape.h. Views and writes in place,
// which are rare, are handled in Python (mindir/runtime/tape.py).
//
//===----------------------------------------------------------------------===//
#include "EagerTape.h"

#include "Bindings.h"
#include "EagerDispatch.h"
#include "Errors.h"

#include <pybind11/stl.h>

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;
using mindrt::DType;

/// Code of one op on fewer bytes than this runs under the interpreter lock.
static constexpr int64_t kShortBytes = 1 << 16;

TapeHooks &mlir::mindir::python::getTapeHooks() {
  static TapeHooks *hooks = new TapeHooks(); // outlives the interpreter
  return *hooks;
}

static Tape &getTape(size_t index) {
  return py::cast<Tape &>(
      py::handle(PyTuple_GET_ITEM(getThreadState().tapes, index)));
}

static bool isFloat(DType dtype) {
  return dtype == DType::Float32 || dtype == DType::Float16 ||
         dtype == DType::BFloat16 || dtype == DType::Float64;
}

static bool isView(const TensorObject *tensor) {
  return tensor->view && tensor->view != Py_None;
}

static TensorObject *getRoot(TensorObject *tensor) {
  while (isView(tensor))
    tensor = getTensor(PyTuple_GET_ITEM(tensor->view, 0));
  return tensor;
}

uint64_t mlir::mindir::python::nodeOf(TensorObject *tensor) {
  if (!isView(tensor) || getThreadState().getNumTapes() == 0)
    return tensor->node;
  unsigned long long writes = getRoot(tensor)->writes;
  if (tensor->seen != writes) {
    tensor->seen = writes;
    auto view = py::reinterpret_borrow<py::tuple>(tensor->view);
    py::object value = getTapeHooks().computeView(*view);
    tensor->node = getTensor(value)->node;
  }
  return tensor->node;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static int64_t countBytes(llvm::ArrayRef<Array *> arrays) {
  int64_t bytes = 0;
  for (const Array *array : arrays)
    bytes += array->getNumBytes();
  return bytes;
}

/// Must precede each write into the tensor's storage.
static void beforeWrite(const Array &array) {
  for (size_t i = 0, e = getThreadState().getNumTapes(); i < e; ++i)
    getTape(i).preserve(array.getBuffer().get());
}

/// Runs a module without recording.
static Results run(ModuleCallable &module,
                   llvm::ArrayRef<TensorObject *> tensors) {
  std::shared_ptr<mlir::mindir::Executable> executable = module.getExecutable();
  llvm::SmallVector<std::shared_ptr<Array>, 8> owners;
  llvm::SmallVector<Array *, 8> arrays;
  for (TensorObject *tensor : tensors) {
    if (!tensor->array)
      raiseTypeError("expected Tensors with values, found a traced one");
    owners.push_back(tensor->array);
    arrays.push_back(owners.back().get());
  }
  for (auto [result, target] : module.getUpdates())
    beforeWrite(*arrays[target]);
  std::vector<Array> produced;
  runExecutable(*executable, arrays, produced,
                module.isOp && countBytes(arrays) < kShortBytes);
  Results results;
  results.reserve(produced.size());
  for (Array &array : produced)
    results.push_back(array ? makeTensor(std::move(array)) : py::none());
  for (auto [result, target] : module.getUpdates())
    tensors[target]->node = 0;
  return results;
}

/// The tensor's present value as one of its own, which shares its storage until a
/// write.
static py::object snapshot(TensorObject *tensor) {
  py::object held = makeTensor(tensor->array);
  getTensor(held)->node = nodeOf(tensor);
  return held;
}

/// The result, or the tensor that it was written into; null for a token.
static TensorObject *getValue(const ModuleCallable &module, const Results &results,
                              llvm::ArrayRef<TensorObject *> tensors, size_t k) {
  if (!results[k].is_none())
    return asTensor(results[k].ptr());
  auto update = module.getUpdates().find(k);
  return update == module.getUpdates().end() ? nullptr : tensors[update->second];
}

/// The error in flight as a Python exception object, if it is of those that tell
/// that an op cannot be differentiated; else goes on with it.
static py::object takeError() {
  setPythonError();
  for (PyObject *type : {PyExc_TypeError, PyExc_ValueError, PyExc_RuntimeError})
    if (PyErr_ExceptionMatches(type))
      return py::error_already_set().value();
  throw py::error_already_set();
}

/// Records a call whose derivative cannot be had: an error once it is asked for.
static Results recordError(Tape &tape, py::object error,
                           const std::shared_ptr<ModuleCallable> &module,
                           llvm::ArrayRef<TensorObject *> tensors,
                           llvm::ArrayRef<uint64_t> inputs, size_t depth) {
  Results results = call(module, tensors, depth - 1);
  Tensors values;
  for (size_t k = 0; k < results.size(); ++k) {
    TensorObject *value = getValue(*module, results, tensors, k);
    if (value && isFloat(value->array->getDType()))
      values.push_back(value);
  }
  tape.add(std::move(error), {}, inputs, values);
  return results;
}

static Results record(Tape &tape, const std::shared_ptr<ModuleCallable> &module,
                      llvm::ArrayRef<TensorObject *> tensors,
                      const std::vector<int64_t> &wrt, size_t depth) {
  llvm::SmallVector<uint64_t, 4> inputs;
  for (int64_t i : wrt)
    inputs.push_back(tensors[i]->node);
  std::shared_ptr<Derivative> derivative;
  py::object error;
  try {
    derivative = module->getDerivative(wrt);
  } catch (...) {
    error = takeError();
  }
  if (!derivative)
    return recordError(tape, std::move(error), module, tensors, inputs, depth);
  Results saved(derivative->saved.size());
  for (auto [from, value] : llvm::zip_equal(derivative->saved, saved))
    if (from.isArgument)
      value = snapshot(tensors[from.index]);
  Results results = call(derivative->forward, tensors, depth - 1);
  for (auto [from, value] : llvm::zip_equal(derivative->saved, saved))
    if (!from.isArgument)
      value = snapshot(getTensor(results[from.index]));
  results.resize(results.size() - derivative->numResiduals);
  Tensors values;
  for (int64_t k : derivative->cotangents)
    values.push_back(getValue(*module, results, tensors, k));
  tape.add(py::cast(derivative->backward), std::move(saved), inputs, values);
  return results;
}

Results mlir::mindir::python::call(const std::shared_ptr<ModuleCallable> &module,
                                   llvm::ArrayRef<TensorObject *> tensors,
                                   size_t depth) {
  for (; depth; --depth) {
    Tape &tape = getTape(depth - 1);
    std::vector<int64_t> wrt;
    for (auto [i, tensor] : llvm::enumerate(tensors))
      if (tensor->array && isFloat(tensor->array->getDType()) &&
          tape.follows(tensor))
        wrt.push_back(i);
    if (!wrt.empty())
      return record(tape, module, tensors, wrt, depth);
  }
  return run(*module, tensors);
}

//===----------------------------------------------------------------------===//
// Tape
//===----------------------------------------------------------------------===//

uint64_t Tape::watch(TensorObject *tensor) {
  uint64_t node = nodeOf(tensor);
  if (!node)
    node = tensor->node = makeNode();
  nodes.insert(node);
  return node;
}

bool Tape::follows(TensorObject *tensor) const {
  uint64_t node = nodeOf(tensor);
  return node && nodes.contains(node);
}

void Tape::add(py::object backward, Results residuals,
               llvm::ArrayRef<uint64_t> inputs,
               llvm::ArrayRef<TensorObject *> results) {
  Entry entry;
  entry.backward = std::move(backward);
  entry.inputs.assign(inputs.begin(), inputs.end());
  for (TensorObject *result : results) {
    if (!result->node)
      result->node = makeNode();
    nodes.insert(result->node);
    entry.outputs.push_back(result->node);
    entry.types.push_back(
        {result->array->getDType(), result->array->getSizes()});
  }
  for (const py::object &residual : residuals)
    held[asTensor(residual.ptr())->array->getBuffer().get()].push_back(residual);
  entry.residuals = std::move(residuals);
  entries.push_back(std::move(entry));
}

void Tape::preserve(const mindrt::Buffer *buffer) {
  auto found = held.find(buffer);
  if (found == held.end())
    return;
  std::vector<py::object> residuals = std::move(found->second);
  held.erase(found);
  for (const py::object &residual : residuals) {
    auto copy = std::make_shared<Array>();
    raiseStatus(asTensor(residual.ptr())->array->copy(*copy));
    asTensor(residual.ptr())->array = std::move(copy);
  }
}

static py::object makeZeros(DType dtype, const Array::Sizes &sizes) {
  Array array;
  raiseStatus(Array::allocate(dtype, sizes, array));
  std::memset(array.getData(), 0, static_cast<size_t>(array.getNumBytes()));
  return makeTensor(std::move(array));
}

static void accumulate(llvm::DenseMap<uint64_t, py::object> &found,
                       uint64_t node, py::object cotangent) {
  auto at = found.find(node);
  if (at == found.end()) {
    found[node] = std::move(cotangent);
    return;
  }
  // The sum may run Python code, but nothing that reaches `found`.
  py::object sum = callOp(getTapeHooks().add, {at->second.ptr(), cotangent.ptr()});
  found[node] = std::move(sum);
}

/// The cotangents of an entry's results, zeros for missing ones; none when all are.
Results Tape::take(const Entry &entry, Cotangents &found,
                   const llvm::DenseSet<uint64_t> &kept) {
  Results cotangents(entry.outputs.size());
  bool isAny = false;
  for (auto [node, cotangent] : llvm::zip_equal(entry.outputs, cotangents)) {
    auto at = found.find(node);
    if (at == found.end())
      continue;
    isAny = true;
    cotangent = at->second;
    if (!kept.contains(node))
      found.erase(at);
  }
  if (!isAny)
    return {};
  for (auto [type, cotangent] : llvm::zip_equal(entry.types, cotangents))
    if (!cotangent)
      cotangent = makeZeros(type.dtype, type.sizes);
  return cotangents;
}

std::vector<py::object> Tape::runBackward(const Entry &entry,
                                          Results cotangents) {
  if (PyExceptionInstance_Check(entry.backward.ptr())) {
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(entry.backward.ptr())),
                    entry.backward.ptr());
    throw py::error_already_set();
  }
  if (!py::isinstance<ModuleCallable>(entry.backward))
    return py::cast<std::vector<py::object>>(
        entry.backward(py::cast(cotangents)));
  Tensors tensors;
  for (const py::object &residual : entry.residuals)
    tensors.push_back(getTensor(residual));
  for (const py::object &cotangent : cotangents)
    tensors.push_back(getTensor(cotangent));
  return call(py::cast<std::shared_ptr<ModuleCallable>>(entry.backward), tensors,
              getThreadState().getNumTapes());
}

Results
Tape::gradient(const std::vector<std::pair<uint64_t, py::object>> &seeds,
               const std::vector<uint64_t> &sources) {
  Cotangents found;
  for (const auto &[node, cotangent] : seeds)
    accumulate(found, node, cotangent);
  llvm::DenseSet<uint64_t> kept(sources.begin(), sources.end());
  for (size_t i = entries.size(); i-- > 0;) {
    const Entry &entry = entries[i];
    Results cotangents = take(entry, found, kept);
    if (cotangents.empty())
      continue;
    std::vector<py::object> given = runBackward(entry, std::move(cotangents));
    for (auto [node, cotangent] : llvm::zip(entry.inputs, given))
      if (!cotangent.is_none())
        accumulate(found, node, cotangent);
  }
  Results results;
  for (uint64_t node : sources) {
    auto at = found.find(node);
    results.push_back(at == found.end() ? py::none() : at->second);
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Python
//===----------------------------------------------------------------------===//

static py::object enter(py::object self) {
  auto &tape = py::cast<Tape &>(self);
  PyObject *&tapes = getThreadState().tapes;
  tape.outer = tapes ? py::reinterpret_borrow<py::object>(tapes) : py::tuple();
  py::tuple inner = tape.outer + py::make_tuple(self);
  Py_XSETREF(tapes, inner.release().ptr());
  return self;
}

static void leave(Tape &tape, const py::args &) {
  py::object outer = std::exchange(tape.outer, py::object());
  bool isEmpty = !outer || PyTuple_GET_SIZE(outer.ptr()) == 0;
  Py_XSETREF(getThreadState().tapes, isEmpty ? nullptr : outer.release().ptr());
}

static void addFromPython(Tape &tape, py::object backward, py::list residuals,
                          const std::vector<uint64_t> &inputs, py::list results) {
  Tensors values;
  for (py::handle result : results)
    values.push_back(getTensor(result));
  Results kept;
  for (py::handle residual : residuals)
    kept.push_back(py::reinterpret_borrow<py::object>(
        reinterpret_cast<PyObject *>(getTensor(residual))));
  tape.add(std::move(backward), std::move(kept), inputs, values);
}

static Results callFromPython(const std::shared_ptr<ModuleCallable> &module,
                              py::sequence tensors) {
  Results owners;
  Tensors values;
  for (py::handle tensor : tensors) {
    owners.push_back(py::reinterpret_borrow<py::object>(tensor));
    values.push_back(getTensor(tensor));
  }
  return call(module, values, getThreadState().getNumTapes());
}

void mlir::mindir::python::bindEagerTape(py::module_ &module) {
  py::class_<Tape>(module, "Tape",
                   "Records, between `with`, the calls that depend on watched "
                   "tensors.")
      .def(py::init<>())
      .def("__enter__", &enter)
      .def("__exit__", &leave)
      .def("__len__", &Tape::size, "The number of recorded calls.")
      .def("watch",
           [](Tape &self, py::object tensor) {
             return self.watch(getTensor(tensor));
           },
           "Follows the tensor's present value; gives its node.")
      .def("follows",
           [](Tape &self, py::object tensor) {
             return self.follows(getTensor(tensor));
           },
           "Whether the tape follows the tensor's present value.")
      .def("add", &addFromPython, py::arg("backward"), py::arg("residuals"),
           py::arg("inputs"), py::arg("results"),
           "Appends a call: backward is a ModuleCallable, a function of the "
           "cotangents of results, or the error to raise.")
      .def("preserve",
           [](Tape &self, const Array &array) {
             self.preserve(array.getBuffer().get());
           },
           "Keeps what was recorded of the array's storage, before a write.")
      .def("gradient", &Tape::gradient, py::arg("seeds"), py::arg("sources"),
           "The cotangents of the nodes sources, None where zero; seeds are "
           "(node, cotangent) of the outputs. To be called outside of `with`.");
  module.def("call", &callFromPython, py::arg("module"), py::arg("tensors"),
             "Runs a ModuleCallable on Tensors, recording it on the tapes that "
             "follow an input. Gives a list with a Tensor per result, None for one "
             "that was written into an argument.");
  module.def(
      "node_of",
      [](py::object tensor) -> py::object {
        uint64_t node = nodeOf(getTensor(tensor));
        return node ? py::object(py::int_(node)) : py::none();
      },
      "The node of the tensor's present value, or None; a view's follows writes "
      "to its base.");
  module.def(
      "set_tape_hooks",
      [](py::object computeView, py::object add) {
        getTapeHooks() = {std::move(computeView), std::move(add)};
      },
      py::arg("compute_view"), py::arg("add"),
      "What the tape asks of Python: a view's value, and the sum of cotangents.");
}
