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

    named: the traced tensors that are its explicit arguments, whose `IR`s at the
    call are the first of `operands`, those of the imports the others. spec: the
    form of its value. changes: [(object, cell, spec)] whose new values are the
    results after those. raised: flows of exceptions, whose status are the last.
    types: of all results.
    """

    def __init__(self, name, named, imports, spec, changes, raised, types):
        self.name, self.named, self.spec, self.changes, self.raised, self.types = \
            name, named, spec, changes, raised, types
        self.imports = imports
        self.operands = [t.ir for t in named] + imports
        self.targets = {}

    def restore(self, interpreter, results):
        """The value from the results of a call; the changes are made."""
        session, values = interpreter.session, iter(results)
        value = _j.build(session, self.spec, values)
        for obj, name, spec in self.changes:
            new, target = _j.build(session, spec, values), self.targets.get(id(obj))
            if target is None:
                write_cell(session, obj, name, new)
            else:
                session.write(target, new)
        interpreter.raise_as(self.raised, list(values))
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


def outline(interpreter, name, tensors, body, types=None):
    """Captures `body(inner tensors)` as a private function.

    tensors: the caller's traced tensors that become its explicit arguments; what
    the body writes to one is written to the caller's. types: theirs inside, if
    other than outside. Tensors that the body finds elsewhere are imported. Gives the
    `Outlined` and the value as the body made it.
    """
    s = interpreter.session
    mark, named = s.mark(), [s.copy_of(t) for t in tensors]
    try:
        name = s.unique_name(name)
        arguments = s.begin_function(name, types or [(t.ir.dtype, t.ir.shape) for t in named], private=True)
        if types is None:
            for ir, t in zip(arguments, tensors):
                ir.origin = t.ir
        inner = [TensorTracer(s, Storage(ir)) for ir in arguments]
        s.journal.push()
        with interpreter.own_raises() as raised:
            value = body(inner)
        spec = _j.as_slot(_j.Const(value))
        results = _j.leaves(s, spec, value) if _j.bad_in(spec) is None else _refuse(_j.bad_in(spec).reason)
        delta = s.journal.pop()
        changes, more = _changes(s, delta, {id(t._storage) for t in inner})
        values = results + more + [s.local(flow.status) for flow in raised]
        function = s.end_function(values)
        made = Outlined(name, named, function.imports, spec, changes, raised,
                        [(v.dtype, tuple(v.shape)) for v in values])
        made.targets = {id(t._storage): outer for t, outer in zip(inner, tensors)}
        made.inner = inner
        return made, value
    finally:
        s.unwind(mark)


def _refuse(reason):
    raise Refused(reason)


def _changes(s, delta, arguments):
    """The places that the body changed, as specs, and their new Values.

    arguments: ids of the Storages that are the function's own arguments.
    """
    changes, values = [], []
    delta.apply()
    for key, obj in delta.objects.items():
        made_here = type(obj) is Storage and key not in arguments and \
            delta.before[key].owner is s.functions[-1]
        if made_here:
            continue
        for name, (_, new) in delta.changed(key).items():
            if new is UNSET or isinstance(obj, (list, set)):
                raise Refused("a container changed by a function that is differentiated")
            held = read_cell(s, obj, name)
            spec = _j.as_slot(_j.Const(held))
            changes.append((obj, name, spec))
            values += _j.leaves(s, spec, held)
    delta.undo()
    return changes, values


def captured(interpreter, fn, args, kwargs):
    """(`Outlined`, value, flat tensors) of a call of `fn` as a function of its tensors."""
    flat = leaves_of((args, kwargs))

    def body(inner):
        tensors = iter(inner)
        inner_args = replace_leaves(args, tensors)
        return interpreter.call(fn, tuple(inner_args), replace_leaves(kwargs, tensors))
    label = getattr(fn, "__name__", type(fn).__name__)
    function, value = outline(interpreter, label, flat, body)
    return function, value, flat


def gradient(interpreter, transform, args, kwargs):
    """A call of `ms.grad(...)` or `ms.value_and_grad(...)`: one `mindir.vjp` of the outlined function."""
    s = interpreter.session
    args, sens = (args[:-1], args[-1]) if transform.sens_param else (args, None)
    positions = transform.positions(args)
    for p in positions:
        if not isinstance(args[p], Tensor):
            _gradient._tensor_at(args, p)
    function, value, flat = captured(interpreter, transform.fn, args, kwargs)
    places = {id(t): i for i, t in enumerate(flat)}
    wrt, weights = find_wrt(s, transform, function, args, positions, places)
    result, grads = _vjp(interpreter, transform, function, value, wrt, sens)
    sources = [args[p] for p in positions] + list(transform.weight_list())
    found = [grads[wrt.index(w)] if w is not None else s.zeros_like(t)
             for w, t in zip(weights, sources)]
    return transform.packed(result, found)


def find_wrt(s, transform, function, args, positions, places):
    """The sorted argument numbers to differentiate, and for each source its number or None."""
    weights = [places[id(args[p])] for p in positions]
    for w in transform.weight_list():
        tracer = w if isinstance(w, TensorTracer) else s.external(w)
        number = next((len(function.named) + i for i, ir in enumerate(function.imports)
                       if ir.stamp == tracer._storage.ir.stamp), None)
        weights.append(number)
    return sorted({w for w in weights if w is not None}), weights


def is_float(dtype):
    """Whether values of the dtype (by name) have derivatives."""
    return dtype.startswith(("float", "bfloat"))


def _vjp(interpreter, transform, function, value, wrt, sens):
    """Emits the derivative; gives the call's value and the gradients for `wrt`."""
    outputs = _gradient.differentiated(value, transform.has_aux)
    given = [] if sens is None else list(sens) if isinstance(sens, (tuple, list)) else [sens]
    if given and len(given) != len(outputs):
        raise Refused("cotangents that are not one an output")
    if not wrt:
        raise Refused("a gradient with respect to nothing that the function uses")
    values = emit_vjp(interpreter.session, function, value, outputs, given, wrt)
    count = len(function.types)
    result = function.restore(interpreter, values[:count])
    return result, [interpreter.session.tracer(v) for v in values[count:]]


def emit_vjp(s, function, value, outputs, given, wrt):
    """The results of `mindir.vjp`: the function's, then the cotangents of `wrt`.

    outputs: the tensors of the value that are differentiated; given: their
    cotangents, ones when it is empty.
    """
    chosen = {id(t): i for i, t in enumerate(outputs)}
    inputs = [s.local(ir) for ir in function.operands]
    operands = list(inputs)
    for (dtype, shape), leaf in zip(function.types, leaves_of(value) + [None] * len(function.types)):
        if is_float(dtype):
            number = chosen.get(id(leaf))
            operands.append(s.cotangent(dtype, shape, None if number is None else
                                        given[number] if given else 1))
    types = function.types + [(inputs[w].dtype, tuple(inputs[w].shape)) for w in wrt]
    return s.emit("mindir.vjp", operands, {"callee": "@" + function.name, "wrt": wrt}, types)
