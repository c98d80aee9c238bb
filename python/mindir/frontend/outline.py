"""Private functions of the module: a piece of captured code with what it uses as
arguments and what it changes as results; calls of them, and their derivatives."""

from .. import gradient as _gradient
from ..tensor import Tensor
from . import join as _j
from .errors import Refused
from .loop import read_cell, write_cell
from .values import DICTS, IR, Storage, TensorTracer, UNSET


class Outlined:
    """A private function made of captured code.

    name; arguments: `IR`s of the explicit arguments' values at the call, then of
    the imports; spec, count: the form of its value and the number of its leaves;
    changes: [(object, cell, spec)] whose new values are the results after those.
    """

    def __init__(self, name, imports, spec, changes, types):
        self.name, self.imports, self.spec, self.changes, self.types = name, imports, spec, changes, types

    def restore(self, session, results):
        """The value from the results of a call; the changes are made."""
        values = iter(results)
        value = _j.build(session, self.spec, values)
        for obj, name, spec in self.changes:
            write_cell(session, obj, name, _j.build(session, spec, values))
        return value


def leaves_of(value):
    """The tensors in tuples, lists and dicts, in order."""
    if isinstance(value, Tensor):
        return [value]
    if isinstance(value, (tuple, list)):
        return [t for v in value for t in leaves_of(v)]
    if isinstance(value, dict):
        return [t for v in value.values() for t in leaves_of(v)]
    return []


def replace_leaves(value, tensors):
    """The structure with its tensors taken from the iterator."""
    if isinstance(value, Tensor):
        return next(tensors)
    if type(value) in (tuple, list):
        return type(value)(replace_leaves(v, tensors) for v in value)
    if type(value) in DICTS:
        return type(value)((k, replace_leaves(v, tensors)) for k, v in value.items())
    return value


def outline(interpreter, name, tensors, body):
    """Captures `body(inner tensors)` as a private function.

    tensors: traced tensors that become its explicit arguments. Tensors that the
    body finds elsewhere are imported. Refused: a body that may raise, or that
    writes to one of the explicit arguments.
    """
    s = interpreter.session
    name = s.unique_name(name)
    arguments = s.begin_function(name, [(t.ir.dtype, t.ir.shape) for t in tensors], private=True)
    inner = [TensorTracer(s, Storage(ir)) for ir in arguments]
    s.journal.push()
    try:
        value = body(inner)
    except BaseException:
        s.journal.pop()
        s.end_function([])
        raise
    if any(t._storage.ir is not ir for t, ir in zip(inner, arguments)):
        raise Refused("a write to an argument of a function that is differentiated")
    spec = _j.as_slot(_j.Const(value))
    results = _j.leaves(s, spec, value)
    delta = s.journal.pop()
    changes, more = _changes(s, delta)
    types = [(v.dtype, tuple(v.shape)) for v in results + more]
    function = s.end_function(results + more)
    return Outlined(name, function.imports, spec, changes, types), value


def _changes(s, delta):
    """The places that the body changed, as specs, and their new Values."""
    changes, values = [], []
    delta.apply()
    for key, obj in delta.objects.items():
        for name, (_, new) in delta.changed(key).items():
            if new is UNSET or isinstance(obj, (list, set)):
                raise Refused("a container changed by a function that is differentiated")
            held = read_cell(s, obj, name)
            spec = _j.as_slot(_j.Const(held))
            changes.append((obj, name, spec))
            values += _j.leaves(s, spec, held)
    delta.undo()
    return changes, values


def gradient(interpreter, transform, args, kwargs):
    """A call of `ms.grad(...)` or `ms.value_and_grad(...)`: one `mindir.vjp` of the outlined function."""
    s = interpreter.session
    args, sens = (args[:-1], args[-1]) if transform.sens_param else (args, None)
    positions = transform.positions(args)
    for p in positions:
        if not isinstance(args[p], Tensor):
            _gradient._tensor_at(args, p)
    flat = leaves_of((args, kwargs))
    named = [s.copy_of(t) for t in flat]

    def body(inner):
        tensors = iter(inner)
        inner_args = replace_leaves(args, tensors)
        inner_kwargs = replace_leaves(kwargs, tensors)
        with interpreter.own_frame():
            return interpreter.call(transform.fn, tuple(inner_args), inner_kwargs)
    label = getattr(transform.fn, "__name__", type(transform.fn).__name__)
    function, value = outline(interpreter, label, named, body)
    places = {id(t): i for i, t in enumerate(flat)}
    wrt, weights = _wrt(s, transform, function, args, positions, places, len(named))
    result, grads = _vjp(s, transform, function, value, named, wrt, sens)
    sources = [args[p] for p in positions] + list(transform.weight_list())
    found = [grads[wrt.index(w)] if w is not None else s.zeros_like(t)
             for w, t in zip(weights, sources)]
    return transform.packed(result, found)


def _wrt(s, transform, function, args, positions, places, explicit):
    """The sorted argument numbers to differentiate, and for each source its number or None."""
    weights = [places[id(args[p])] for p in positions]
    for w in transform.weight_list():
        tracer = w if isinstance(w, TensorTracer) else s.external(w)
        number = next((explicit + i for i, ir in enumerate(function.imports)
                       if ir.stamp == tracer._storage.ir.stamp), None)
        weights.append(number)
    return sorted({w for w in weights if w is not None}), weights


def _vjp(s, transform, function, value, named, wrt, sens):
    """Emits the derivative; gives the call's value and the gradients for `wrt`."""
    outputs = _gradient.differentiated(value, transform.has_aux)
    chosen = {id(t): i for i, t in enumerate(outputs)}
    given = [] if sens is None else list(sens) if isinstance(sens, (tuple, list)) else [sens]
    if given and len(given) != len(outputs):
        raise Refused("cotangents that are not one an output")
    operands = [s.local(t.ir) for t in named] + [s.local(ir) for ir in function.imports]
    inputs = list(operands)
    for (dtype, shape), leaf in zip(function.types, leaves_of(value) + [None] * len(function.types)):
        if dtype.startswith(("float", "bfloat")):
            number = chosen.get(id(leaf))
            operands.append(s.cotangent(dtype, shape, None if number is None else
                                        given[number] if given else 1))
    types = function.types + [(inputs[w].dtype, tuple(inputs[w].shape)) for w in wrt]
    if not wrt:
        raise Refused("a gradient with respect to nothing that the function uses")
    results = s.emit("mindir.vjp", operands, {"callee": "@" + function.name, "wrt": wrt}, types)
    count = len(function.types)
    return function.restore(s, results[:count]), [s.tracer(v) for v in results[count:]]
