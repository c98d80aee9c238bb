"""Derivatives of Python functions: `grad`, `value_and_grad`, `vjp`, `jvp`, `GradOperation`.

A transform is an object that says what is asked (`GradientTransform`). Called
eagerly it records a tape and walks it; inside captured code the emitter takes
it; in graph mode the call is compiled.
"""

from .parameter import Parameter
from .tensor import Tensor


class GradientTransform:
    """`transform(*args)` gives gradients of `fn` at `args`. Attributes:

    `fn`; `grad_position`: None, an int or a tuple of ints; `weights`: None, a
    Parameter or a sequence; `has_aux`: outputs after the first are passed
    through; `return_value`: the value comes first; `return_ids`: gradients come
    as (position or name, gradient); `sens_param`: the last argument is the
    cotangent of the output.
    """

    def __init__(self, fn, grad_position=0, weights=None, has_aux=False, return_value=False,
                 return_ids=False, sens_param=False):
        self.fn, self.grad_position, self.weights = fn, _positions(grad_position), _weights(weights)
        self.has_aux, self.return_value = _flag("has_aux", has_aux), return_value
        self.return_ids, self.sens_param = _flag("return_ids", return_ids), sens_param
        if self.grad_position is None and self.weights is None:
            raise ValueError("For 'grad', expected grad_position or weights, found None for both.")
        self.__name__ = f"grad_of_{getattr(fn, '__name__', type(fn).__name__)}"

    def __call__(self, *args, **kwargs):
        from .ops.emitter import state
        if state.emitter is not None:
            return state.emitter.gradient(self, args, kwargs)
        from .runtime import graph_mode
        if graph_mode.active():
            return graph_mode.call(self, args, kwargs, self.eager)
        return self.eager(*args, **kwargs)

    def eager(self, *args, **kwargs):
        """The call by the tape."""
        from .runtime.tape import Tape
        args, sens = (args[:-1], args[-1]) if self.sens_param else (args, None)
        positions = self.positions(args)
        with Tape() as tape:
            args = _distinct(args, positions)
            nodes = [tape.watch(_tensor_at(args, p)) for p in positions]
            nodes += [tape.watch(w) for w in self.weight_list()]
            value = self.fn(*args, **kwargs)
            outputs = differentiated(value, self.has_aux)
            seeds = seeds_of(tape, outputs, sens)
        sources = [args[p] for p in positions] + list(self.weight_list())
        found = tape.gradient(seeds, nodes)
        return self.packed(value, [_or_zeros(g, t) for g, t in zip(found, sources)])

    def positions(self, args):
        """The argument positions to differentiate, checked against a call's arguments."""
        asked = self.grad_position
        asked = () if asked is None else asked if isinstance(asked, tuple) else (asked,)
        for p in asked:
            if p >= len(args):
                raise ValueError(f"For 'grad', expected grad_position below the number of inputs, {len(args)}, "
                                 f"found {p}.")
        return asked

    def weight_list(self):
        """The weights as a tuple of Parameters."""
        w = self.weights
        return () if w is None else (w,) if isinstance(w, Parameter) else w

    def packed(self, value, gradients):
        """The call's result from the function's value and the flat gradients, positions first."""
        count = 0 if self.grad_position is None else \
            len(self.grad_position) if isinstance(self.grad_position, tuple) else 1
        parts = []
        if self.grad_position is not None:
            named = self._named(self.grad_position if isinstance(self.grad_position, tuple) else
                                (self.grad_position,), gradients[:count])
            parts.append(named if count != 1 else named[0])
        if self.weights is not None:
            named = self._named([w.name for w in self.weight_list()], gradients[count:])
            parts.append(named[0] if isinstance(self.weights, Parameter) else named)
        gradient = parts[0] if len(parts) == 1 else tuple(parts)
        if self.return_value:
            return value, gradient
        if self.has_aux:
            return gradient, tuple(value[1:])
        return gradient

    def _named(self, names, gradients):
        return tuple(zip(names, gradients)) if self.return_ids else tuple(gradients)


def _positions(asked):
    items = asked if isinstance(asked, tuple) else () if asked is None else (asked,)
    for p in items:
        if isinstance(p, bool) or not isinstance(p, int):
            raise TypeError(f"For 'grad', expected grad_position as an int or a tuple of ints, found {asked!r}.")
        if p < 0:
            raise ValueError(f"For 'grad', expected grad_position of at least 0, found {asked!r}.")
    if len(set(items)) != len(items):
        raise ValueError(f"For 'grad', expected distinct positions, found {asked!r}.")
    return asked


