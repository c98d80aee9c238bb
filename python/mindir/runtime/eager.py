"""Execution of one op call at once.

A call's signature is the op, the dtypes and shapes of its tensors, and its
other arguments; Python numbers that are operands count by type only. The body
of the op is traced once per signature, which also finds every error in the
shapes, and compiled. Which sizes a compilation fixes is decided by
`specialization`, for eager and jit alike.
"""

import struct

import numpy as np

from .. import dtype as _dtype
from .._native import core
from ..frontend import explain as _explain
from ..ops import emitter as _e
from ..ops import primitive as _p
from ..specialization import BoundedTable, ShapePolicy
from ..tensor import Tensor, array_of, wrap
from . import tape as _tape
from .callable import ModuleCallable

_signatures = BoundedTable(8192)     # call signature -> Compiled
_families = BoundedTable(2048)       # (signature without sizes, sizes with None) -> Compiled
_policy = ShapePolicy()
_MISSING = object()


class Compiled:
    """A traced body: its module, and how its results make the call's result.

    `single`: the only result is the call's.
    """

    __slots__ = ("module", "tree", "uses_generator", "single")

    def __init__(self, module, tree, uses_generator, single):
        self.module, self.tree, self.uses_generator, self.single = module, tree, uses_generator, single


def dispatch(op, args, kwargs):
    """The result of calling `op`; raises what its body raises."""
    if kwargs or op.mutates or not op._required <= len(args) <= op._positional:
        args = op.bind(args, kwargs)
    if op.host is not None:
        made = op.apply(args, op.host)
        if made is not None:
            return wrap(array_of(*made))
    if op.view is not None and args and isinstance(args[0], Tensor):
        array = op.view(args[0]._array, *args[1:])
        if array is not None:
            return _view(op, args, array)
    return compute(op, args)


def _view(op, args, array):
    base = args[0]
    result = wrap(array)
    result._view = (base, op, args[1:])
    result._seen = _tape.root_of(base)._writes
    if any(t.follows(base) for t in _tape.state.tapes):
        result._node = compute(op, args)._node
    return result


def compute(op, args):
    """The result of the op by its compiled body, never as a view."""
    compiled, tensors = _compiled(op, args)
    return _run(op, compiled, args, tensors)


def specialize(op, args):
    """The Compiled for a call; what C++ asks for at the first one with a signature.

    An error of the op is raised as from the statement that calls it.
    """
    try:
        return _compiled(op, args)[0]
    except (IndexError, TypeError, ValueError) as error:
        raise error.with_traceback(None) from None


def _compiled(op, args):
    """(Compiled, the call's tensors)."""
    key, tensors = [op], []
    scalars = op.scalars
    for i, a in enumerate(args):
        if isinstance(a, Tensor):
            tensors.append(a)
            key.append(a._spec)
        elif i in scalars and type(a) in _SCALAR_DTYPES:
            tensors.append(_scalar(a))
            key.append(type(a))
        else:
            key.append(_static(a, tensors))
    key = tuple(key)
    compiled = _signatures.get(key)
    if compiled is None:
        compiled = _specialize(key, op, args, tensors)
    return compiled, tensors


def _run(op, compiled, args, tensors):
    if _explain.counting:
        _explain.operation_executed()
    if compiled.uses_generator:
        from .generator import default
        tensors.append(default.state())
    results = _tape.call(compiled.module, tensors)
    if op.mutates and compiled.tree is None:
        targets = [t for i in op.mutates for t in _p.tensors_in(args[i])]
        return targets[0] if len(targets) == 1 else tuple(targets)
    return compiled.tree(results)


# --- signatures ---------------------------------------------------------------

_SCALAR_DTYPES = {bool: np.bool_, int: np.int64, float: np.float64}
_scalars = {}


def _scalar(number):
    """A 0-d Tensor of a Python number; the common ones are kept."""
    kind = type(number)
    key = (kind, number) if kind is not float else (kind, struct.pack("d", number))
    found = _scalars.get(key)
    if found is None:
        if kind is int and not -2 ** 63 <= number < 2 ** 63:
            raise ValueError(f"expected an int that fits in 64 bits, found {number}")
        if len(_scalars) > 4096:
            _scalars.clear()
        found = _scalars[key] = wrap(array_of(np.asarray(number, _SCALAR_DTYPES[kind]), kind.__name__ + "64"
                                              if kind is not bool else "bool"))
    return found


def _static(a, tensors):
    """A hashable that stands for an argument; its tensors are appended to `tensors`."""
    if isinstance(a, Tensor):
        tensors.append(a)
        return a._spec
    kind = type(a)
    if isinstance(a, (tuple, list)):
        return (list if isinstance(a, list) else tuple, *[_static(x, tensors) for x in a])
    if kind is float:
        return (kind, struct.pack("d", a))
    if kind is slice:
        return (kind, *[_static(x, tensors) for x in (a.start, a.stop, a.step)])
    if isinstance(a, np.generic):
        return _static(a.item(), tensors)
    try:
        hash(a)
    except TypeError:
        raise TypeError(f"expected a Tensor, found {kind.__name__}: convert it with Tensor(...)") from None
    return (kind, a)


# --- specialization -----------------------------------------------------------


