//===- EagerDispatch.cpp - eager calls of ops -----------------------------===//
//
// The type of ops, the cache of compiled signatures, and that of views.
//
//===----------------------------------------------------------------------===//
#include "EagerDispatch.h"

#include "Bindings.h"
#include "EagerKey.h"
#include "EagerOperators.h"
#include "EagerTape.h"
#include "Errors.h"

#include "llvm/ADT/DenseMap.h"

#include <pybind11/stl.h>
#include <structmember.h>

namespace py = pybind11;
using namespace mlir::mindir::python;
using mindrt::Array;

static PyTypeObject *opBase = nullptr;

bool mlir::mindir::python::isOp(PyObject *object) {
  return PyObject_TypeCheck(object, opBase);
}

static OpObject *asOp(PyObject *object) {
  return reinterpret_cast<OpObject *>(object);
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

namespace {
/// What the Python side does at the first call with a signature.
struct Hooks {
  /// (op, arguments) -> Compiled.
  py::object specialize;
  /// (op, arguments) -> result, by the compiled body, never as a view.
  py::object compute;
  /// The namespace of `explain`, whose `counting` says whether calls are counted,
  /// and the function that counts one.
  py::object explain, count;
  /// () -> the Tensor that is the random generator's state.
  py::object generatorState;
};

struct CompiledOp {
  std::vector<uint64_t> key;
  py::object op;
  std::shared_ptr<ModuleCallable> module;
  /// From the list of results to the call's result; null: the only result; None:
  /// the tensors that the op writes.
  py::object tree;
  /// Whether the generator's state is one more argument.
  bool usesGenerator = false;
};

/// Where the elements of a view lie, from the base's first.
struct ViewGeometry {
  std::vector<uint64_t> key;
  py::object op;
  bool isView = false;
  int64_t offset = 0;
  Array::Sizes sizes, strides;
};

/// By signature; bounded, and emptied when full.
template <typename T> class Cache {
public:
  std::shared_ptr<T> find(llvm::ArrayRef<uint64_t> key) const {
    return entries.lookup(key);
  }
  /// `op` is kept, because the key has its address.
  void insert(llvm::ArrayRef<uint64_t> key, PyObject *op,
              std::shared_ptr<T> value) {
    if (entries.size() >= 8192)
      entries.clear();
    value->key.assign(key.begin(), key.end());
    value->op = py::reinterpret_borrow<py::object>(op);
    entries.erase(key); // another thread's, whose key goes with it
    entries.try_emplace(value->key, value);
  }

private:
  /// The keys point into the values.
  llvm::DenseMap<llvm::ArrayRef<uint64_t>, std::shared_ptr<T>> entries;
};
} // namespace

// All outlive the interpreter, whose objects they hold.
static Hooks &getHooks() {
  static auto *hooks = new Hooks();
  return *hooks;
}
static Cache<CompiledOp> &getOps() {
  static auto *ops = new Cache<CompiledOp>();
  return *ops;
}
static Cache<ViewGeometry> &getViews() {
  static auto *views = new Cache<ViewGeometry>();
  return *views;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static py::tuple toTuple(llvm::ArrayRef<PyObject *> arguments) {
  py::tuple tuple(arguments.size());
  for (size_t i = 0; i < arguments.size(); ++i)
    tuple[i] = py::handle(arguments[i]);
  return tuple;
}

static py::object callPython(PyObject *op, llvm::ArrayRef<PyObject *> arguments) {
  return py::handle(op).attr("_call")(*toTuple(arguments));
}

static bool addArguments(CallKey &key, const OpObject *op,
                         llvm::ArrayRef<PyObject *> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool isScalar = i < 64 && (op->scalars >> i & 1) && isPlainNumber(arguments[i]);
    if (!(isScalar ? key.addScalar(arguments[i]) : key.add(arguments[i])))
      return false;
  }
  return true;
}

static std::shared_ptr<CompiledOp>
specialize(PyObject *op, llvm::ArrayRef<PyObject *> arguments,
           const CallKey &key) {
  py::object made = getHooks().specialize(py::handle(op), toTuple(arguments));
  auto entry = std::make_shared<CompiledOp>();
  entry->module =
      py::cast<std::shared_ptr<ModuleCallable>>(made.attr("module"));
  entry->usesGenerator = py::cast<bool>(made.attr("uses_generator"));
  if (!py::cast<bool>(made.attr("single")))
    entry->tree = made.attr("tree");
  getOps().insert(key.getWords(), op, entry);
  return entry;
}

static void countCall() {
  static PyObject *name = PyUnicode_InternFromString("counting");
  PyObject *counting = PyDict_GetItemWithError(getHooks().explain.ptr(), name);
  if (counting && PyObject_IsTrue(counting) == 1)
    getHooks().count();
}

/// What a call gives that only writes tensors: the one, or a tuple of them. Those
/// that `op` writes come in the order of its arguments, but others may be between.
static py::object getTargets(const CompiledOp &entry,
                             llvm::ArrayRef<TensorObject *> tensors) {
  py::list targets;
  for (auto [result, target] : entry.module->getUpdates())
    if (!entry.usesGenerator || target + 1 != tensors.size())
      targets.append(
          py::handle(reinterpret_cast<PyObject *>(tensors[target])));
  return targets.size() == 1 ? py::object(targets[0]) : py::tuple(targets);
}

/// The call by the op's compiled body.
static py::object compute(PyObject *op, llvm::ArrayRef<PyObject *> arguments,
                          const CallKey &key) {
  std::shared_ptr<CompiledOp> entry = getOps().find(key.getWords());
  if (!entry)
    entry = specialize(op, arguments, key);
  countCall();
  Tensors tensors(key.getTensors());
  py::object state;
  if (entry->usesGenerator) {
    state = getHooks().generatorState();
    tensors.push_back(getTensor(state));
  }
  Results results =
      call(entry->module, tensors, getThreadState().getNumTapes());
  if (!entry->tree)
    return std::move(results.front());
  if (entry->tree.is_none())
    return getTargets(*entry, tensors);
  return entry->tree(py::cast(results));
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static std::shared_ptr<ViewGeometry>
computeView(PyObject *op, llvm::ArrayRef<PyObject *> arguments,
            const CallKey &key) {
  py::tuple taken = toTuple(arguments);
  TensorObject *base = asTensor(arguments[0]);
  taken[0] = py::cast(base->array);
  py::object made = py::handle(asOp(op)->view)(*taken);
  auto geometry = std::make_shared<ViewGeometry>();
  geometry->isView = !made.is_none();
  if (geometry->isView) {
    const auto &array = py::cast<const Array &>(made);
    geometry->offset = array.getOffset() - base->array->getOffset();
    geometry->sizes = array.getSizes();
    geometry->strides = array.getStrides();
  }
  getViews().insert(key.getWords(), op, geometry);
  return geometry;
}

static bool isFollowed(TensorObject *tensor) {
  PyObject *tapes = getThreadState().tapes;
  for (size_t i = 0, e = getThreadState().getNumTapes(); i < e; ++i)
    if (py::cast<Tape &>(py::handle(PyTuple_GET_ITEM(tapes, i))).follows(tensor))
      return true;
  return false;
}

static unsigned long long countWrites(TensorObject *tensor) {
  while (tensor->view && tensor->view != Py_None)
    tensor = getTensor(PyTuple_GET_ITEM(tensor->view, 0));
  return tensor->writes;
}

/// The call as a view of its first argument; none where it is no view.
static py::object callView(PyObject *op, llvm::ArrayRef<PyObject *> arguments,
                           CallKey key) {
  TensorObject *base = asTensor(arguments[0]);
  key.addStrides(base);
  std::shared_ptr<ViewGeometry> geometry = getViews().find(key.getWords());
  if (!geometry)
    geometry = computeView(op, arguments, key);
  if (!geometry->isView)
    return {};
  const Array &array = *base->array;
  auto view = std::make_shared<Array>();
  raiseStatus(Array::create(array.getBuffer(), array.getDType(),
                            geometry->sizes, geometry->strides,
                            array.getOffset() + geometry->offset, *view));
  py::object result = makeTensor(std::move(view));
  TensorObject *tensor = asTensor(result.ptr());
  tensor->view = py::make_tuple(py::handle(arguments[0]), py::handle(op),
                                toTuple(arguments.drop_front()))
                     .release()
                     .ptr();
  tensor->seen = countWrites(base);
  if (isFollowed(base))
    tensor->node =
        getTensor(getHooks().compute(py::handle(op), toTuple(arguments)))->node;
  return result;
}

py::object
mlir::mindir::python::callOp(py::handle op,
                             llvm::ArrayRef<PyObject *> arguments) {
  const OpObject *object = asOp(op.ptr());
  if (!object->isPlain || getThreadState().emitter)
    return callPython(op.ptr(), arguments);
  CallKey key(object);
  if (!addArguments(key, object, arguments))
    return callPython(op.ptr(), arguments);
  py::object result;
  if (object->view && key.getTensors().size() == 1 && isTensor(arguments[0]))
    result = callView(op.ptr(), arguments, key);
  return result ? result : compute(op.ptr(), arguments, key);
}

//===----------------------------------------------------------------------===//
// The type of ops
//===----------------------------------------------------------------------===//

/// Lays out keyword arguments and defaults by the parameters; false when the call
/// does not fit them.
static bool bindArguments(const OpObject *op, PyObject *const *args, size_t count,
                          PyObject *keywords,
                          llvm::SmallVectorImpl<PyObject *> &bound) {
  size_t total = PyTuple_GET_SIZE(op->names);
  if (count > op->positional)
    return false;
  bound.append(args, args + count);
  bound.resize(total, nullptr);
  for (Py_ssize_t k = 0; keywords && k < PyTuple_GET_SIZE(keywords); ++k) {
    size_t at = count;
    while (at < total && PyTuple_GET_ITEM(op->names, at) !=
                             PyTuple_GET_ITEM(keywords, k))
      ++at;
    if (at == total || bound[at])
      return false;
    bound[at] = args[count + k];
  }
  for (size_t i = count; i < total; ++i) {
    if (!bound[i] && i < op->required)
      return false;
    if (!bound[i])
      bound[i] = PyTuple_GET_ITEM(op->defaults, i - op->required);
  }
  return true;
}

static PyObject *vectorcall(PyObject *self, PyObject *const *args, size_t flags,
                            PyObject *keywords) {
  const OpObject *op = asOp(self);
  size_t count = PyVectorcall_NARGS(flags);
  bool hasKeywords = keywords && PyTuple_GET_SIZE(keywords) != 0;
  return guard([&]() -> PyObject * {
    bool isShort = op->isPlain && !getThreadState().emitter;
    bool mustBind = hasKeywords || op->isMutating;
    if (isShort && !mustBind && op->required <= count &&
        count <= op->positional)
      return callOp(self, {args, count}).release().ptr();
    llvm::SmallVector<PyObject *, 8> bound;
    if (isShort && mustBind && bindArguments(op, args, count, keywords, bound))
      return callOp(self, bound).release().ptr();
    static PyObject *name = PyUnicode_InternFromString("_call");
    PyObject *method = PyObject_GetAttr(self, name);
    if (!method)
      return nullptr;
    PyObject *result = PyObject_Vectorcall(method, args, count, keywords);
    Py_DECREF(method);
    return result;
  });
}

static PyObject *createOp(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *self = type->tp_alloc(type, 0);
  if (self)
    asOp(self)->vectorcall = vectorcall;
  return self;
}

static int traverseOp(PyObject *self, visitproc visit, void *arg) {
  Py_VISIT(asOp(self)->names);
  Py_VISIT(asOp(self)->defaults);
  Py_VISIT(asOp(self)->view);
  Py_VISIT(Py_TYPE(self));
  return 0;
}

static int clearOp(PyObject *self) {
  Py_CLEAR(asOp(self)->names);
  Py_CLEAR(asOp(self)->defaults);
  Py_CLEAR(asOp(self)->view);
  return 0;
}

static void deallocateOp(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  PyObject_GC_UnTrack(self);
  clearOp(self);
  type->tp_free(self);
  Py_DECREF(type);
}

static py::object makeOpType() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(OpObject, vectorcall),
       READONLY, nullptr},
      {}};
  PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(createOp)},
      {Py_tp_dealloc, reinterpret_cast<void *>(deallocateOp)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverseOp)},
      {Py_tp_clear, reinterpret_cast<void *>(clearOp)},
      {Py_tp_call, reinterpret_cast<void *>(PyVectorcall_Call)},
      {Py_tp_members, members},
      {0, nullptr}};
  PyType_Spec spec = {"mindir._core.OpBase", sizeof(OpObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE |
                          Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL,
                      slots};
  PyObject *type = PyType_FromSpec(&spec);
  if (!type)
    throw py::error_already_set();
  opBase = reinterpret_cast<PyTypeObject *>(type);
  return py::reinterpret_borrow<py::object>(type);
}