def _weights(weights):
    if weights is None or isinstance(weights, Parameter):
        return weights
    if isinstance(weights, (tuple, list)) or hasattr(weights, "__iter__") and not isinstance(weights, (str, Tensor)):
        items = tuple(weights)
        if all(isinstance(w, Parameter) for w in items):
            return items
    raise TypeError(f"For 'grad', expected weights as Parameters, found {weights!r}.")


def _flag(name, value):
    if not isinstance(value, bool):
        raise TypeError(f"For 'grad', expected {name} as a bool, found {value!r}.")
    return value


def _tensor_at(args, position):
    x = args[position]
    if not isinstance(x, Tensor):
        raise TypeError(f"For 'grad', expected a Tensor at grad_position {position}, found {type(x).__name__}: {x!r}.")
    return x


def _distinct(args, positions):
    """The arguments, a tensor that stands at several positions replaced by copies after the first."""
    from .ops.state import identity
    args = list(args)
    seen = set()
    for p in positions:
        if isinstance(args[p], Tensor) and id(args[p]) in seen:
            args[p] = identity(args[p])
        seen.add(id(args[p]))
    return args


def differentiated(value, has_aux):
    """The output Tensors that are differentiated: all, or the first with `has_aux`."""
    if has_aux:
        if not isinstance(value, tuple) or len(value) < 2:
            raise ValueError("For 'grad', has_aux=True expects a function of at least two outputs, "
                             f"found {type(value).__name__}.")
        value = value[0]
    outputs = []
    _collect(value, outputs)
    if not outputs:
        raise TypeError(f"For 'grad', expected a function that gives a Tensor, found {type(value).__name__}.")
    return outputs


def _collect(value, outputs):
    if isinstance(value, Tensor):
        outputs.append(value)
    elif isinstance(value, (tuple, list)):
        for v in value:
            _collect(v, outputs)
    elif isinstance(value, dict):
        for v in value.values():
            _collect(v, outputs)


def seeds_of(tape, outputs, sens=None):
    """(node, cotangent) of the outputs that the tape follows; ones unless `sens` gives them."""
    from .runtime import tape as _tape
    given = [] if sens is None else list(sens) if isinstance(sens, (tuple, list)) else [sens]
    if given and len(given) != len(outputs):
        raise ValueError(f"For 'grad', expected {len(outputs)} cotangents, one an output, found {len(given)}.")
    seeds = []
    for i, output in enumerate(outputs):
        if tape.follows(output):
            seeds.append((_tape.node_of(output), _cotangent(output, given[i]) if given else
                          _tape.filled(output._spec, 1)))
    return seeds


def _cotangent(output, given):
    if not isinstance(given, Tensor):
        given = Tensor(given, output.dtype)
    if given.shape != output.shape:
        if given.size != 1:
            raise ValueError(f"For 'grad', expected a cotangent of the output's shape {output.shape}, "
                             f"found {given.shape}.")
        given = given.reshape(()).broadcast_to(output.shape)
    return given.astype(output.dtype) if given.dtype is not output.dtype else given


def _or_zeros(gradient, tensor):
    from .runtime.tape import zeros
    return zeros(tensor._spec) if gradient is None else gradient


def grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """A function that gives the gradients of `fn`: of its inputs at `grad_position`, of `weights`, or both.

    An output that is no scalar, and several outputs, count as their sum. An int
    position or one Parameter gives a Tensor, several a tuple; positions and
    weights together give (inputs, weights). With `has_aux` only the first output
    is differentiated and the others are returned: (gradients, aux tuple).
    TypeError, ValueError: bad positions or weights.
    """
    return GradientTransform(fn, grad_position, weights, has_aux, False, return_ids)


def value_and_grad(fn, grad_position=0, weights=None, has_aux=False, return_ids=False):
    """As `grad`, with the function's value first: (value, gradients)."""
    return GradientTransform(fn, grad_position, weights, has_aux, True, return_ids)


def get_grad(gradients, identifier):
    """The gradient of a position (int) or Parameter (or its name) among those of `return_ids=True`.

    ValueError when there is none.
    """
    key = identifier.name if isinstance(identifier, Parameter) else identifier
    found = _find(gradients, key)
    if found is None:
        raise ValueError(f"For 'get_grad', expected a position or Parameter that was differentiated, found {identifier!r}.")
    return found


def _find(gradients, key):
    if not isinstance(gradients, tuple):
        return None
    if len(gradients) == 2 and isinstance(gradients[0], (int, str)) and isinstance(gradients[1], Tensor):
        return gradients[1] if gradients[0] == key and type(gradients[0]) is type(key) else None
    for g in gradients:
        found = _find(g, key)
        if found is not None:
            return found
    return None


