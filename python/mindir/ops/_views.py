"""Which ops give views in eager mode, and the strides of those views.

Each function takes an Array and the op's other arguments and gives an Array on
the same storage, or None where strides cannot express it or the arguments are
bad: the op's body then computes, or raises. Capture uses the same table:
`mindir.ops.primitive.Primitive.view` is not None for the ops that may alias.
"""

from math import prod


def row_major(shape):
    """The strides, in elements, of a contiguous array of `shape`."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def reshape(array, shape):
    """The same elements under another shape; None unless contiguous and fitting."""
    if not array.is_contiguous:
        return None
    sizes = [shape] if isinstance(shape, int) else list(shape)
    if not all(type(s) is int and s >= -1 for s in sizes) or sizes.count(-1) > 1:
        return None
    total = prod(array.shape)
    if -1 in sizes:
        known = prod(s for s in sizes if s != -1)
        if known == 0 or total % known:
            return None
        sizes[sizes.index(-1)] = total // known
    if prod(sizes) != total:
        return None
    return array.view(0, tuple(sizes), row_major(sizes))


def transpose(array, input_perm):
    """Permuted dimensions."""
    rank = len(array.shape)
    order = [a % rank if type(a) is int and -rank <= a < rank else None for a in input_perm]
    if None in order or sorted(order) != list(range(rank)):
        return None
    shape, strides = array.shape, array.strides
    return array.view(0, tuple(shape[a] for a in order), tuple(strides[a] for a in order))


def swapaxes(array, axis0, axis1):
    """Two dimensions exchanged."""
    order = list(range(len(array.shape)))
    try:
        order[axis0], order[axis1] = order[axis1], order[axis0]
    except (IndexError, TypeError):
        return None
    return transpose(array, order)


def expand_dims(array, axis):
    """A dimension of size one more."""
    axes = list(axis) if isinstance(axis, (tuple, list)) else [axis]
    rank = len(array.shape) + len(axes)
    if not all(type(a) is int and -rank <= a < rank for a in axes):
        return None
    places = {a % rank for a in axes}
    if len(places) != len(axes):
        return None
    dims = iter(zip(array.shape, array.strides))
    pairs = [(1, 1) if i in places else next(dims) for i in range(rank)]
    return array.view(0, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def squeeze(array, axis=None):
    """Dimensions of size one fewer."""
    rank, shape = len(array.shape), array.shape
    if axis is None or axis == ():
        axes = [i for i in range(rank) if shape[i] == 1]
    else:
        axes = list(axis) if isinstance(axis, (tuple, list)) else [axis]
        if not all(type(a) is int and -rank <= a < rank and shape[a] == 1 for a in axes):
            return None
        axes = [a % rank for a in axes]
    pairs = [(s, t) for i, (s, t) in enumerate(zip(shape, array.strides)) if i not in axes]
    return array.view(0, tuple(p[0] for p in pairs), tuple(p[1] for p in pairs))


def flatten(array, order="C", start_dim=1, end_dim=-1):
    """Dimensions start_dim .. end_dim joined."""
    shape, rank = array.shape, len(array.shape)
    if rank < 2 or not (type(start_dim) is int and type(end_dim) is int):
        return None
    first, last = start_dim % rank, end_dim % rank
    if first > last:
        return None
    return reshape(array, shape[:first] + (prod(shape[first:last + 1]),) + shape[last + 1:])


def narrow(array, axis, start, length):
    """A range along one dimension."""
    rank, shape = len(array.shape), array.shape
    if not (type(axis) is int and -rank <= axis < rank and 0 <= start <= start + length <= shape[axis]):
        return None
    axis %= rank
    sizes = shape[:axis] + (length,) + shape[axis + 1:]
    return array.view(start * array.strides[axis], sizes, array.strides)


def getitem(array, index):
    """Numpy's basic indexing: ints, slices, None and Ellipsis; None for tensors in it."""
    items = index if isinstance(index, tuple) else (index,)
    if not all(i is None or i is Ellipsis or type(i) in (int, slice) for i in items):
        return None
    for item in items:
        if type(item) is slice and not all(
                v is None or type(v) is int for v in (item.start, item.stop, item.step)):
            return None
    used = sum(i is not None and i is not Ellipsis for i in items)
    rank = len(array.shape)
    if used > rank or sum(i is Ellipsis for i in items) > 1:
        return None
    if not any(i is Ellipsis for i in items):
        items = items + (Ellipsis,)
    offset, shape, strides, axis = 0, [], [], 0
    for item in items:
        if item is None:
            shape.append(1)
            strides.append(1)
        elif item is Ellipsis:
            count = rank - used
            shape += array.shape[axis:axis + count]
            strides += array.strides[axis:axis + count]
            axis += count
        else:
            size, step = array.shape[axis], array.strides[axis]
            axis += 1
            if type(item) is int:
                if not -size <= item < size:
                    return None
                offset += (item % size) * step
            else:
                start, stop, stride = item.indices(size)
                count = len(range(start, stop, stride))
                offset += start * step if count else 0
                shape.append(count)
                strides.append(step * stride)
    return array.view(offset, tuple(shape), tuple(strides))
