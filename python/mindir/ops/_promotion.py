"""Promotion of dtypes and broadcasting of shapes, written out as casts and broadcasts.

MindSpore's rules: among tensors the higher kind wins (bool < integers < floats)
and within a kind the wider one; Python numbers are weak: they raise the kind
(an int tensor with a float gives float32, a bool one with an int int64) but
never the width. Shapes follow numpy. A size that is not known (None) is never
one: sizes 0 and 1 are always known.
"""

from .. import dtype as _dtype
from . import emitter as _e
from .emitter import WeakScalar, emit

_KIND_RANK = {"bool": 0, "uint": 1, "int": 1, "float": 2}
_WEAK_DTYPE = {"bool": "bool", "int": "int64", "float": "float32"}
_NUMBERS = (bool, int, float)


def promote_dtypes(a, b):
    """The dtype name of an operation on tensors of dtypes `a` and `b`."""
    if a == b:
        return a
    x, y = _dtype.BY_NAME[a], _dtype.BY_NAME[b]
    if _KIND_RANK[x.kind] != _KIND_RANK[y.kind]:
        return a if _KIND_RANK[x.kind] > _KIND_RANK[y.kind] else b
    if x.kind == y.kind:
        if x.itemsize == y.itemsize:        # float16 with bfloat16
            return "float32"
        return a if x.itemsize > y.itemsize else b
    unsigned, signed = (x, y) if x.kind == "uint" else (y, x)
    if signed.itemsize > unsigned.itemsize:
        return signed.name
    return f"int{16 * unsigned.itemsize}" if unsigned.itemsize < 8 else "float64"


def weak_kind(x):
    """"bool", "int" or "float" of a Python number or WeakScalar, else None."""
    if type(x) is WeakScalar:
        return x.kind
    if isinstance(x, bool):
        return "bool"
    if isinstance(x, int):
        return "int"
    return "float" if isinstance(x, float) else None


def promote_weak(dtype, kind):
    """The dtype of an operation on a tensor of `dtype` and a Python number of `kind`."""
    rank = {"bool": 0, "int": 1, "float": 2}[kind]
    if rank <= _KIND_RANK[_dtype.BY_NAME[dtype].kind]:
        return dtype
    return _WEAK_DTYPE[kind]


def result_dtype(*operands):
    """The dtype name that operands (Values, Python numbers, WeakScalars) share."""
    common, weak = None, None
    for x in operands:
        kind = weak_kind(x)
        if kind is None:
            if not _e.is_value(x):
                raise TypeError(f"expected a Tensor or a number, found {type(x).__name__}")
            common = x.dtype if common is None else promote_dtypes(common, x.dtype)
        elif weak is None or ("bool", "int", "float").index(kind) > ("bool", "int", "float").index(weak):
            weak = kind
    if common is None:
        return _WEAK_DTYPE[weak]
    return common if weak is None else promote_weak(common, weak)


def to_value(x, dtype=None):
    """A Value of a Value, Tensor, Python number or WeakScalar, cast to `dtype` when given.

    TypeError for anything else.
    """
    if type(x) is WeakScalar:
        return cast(x.value, dtype or _WEAK_DTYPE[x.kind])
    if isinstance(x, _NUMBERS):
        return _e.constant(x, dtype or _WEAK_DTYPE[weak_kind(x)])
    if not _e.is_value(x):
        x = _lift(x)
    return x if dtype is None else cast(x, dtype)


def _lift(x):
    from ..tensor import Tensor
    if isinstance(x, Tensor):
        return _e.state.emitter.unwrap(x)
    import numpy as np
    if isinstance(x, (np.ndarray, np.generic)):
        return _e.constant(np.asarray(x), None)
    raise TypeError(f"expected a Tensor or a number, found {type(x).__name__}")


def cast(x, dtype):
    """The Value `x` as `dtype`; itself when it is so already."""
    if x.dtype == dtype:
        return x
    return emit("cast", [x], result_types=[(dtype, x.shape)])


def broadcast_shapes(op, *shapes):
    """Numpy's common shape; ValueError that names `op` when there is none."""
    rank = max(map(len, shapes))
    result = []
    for axis in range(-rank, 0):
        size = 1
        for shape in shapes:
            have = shape[axis] if -axis <= len(shape) else 1
            size = _join_sizes(op, size, have, shapes)
        result.append(size)
    return tuple(result)


def _join_sizes(op, a, b, shapes):
    if a == b or b == 1:
        return a
    if a == 1:
        return b
    if a is None or b is None:
        return a if b is None else b
    shown = ", ".join(f"input{i}.shape = {list(s)}" for i, s in enumerate(shapes, 1))
    raise ValueError(
        f"For '{op}', expected input shapes that broadcast: sizes aligned at the last "
        f"dimension are equal or one, found {shown}. Reshape or expand one of them.")


def broadcast(x, shape, like=()):
    """`x` broadcast to `shape`; sizes None are those of the Values `like` (or of `x`)."""
    if tuple(x.shape) == tuple(shape):
        return x
    sizes = [_size_from((x,) + tuple(like), axis - len(shape))
             for axis, size in enumerate(shape) if size is None]
    return emit("broadcast_to", [x, *sizes], result_types=[(x.dtype, tuple(shape))])


def _size_from(values, axis):
    for value in values:
        if -axis <= len(value.shape) and value.shape[axis] is None:
            return _e.emit_dim(value, len(value.shape) + axis)
    raise ValueError("expected an operand with the unknown size, found none")


def _operand(op, x):
    if weak_kind(x) or _e.is_value(x):
        return x
    try:
        return _lift(x)
    except TypeError as error:
        raise TypeError(f"For '{op}', {error}.") from None


def same_operands(op, *operands, dtype=None):
    """The operands as Values of one dtype and one shape, by the rules above."""
    operands = [_operand(op, x) for x in operands]
    dtype = dtype or result_dtype(*operands)
    values = [to_value(x, dtype) for x in operands]
    shape = values[0].shape
    if all(v.shape == shape for v in values):
        return values
    shape = broadcast_shapes(op, *(v.shape for v in values))
    return [broadcast(v, shape, values) for v in values]


def floating(x):
    """`x` as a float Value: itself, or float32 of integers and bools."""
    x = to_value(x)
    return x if _dtype.BY_NAME[x.dtype].kind == "float" else cast(x, "float32")


def widened(x):
    """A float Value in at least float32, for statistics whose sums overflow half precision."""
    return cast(x, "float32") if x.dtype in ("float16", "bfloat16") else x


def require_float(op, x):
    """TypeError that names `op` unless the Value is of a float dtype."""
    require_kind(op, x, ("float",), "a float tensor")


def require_kind(op, x, kinds, wanted):
    """TypeError that names `op` unless the Value's dtype is of one of `kinds`."""
    d = _dtype.BY_NAME[x.dtype]
    if d.kind not in kinds:
        raise TypeError(f"For '{op}', expected {wanted}, found a tensor of dtype {d}. "
                        "Convert it with astype().")