class GradOperation:
    """`GradOperation(get_all, get_by_list, sens_param)(fn, weights)`: MindSpore's older `grad`.

    The gradient of the first input; of all with `get_all`; of `weights` with
    `get_by_list`; with `sens_param` the last argument is the output's cotangent.
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        self.get_all, self.get_by_list = _flag("get_all", get_all), _flag("get_by_list", get_by_list)
        self.sens_param = _flag("sens_param", sens_param)

    def __call__(self, fn, weights=None):
        if not self.get_by_list:
            weights = None
        elif weights is None:
            weights = fn.trainable_params()
        return _OfOperation(fn, self, weights)


class _OfOperation(GradientTransform):
    """The transform of a GradOperation; with `get_all` the positions follow from the call."""

    def __init__(self, fn, operation, weights):
        by_inputs = operation.get_all or not operation.get_by_list
        super().__init__(fn, 0 if by_inputs else None, weights, sens_param=operation.sens_param)
        self.get_all = operation.get_all

    def __call__(self, *args, **kwargs):
        if not self.get_all:
            return super().__call__(*args, **kwargs)
        inputs = args[:-1] if self.sens_param else args
        places = tuple(i for i, a in enumerate(inputs) if isinstance(a, Tensor))
        transform = GradientTransform(self.fn, places, self.weights, sens_param=self.sens_param)
        result = transform(*args, **kwargs)
        if len(places) != 1:
            return result
        return (result,) if self.weights is None else ((result[0],), result[1])


def vjp(fn, *inputs, weights=None, has_aux=False):
    """(value, function of cotangents): the function gives the cotangents of the inputs.

    One input gives a Tensor, several a tuple; with `weights` a pair (inputs,
    weights). With `has_aux`: (value, function, aux).
    """
    from .ops.emitter import state
    if state.emitter is not None:
        return state.emitter.interpreter.call(vjp, (fn, *inputs), {"weights": weights, "has_aux": has_aux})
    from .runtime.tape import Tape
    transform = GradientTransform(fn, tuple(range(len(inputs))), weights, has_aux)
    with Tape() as tape:
        args = _distinct(inputs, transform.grad_position)
        nodes = [tape.watch(_tensor_at(args, p)) for p in transform.grad_position]
        nodes += [tape.watch(w) for w in transform.weight_list()]
        value = fn(*args)
        outputs = differentiated(value, has_aux)
    sources = args + list(transform.weight_list())
    plain = GradientTransform(fn, transform.grad_position, weights)

    def pullback(*cotangents):
        seeds = seeds_of(tape, outputs, cotangents)
        return plain.packed(None, [_or_zeros(g, t) for g, t in zip(tape.gradient(seeds, nodes), sources)])

    if has_aux:
        aux = tuple(value[1:])
        return value[0], pullback, aux[0] if len(aux) == 1 else aux
    return value, pullback


def jvp(fn, inputs, v, has_aux=False):
    """(value, its tangent) of `fn` at `inputs` along `v`, of the same structure.

    The tangent is the derivative of the pullback, which is linear, by its
    cotangent: two reverse passes. In a graph it is forward mode.
    """
    from .ops.emitter import state
    if state.emitter is not None:
        return state.emitter.interpreter.call(jvp, (fn, inputs, v), {"has_aux": has_aux})
    from .runtime import tape as _tape
    inputs = tuple(inputs) if isinstance(inputs, (tuple, list)) else (inputs,)
    directions = tuple(v) if isinstance(v, (tuple, list)) else (v,)
    if len(inputs) != len(directions):
        raise ValueError(f"For 'jvp', expected {len(inputs)} directions, one an input, found {len(directions)}.")
    with _tape.Tape() as outer:
        with _tape.Tape() as inner:
            args = _distinct(inputs, range(len(inputs)))
            nodes = [inner.watch(_tensor_at(args, p)) for p in range(len(args))]
            value = fn(*args)
            outputs = differentiated(value, has_aux)
        cotangents = [_tape.zeros(o._spec) for o in outputs]
        places = [outer.watch(c) for c in cotangents]
        pulled = inner.gradient(seeds_of(inner, outputs, cotangents), nodes)
    seeds = [(_tape.node_of(p), _cotangent(p, d)) for p, d in zip(pulled, directions)
             if p is not None and outer.follows(p)]
    tangents = [_or_zeros(t, o) for t, o in zip(outer.gradient(seeds, places), outputs)]
    shaped = tangents[0] if len(tangents) == 1 else tuple(tangents)
    if has_aux:
        aux = tuple(value[1:])
        return value[0], shaped, aux[0] if len(aux) == 1 else aux
    return value, shaped
