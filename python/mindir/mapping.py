"""Functions over a batch and Jacobians: `vmap`, `jacfwd`, `jacrev`.

`vmap(fn)` is an object that says what is asked. Called eagerly it runs `fn` once
a lane; inside captured code the emitter takes it, as one `mindir.vmap`.
"""

from .gradient import jvp, vjp
from .tensor import Tensor


class VMap:
    """`VMap(fn, in_axes, out_axes)(*args)`: `fn` for each index along `in_axes` of the
    arguments, the results put together along `out_axes`."""

    def __init__(self, fn, in_axes=0, out_axes=0):
        self.fn, self.in_axes, self.out_axes = fn, _axes("in_axes", in_axes), _axes("out_axes", out_axes)
        self.__name__ = f"vmap_of_{getattr(fn, '__name__', type(fn).__name__)}"

    def __call__(self, *args, **kwargs):
        from .ops.emitter import state
        if state.emitter is not None:
            return state.emitter.interpreter.call(self, args, kwargs)
        from .runtime import graph_mode
        if graph_mode.active():
            return graph_mode.call(self, args, kwargs, self.eager)
        return self.eager(*args, **kwargs)

    def eager(self, *args, **kwargs):
        """The call, one lane after another."""
        from .ops import stack
        axes = self.axes_of(args)
        lanes = self.lanes(leaves_with_axes(args, axes))
        outputs = [self.fn(*lane_of(args, axes, i), **kwargs) for i in range(lanes)]
        return together(outputs, spread(self.out_axes, outputs[0]), lambda parts, axis: stack(parts, axis))

    def axes_of(self, args):
        """An axis or None for each leaf of the arguments, in their structure."""
        axes = self.in_axes
        if not isinstance(axes, (tuple, list)):
            axes = (axes,) * len(args)
        if len(axes) != len(args):
            raise ValueError(f"For 'vmap', expected in_axes for {len(args)} arguments, found {len(axes)}.")
        return tuple(spread(a, x) for a, x in zip(axes, args))

    def lanes(self, leaves):
        """The number of lanes of [(tensor, axis)]; ValueError when they differ or there is none."""
        sizes = set()
        for x, axis in leaves:
            if axis is not None:
                if not -x.ndim <= axis < x.ndim:
                    raise ValueError(f"For 'vmap', expected an axis of a tensor of {x.ndim} dimensions, found {axis}.")
                sizes.add(x.shape[axis])
        if len(sizes) != 1:
            raise ValueError("For 'vmap', expected one size along all mapped axes, found "
                             f"{sorted(map(str, sizes)) or 'no mapped argument'}.")
        return sizes.pop()


def _axes(name, axes):
    items = axes if isinstance(axes, (tuple, list)) else (axes,)
    for a in items:
        if isinstance(a, (tuple, list)):
            _axes(name, a)
        elif a is not None and (isinstance(a, bool) or not isinstance(a, int)):
            raise TypeError(f"For 'vmap', expected {name} of ints and None, found {axes!r}.")
    return axes


def spread(axis, value):
    """The axis for each leaf of a structure."""
    if isinstance(value, (tuple, list)):
        axes = axis if isinstance(axis, (tuple, list)) else (axis,) * len(value)
        if len(axes) != len(value):
            raise ValueError(f"For 'vmap', expected {len(value)} axes, found {len(axes)}.")
        return tuple(spread(a, v) for a, v in zip(axes, value))
    if isinstance(value, dict):
        return {k: spread(axis, v) for k, v in value.items()}
    return axis if isinstance(value, Tensor) else None


def leaves_with_axes(value, axes):
    """[(tensor, axis)] of a structure and its axes."""
    if isinstance(value, Tensor):
        return [(value, axes)]
    if isinstance(value, (tuple, list)):
        return [pair for v, a in zip(value, axes) for pair in leaves_with_axes(v, a)]
    if isinstance(value, dict):
        return [pair for k, v in value.items() for pair in leaves_with_axes(v, axes[k])]
    return []


def lane_of(value, axes, i):
    """A structure with the `i`-th part of each mapped tensor."""
    if isinstance(value, Tensor):
        return value if axes is None else value[(slice(None),) * (axes % value.ndim) + (i,)]
    if isinstance(value, (tuple, list)):
        return type(value)(lane_of(v, a, i) for v, a in zip(value, axes))
    if isinstance(value, dict):
        return {k: lane_of(v, axes[k], i) for k, v in value.items()}
    return value


