"""`vjp`, `jvp` and `vmap` of captured functions: each is one op on a private function."""

from .. import gradient as _gradient
from .. import mapping as _mapping
from . import join as _j
from .builtins_table import handles
from .errors import Refused, UserError
from .outline import captured, emit_vjp, find_wrt, is_float, leaves_of, outline, replace_leaves
from .values import ScalarTracer


class Pullback:
    """The function of cotangents that `vjp` gives in captured code.

    It differentiates the function at the operands of that call, whatever was written since.
    """

    def __init__(self, transform, function, value, outputs, args, wrt, sources):
        self.transform, self.function, self.value, self.outputs = transform, function, value, outputs
        self.args, self.wrt, self.sources = args, wrt, sources

    def __call__(self, *cotangents):
        from ..ops.emitter import state
        return self.apply(state.emitter.interpreter, *cotangents)

    def apply(self, interpreter, *cotangents):
        """The gradients, in the form that `vjp` says."""
        s = interpreter.session
        if len(cotangents) == 1 and isinstance(cotangents[0], (tuple, list)):
            cotangents = tuple(cotangents[0])
        if len(cotangents) != len(self.outputs):
            raise UserError(ValueError(f"For 'vjp', expected {len(self.outputs)} cotangents, one an output, "
                                       f"found {len(cotangents)}."))
        wrt = sorted({w for w in self.wrt if w is not None})
        values = emit_vjp(s, self.function, self.value, self.outputs, cotangents, wrt)[len(self.function.types):]
        gradients = dict(zip(wrt, map(s.tracer, values)))
        found = [s.zeros_like(t) if w is None else gradients[w] for w, t in zip(self.wrt, self.sources)]
        return self.transform.packed(None, found)


@handles(_gradient.vjp)
def _vjp(interpreter, fn, *inputs, weights=None, has_aux=False):
    s = interpreter.session
    positions = tuple(range(len(inputs)))
    for p in positions:
        _gradient._tensor_at(inputs, p)
    inputs = tuple(map(s.copy_of, inputs))      # distinct, and as they are now
    transform = _gradient.GradientTransform(fn, positions, weights)
    function, value, flat = captured(interpreter, fn, inputs, {})
    places = {id(t): i for i, t in enumerate(flat)}
    _, wrt = find_wrt(s, transform, function, inputs, positions, places)
    if not any(w is not None for w in wrt):
        raise Refused("a gradient with respect to nothing that the function uses")
    outputs = _gradient.differentiated(value, has_aux)
    results = s.builder.call(function.name, [s.local(ir) for ir in function.operands], None, s.location)
    result = function.restore(interpreter, results)
    sources = list(inputs) + [s.external(w) for w in transform.weight_list()]
    pullback = Pullback(transform, function, value, outputs, inputs, wrt, sources)
    return (result[0], pullback, _rest(result)) if has_aux else (result, pullback)


def _rest(value):
    """What `has_aux` hands on: the outputs after the first."""
    aux = tuple(value[1:])
    return aux[0] if len(aux) == 1 else aux


@handles(_gradient.jvp)
def _jvp(interpreter, fn, inputs, v, has_aux=False):
    s = interpreter.session
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    directions = tuple(v) if isinstance(v, (tuple, list)) else (v,)
    if len(inputs) != len(directions):
        raise UserError(ValueError(f"For 'jvp', expected {len(inputs)} directions, one an input, "
                                   f"found {len(directions)}."))
    for p in range(len(inputs)):
        _gradient._tensor_at(inputs, p)
    function, value, _ = captured(interpreter, fn, inputs, {})
    chosen = {id(t) for t in _gradient.differentiated(value, has_aux)}
    operands = [s.local(ir) for ir in function.operands]
    tangents = [s.cotangent(x.ir.dtype, x.ir.shape, d, s.local(x.ir)) for x, d in zip(function.named, directions)]
    floats = [i for i, (dtype, _) in enumerate(function.types) if is_float(dtype)]
    types = function.types + [function.types[i] for i in floats]
    results = s.emit("mindir.jvp", operands + tangents,
                     {"callee": "@" + function.name, "wrt": list(range(len(inputs)))}, types)
    count = len(function.types)
    found = dict(zip(floats, map(s.tracer, results[count:])))
    result = function.restore(interpreter, results[:count])
    moved = [found[i] for i, leaf in enumerate(leaves_of(value)) if id(leaf) in chosen]
    shaped = moved[0] if len(moved) == 1 else tuple(moved)
    return (result[0], shaped, _rest(result)) if has_aux else (result, shaped)


def vmap(interpreter, transform, args, kwargs):
    """A call of what `ms.vmap` returned: one `mindir.vmap` of the outlined function."""
    s = interpreter.session
    if any(type(a) is ScalarTracer for a in args):
        raise Refused("a number in place of a tensor in vmap")
    axes = transform.axes_of(args)
    leaves = _mapping.leaves_with_axes(args, axes)
    leaves += [(t, None) for t in leaves_of(kwargs)]
    size = transform.lanes(leaves)
    outer = [x if axis is None else _mapping.moved(x, axis, 0) for x, axis in leaves]
    types = [(t.ir.dtype, tuple(t.ir.shape)[axis is not None:]) for t, (_, axis) in zip(outer, leaves)]

    def body(inner):
        tensors = iter(inner)
        inner_args = replace_leaves(args, tensors)
        return interpreter.call(transform.fn, tuple(inner_args), replace_leaves(kwargs, tensors))
    label = getattr(transform.fn, "__name__", type(transform.fn).__name__)
    function, _ = outline(interpreter, label, outer, body, types)
    if function.changes or function.raised:
        raise Refused("a function under vmap that writes, draws or raises")
    if not _of_tensors(function.spec):
        raise UserError(TypeError("For 'vmap', expected a function that gives Tensors."))
    mapped = [i for i, (_, axis) in enumerate(leaves) if axis is not None]
    results = s.emit("mindir.vmap", [s.local(ir) for ir in function.operands],
                     {"callee": "@" + function.name, "wrt": mapped},
                     [(dtype, (size,) + tuple(shape)) for dtype, shape in function.types])
    value = function.restore(interpreter, results)
    where = iter(_mapping.leaves_with_axes(value, _mapping.spread(transform.out_axes, value)))
    return replace_leaves(value, (x[0] if axis is None else _mapping.moved(x, 0, axis) for x, axis in where))


def _of_tensors(spec):
    """Whether a value consists of tensors only."""
    if isinstance(spec, (_j.Seq, _j.Mapping)):
        return all(map(_of_tensors, spec.items))
    return isinstance(spec, _j.TensorSpec)