def _specialize(key, op, args, tensors):
    """The Compiled for a signature met for the first time.

    It is always traced for its own sizes, which finds every error in them; where
    the policy leaves sizes open, the Compiled that serves them all stands for it.
    """
    found = trace(op, args, tensors, [t.shape for t in tensors])
    sizes = tuple(s for t in tensors for s in t.shape)
    if sizes and not op.mutates:
        family = tuple(_without_sizes(k) for k in key)
        found = _shared(family, _policy.dims(family, sizes), op, args, tensors) or found
    return _signatures.add(key, found)


def _without_sizes(part):
    """A part of a signature with the ranks of tensors in place of their sizes."""
    if type(part) is not tuple:
        return part
    if len(part) == 2 and isinstance(part[0], str) and type(part[1]) is tuple:      # a tensor's (dtype, shape)
        return (part[0], len(part[1]))
    return tuple(_without_sizes(p) for p in part)


def _shared(family, dims, op, args, tensors):
    """The Compiled with the open sizes of `dims`, which is flat; None when none is
    open, or the body needs one: then there is one compilation a size."""
    if None not in dims:
        return None
    found = _families.get((family, dims), _MISSING)
    if found is _MISSING:
        flat = iter(dims)
        shapes = [tuple(next(flat) for _ in t.shape) for t in tensors]
        try:
            found = trace(op, args, tensors, shapes)
        except (ValueError, TypeError):
            found = None
        _families.add((family, dims), found)
    return found


# --- tracing ------------------------------------------------------------------


class TraceEmitter:
    """The emitter under which a body becomes a module of one function."""

    def __init__(self, builder):
        self.builder, self.generator = builder, None

    def emit(self, op, operands, attrs, result_types, regions):
        """Appends an op; see `mindir.ops.emitter`."""
        return self.builder.op(op, operands, attrs, result_types=result_types, regions=list(regions))

    def constant(self, value, dtype):
        """A constant Value."""
        return self.builder.constant(value, dtype)

    def unwrap(self, tensor):
        """A Tensor that is no argument of the op, as a constant."""
        return self.builder.constant(tensor.asnumpy(), tensor.dtype.name)

    def generator_state(self):
        """The generator's state so far: an argument appended when it is first asked for."""
        if self.generator is None:
            self.generator = self.builder.add_argument("uint64", (2,), {"mindir.donated": True})
        return self.generator

    def set_generator_state(self, value):
        """The generator's state from here on."""
        self.generator = value


def trace(op, args, tensors, shapes):
    """The Compiled of the body of `op`, its tensors taken to have `shapes` (None: unknown)."""
    builder = core.Builder()
    types = [(t._spec[0], shape) for t, shape in zip(tensors, shapes)]
    mutated = _mutated_places(op, args)
    attrs = [{"mindir.donated": True} if i in mutated else {} for i in range(len(types))]
    values = builder.begin_function("main", types, attrs)
    emitter = TraceEmitter(builder)
    with _e.emitting(emitter, in_body=True):
        result = op.apply(_with_values(op, args, values))
    return _finish(builder, emitter, op, result, mutated, len(tensors))


def _with_values(op, args, values):
    """The arguments with Values in place of tensors and of Python numbers that are operands."""
    taken = iter(values)
    out = []
    for i, a in enumerate(args):
        if i in op.scalars and type(a) in _SCALAR_DTYPES:
            out.append(_e.WeakScalar(next(taken), type(a).__name__))
        else:
            out.append(_replace(a, taken))
    return tuple(out)


def _replace(a, taken):
    if isinstance(a, Tensor):
        return next(taken)
    if isinstance(a, (tuple, list)):
        made = [_replace(x, taken) for x in a]
        return made if isinstance(a, list) else tuple(made)
    if type(a) is slice:
        return slice(*[_replace(x, taken) for x in (a.start, a.stop, a.step)])
    return a.item() if isinstance(a, np.generic) else a


def _mutated_places(op, args):
    """The positions, among the tensors of the call, of those that the op writes, in order."""
    places, at = [], 0
    for i, a in enumerate(args):
        count = 1 if i in op.scalars and type(a) in _SCALAR_DTYPES else len(_p.tensors_in(a))
        if i in op.mutates:
            places += range(at, at + count)
        at += count
    return places


def _finish(builder, emitter, op, result, mutated, count):
    updated = result.values if op.mutates else []
    visible = result.result if op.mutates else result
    values = []
    tree = None if op.mutates and visible is None else _tree(visible, values)
    results = values + list(updated)
    attrs = [{} for _ in values] + [{"mindir.updates": k} for k in mutated]
    updates = {len(values) + i: k for i, k in enumerate(mutated)}
    if emitter.generator is not None:
        updates[len(results)] = count
        results.append(emitter.generator)
        attrs.append({"mindir.updates": count})
    builder.end_function(results, attrs)
    module = ModuleCallable(builder.text(), "main", updates=updates)
    module.is_op = True
    single = tree is not None and _e.is_value(visible)
    return Compiled(module, tree, emitter.generator is not None, single)


def _tree(structure, values):
    """A function from the flat results to the structure that the body returned."""
    if _e.is_value(structure):
        index = len(values)
        values.append(structure)
        return lambda results: results[index]
    if type(structure) in (tuple, list):
        kind, parts = type(structure), [_tree(s, values) for s in structure]
        return lambda results: kind([part(results) for part in parts])
    return lambda results: structure


def install():
    """Connects the C++ dispatch with its first calls, and the tape with the ops that it needs."""
    from ..ops.elementwise import add
    from .generator import default
    core.set_eager_hooks(specialize, compute, vars(_explain), _explain.operation_executed, default.state, _dtype.DType)
    core.set_tape_hooks(_tape.compute_view, add)


install()