def together(outputs, axes, join):
    """The outputs of all lanes as one structure; `join(tensors, axis)` puts one leaf together."""
    first = outputs[0]
    if isinstance(first, Tensor):
        return first if axes is None else join(outputs, axes)
    if isinstance(first, (tuple, list)):
        return type(first)(together([o[i] for o in outputs], axes[i], join) for i in range(len(first)))
    if isinstance(first, dict):
        return {k: together([o[k] for o in outputs], axes[k], join) for k in first}
    raise TypeError(f"For 'vmap', expected a function that gives Tensors, found {type(first).__name__}.")


def vmap(fn, in_axes=0, out_axes=0):
    """A function that applies `fn` to each part of its arguments along `in_axes`.

    in_axes, out_axes: an int for all, None for what every part shares, or a tuple
    of them, one an argument or output. TypeError, ValueError: axes that do not fit.
    """
    return VMap(fn, in_axes, out_axes)


def _jacobian(fn, grad_position, has_aux, name, columns):
    """The function that `jacfwd` and `jacrev` return. columns(f, inputs) -> (value, aux,
    a derivative for each input with the dimensions of the output before its own)."""
    if isinstance(grad_position, bool) or not isinstance(grad_position, (int, tuple)):
        raise TypeError(f"For '{name}', expected grad_position as an int or a tuple of ints, found {grad_position!r}.")
    positions = grad_position if isinstance(grad_position, tuple) else (grad_position,)

    def jacobian(*args):
        def of_inputs(*inputs):
            given = list(args)
            for p, x in zip(positions, inputs):
                given[p] = x
            return _apply(fn, *given)
        aux, found = columns(of_inputs, [args[p] for p in positions], has_aux)
        found = tuple(found) if isinstance(grad_position, tuple) else found[0]
        return (found, aux) if has_aux else found
    jacobian.__name__ = f"{name}_of_{getattr(fn, '__name__', type(fn).__name__)}"
    return jacobian


def _apply(fn, *args):
    """`fn(*args)`, captured inside captured code."""
    from .ops.emitter import state
    return fn(*args) if state.emitter is None else state.emitter.interpreter.call(fn, args, {})


def moved(tensor, source, destination):
    """The tensor with one dimension moved."""
    from .ops import transpose
    order = list(range(tensor.ndim))
    order.insert(destination % tensor.ndim, order.pop(source % tensor.ndim))
    return tensor if order == sorted(order) else transpose(tensor, tuple(order))


def _basis(tensor):
    """The unit tensors of a tensor's shape, along a new first dimension."""
    from .ops import eye
    size = 1
    for n in tensor.shape:
        size = size * n
    return eye(size, size, tensor.dtype).reshape((size,) + tuple(tensor.shape))


def _by_columns(fn, inputs, has_aux):
    found, aux = [], None
    for k, x in enumerate(inputs):
        def along(direction):
            return jvp(lambda y: fn(*inputs[:k], y, *inputs[k + 1:]), (x,), (direction,), has_aux)[1]
        rows = vmap(along)(_basis(x))
        found.append(moved(rows, 0, -1).reshape(tuple(rows.shape[1:]) + tuple(x.shape)))
    if has_aux:
        aux = tuple(_apply(fn, *inputs)[1:])
        aux = aux[0] if len(aux) == 1 else aux
    return aux, found


def _by_rows(fn, inputs, has_aux):
    result = vjp(fn, *inputs, has_aux=has_aux)
    value, pullback, aux = result[0], result[1], result[2] if has_aux else None
    rows = vmap(pullback)(_basis(value))
    rows = rows if isinstance(rows, tuple) else (rows,)
    return aux, [r.reshape(tuple(value.shape) + tuple(x.shape)) for r, x in zip(rows, inputs)]


def jacfwd(fn, grad_position=0, has_aux=False):
    """A function that gives the Jacobian of `fn`, by forward mode: of an output of shape
    S by an input of shape T it has the shape S + T. A tuple of positions gives a tuple;
    with `has_aux` the outputs after the first follow: (Jacobian, aux)."""
    return _jacobian(fn, grad_position, has_aux, "jacfwd", _by_columns)


def jacrev(fn, grad_position=0, has_aux=False):
    """As `jacfwd`, by reverse mode."""
    return _jacobian(fn, grad_position, has_aux, "jacrev", _by_rows)