static void configure(py::object self, py::tuple names, py::tuple defaults,
                      unsigned positional, const std::vector<unsigned> &scalars,
                      py::object view, bool isPlain, bool isMutating) {
  if (!isOp(self.ptr()))
    raiseTypeError("expected an op");
  OpObject *op = asOp(self.ptr());
  op->required = names.size() - defaults.size();
  op->positional = positional;
  op->scalars = 0;
  for (unsigned i : scalars)
    op->scalars |= uint64_t(1) << i;
  op->isPlain = isPlain;
  op->isMutating = isMutating;
  Py_XSETREF(op->names, names.release().ptr());
  Py_XSETREF(op->defaults, defaults.release().ptr());
  Py_XSETREF(op->view, view.is_none() ? nullptr : view.release().ptr());
}

void mlir::mindir::python::bindEagerDispatch(py::module_ &module) {
  module.attr("OpBase") = makeOpType();
  module.def("configure_op", &configure, py::arg("op"), py::arg("names"),
             py::arg("defaults"), py::arg("positional"), py::arg("scalars"),
             py::arg("view"), py::arg("plain"), py::arg("mutating"),
             "Tells an instance of OpBase its parameters' names, the defaults of "
             "the last ones, how many may be positional, which take numbers as "
             "operands, its view function, whether calls may be served from the "
             "cache, and whether it writes arguments.");
  module.def(
      "set_eager_hooks",
      [](py::object specialize, py::object compute, py::object explain,
         py::object count, py::object generatorState, py::type dtype) {
        getHooks() = {std::move(specialize), std::move(compute),
                      std::move(explain), std::move(count),
                      std::move(generatorState)};
        setDTypeClass(std::move(dtype));
      },
      py::arg("specialize"), py::arg("compute"), py::arg("explain"),
      py::arg("count"), py::arg("generator_state"), py::arg("dtype"),
      "What Python does at the first call with a signature.");
  bindOperators(module);
}
