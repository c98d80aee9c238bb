"""Axes, sizes and shapes as arguments: normalised and checked, or a named error."""

import operator

from . import emitter as _e


def axis_of(op, axis, rank):
    """`axis` counted from the front, in [0, rank); TypeError, ValueError naming `op`."""
    if isinstance(axis, bool) or not hasattr(axis, "__index__"):
        raise TypeError(f"For '{op}', expected an int as axis, found {axis!r}.")
    axis = operator.index(axis)
    if not -rank <= axis < rank:
        raise ValueError(
            f"For '{op}', expected an axis in [{-rank}, {rank}), found {axis}.")
    return axis % rank


def axes_of(op, axis, rank):
    """All axes for None or (), else the sorted distinct axes; errors as `axis_of`."""
    if axis is None or axis == () or axis == []:
        return list(range(rank))
    if not isinstance(axis, (tuple, list)):
        return [] if rank == 0 and axis in (0, -1) else [axis_of(op, axis, rank)]
    axes = sorted(axis_of(op, a, rank) for a in axis)
    if len(set(axes)) != len(axes):
        raise ValueError(f"For '{op}', expected distinct axes, found {tuple(axis)}.")
    return axes


def shape_of(op, shape):
    """A shape argument as a tuple of ints and index Values; an int means one dimension."""
    if hasattr(shape, "__index__") and not _e.is_value(shape):
        return (operator.index(shape),)
    if not isinstance(shape, (tuple, list)):
        raise TypeError(f"For '{op}', expected a shape (a tuple of ints), found {shape!r}.")
    return tuple(_entry(op, s, shape) for s in shape)


def _entry(op, size, shape):
    if _e.is_value(size):
        return size
    if isinstance(size, _e.WeakScalar):
        return _e.emit("arith.index_cast", [_e.emit("tensor.extract", [size.value],
                       result_types=[("int64", None)])], result_types=[("index", None)])
    if isinstance(size, bool) or not hasattr(size, "__index__"):
        raise TypeError(f"For '{op}', expected ints as sizes, found {shape!r}.")
    return operator.index(size)


def static(sizes):
    """(shape with None for index Values, the list of those Values)."""
    dynamic = [s for s in sizes if _e.is_value(s)]
    return tuple(None if _e.is_value(s) else s for s in sizes), dynamic


def sizes_of(value):
    """The sizes of a Value: ints, and index Values where they are not known."""
    return tuple(_e.emit_dim(value, i) if s is None else s for i, s in enumerate(value.shape))


def multiply(sizes):
    """The product of sizes, an int or an index Value."""
    number, values = 1, []
    for s in sizes:
        if _e.is_value(s):
            values.append(s)
        else:
            number *= s
    if not values:
        return number
    if number != 1:
        values.append(_e.index_constant(number))
    result = values[0]
    for v in values[1:]:
        result = index_op("muli", result, v)
    return result


def index_op(name, a, b):
    """`arith.<name>` of two sizes (ints or index Values), as an index Value."""
    a, b = (x if _e.is_value(x) else _e.index_constant(x) for x in (a, b))
    return _e.emit("arith." + name, [a, b], result_types=[("index", None)])


def pair(op, name, value, least=1):
    """`value` as (height, width): an int twice, or two ints of at least `least`."""
    values = value if isinstance(value, (tuple, list)) else (value, value)
    if len(values) == 4:                # MindSpore's (1, 1, height, width)
        values = values[2:]
    ok = len(values) == 2 and all(
        isinstance(v, int) and not isinstance(v, bool) and v >= least for v in values)
    if not ok:
        raise ValueError(f"For '{op}', expected {name} as an int or two ints of at least "
                         f"{least}, found {value!r}.")
    return list(values)
