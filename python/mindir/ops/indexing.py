"""Indexing by tensors, and numpy's `x[index]` and `x[index] = value`."""

import numpy as np

from .. import dtype as _dtype
from . import _views
from . import elementwise as _el
from . import reduction as _red
from ._promotion import broadcast, broadcast_shapes, cast as _cast, to_value, weak_kind
from ._shape import axis_of, multiply, sizes_of
from ._subscript import Subscript, without_bools
from .emitter import constant, emit, is_value
from .movement import broadcast_to, expand_dims, reshape, transpose, unbind
from .primitive import primitive


@primitive
def gather(input_params, input_indices, axis, batch_dims=0):
    """The slices at `input_indices` along `axis`, whose dimensions replace it (numpy's `take`).

    Negative indices count from the end; IndexError for others out of range.
    ValueError unless `batch_dims` is 0.
    """
    x, indices = to_value(input_params), index_value("Gather", input_indices)
    if batch_dims:
        raise ValueError(f"For 'Gather', expected batch_dims 0, found {batch_dims}.")
    return emit("gather", [x, indices], {"axis": axis_of("Gather", axis, len(x.shape))})


@primitive
def index_select(input, axis, index):
    """The slices at a vector of indices along `axis`."""
    x, indices = to_value(input), index_value("IndexSelect", index)
    return emit("gather", [x, indices], {"axis": axis_of("IndexSelect", axis, len(x.shape))})


def index_value(title, index):
    """An int32 or int64 Value of an index operand; TypeError for floats and bools."""
    x = to_value(index)
    if _dtype.BY_NAME[x.dtype].kind not in ("int", "uint"):
        raise TypeError(f"For '{title}', expected an integer tensor as indices, found dtype "
                        f"{_dtype.BY_NAME[x.dtype]}.")
    return x if x.dtype in ("int32", "int64") else _cast(x, "int64")


@primitive
def gather_elements(input, dim, index):
    """`input[.., index[.., j, ..], ..]`: one element for each of `index`, along `dim`.

    Sizes off `dim` of the index are at most the input's and are known.
    """
    x, indices = to_value(input), _cast(index_value("GatherD", index), "int64")
    rank = len(x.shape)
    dim = axis_of("GatherD", dim, rank)
    if len(indices.shape) != rank or None in indices.shape or None in x.shape:
        raise ValueError(f"For 'GatherD', expected an index of {rank} dimensions and known sizes, found shapes "
                         f"{tuple(x.shape)} and {tuple(indices.shape)}.")
    flat = None
    for axis in range(rank):
        place = _places(indices, x.shape[axis]) if axis == dim else \
            emit("iota", [], {"axis": axis}, [("int64", tuple(indices.shape))])
        flat = place if flat is None else _el.add(_el.mul(flat, x.shape[axis]), place)
    return emit("gather", [reshape(x, (-1,)), flat], {"axis": 0})


gather_d = gather_elements


@primitive
def gather_nd(input_x, indices):
    """`input_x[indices[.., 0], indices[.., 1], ...]`: the last dimension of `indices` is a position.

    ValueError when that is longer than the input's rank or of unknown size.
    """
    x, indices = to_value(input_x), index_value("GatherNd", indices)
    count = indices.shape[-1] if indices.shape else None
    if count is None or not 0 < count <= len(x.shape):
        raise ValueError(f"For 'GatherNd', expected positions of 1 to {len(x.shape)} numbers, found indices of shape "
                         f"{tuple(indices.shape)}.")
    return getitem(x, unbind(indices, -1))


def _places(indices, size):
    """The positions in [0, size) that int64 indices name: negative ones count from the end.

    IndexError when run for others, by the range check of the gather.
    """
    return emit("gather", [emit("iota", [], {"axis": 0}, [("int64", (size,))]), indices], {"axis": 0})


@primitive
def scatter_add(input_x, axis, index, src):
    """The input with slices of `src` added at a vector of indices along `axis`; duplicates add up."""
    x, indices = to_value(input_x), index_value("ScatterAdd", index)
    updates = to_value(src, x.dtype)
    return emit("scatter_add", [x, indices, updates], {"axis": axis_of("ScatterAdd", axis, len(x.shape))})


@primitive
def one_hot(indices, depth, on_value=1, off_value=0, axis=-1):
    """`on_value` where the new dimension `axis` of size `depth` equals the index, else `off_value`.

    The values' dtype: of a tensor or number as given (int64 of ints, float32 of floats).
    """
    hot = emit("one_hot", [index_value("OneHot", indices)],
               {"depth": int(depth), "element_type": ("type", "bool")})
    result = _el.select(hot, on_value, off_value)
    axis = axis_of("OneHot", axis, len(result.shape))
    order = list(range(len(result.shape) - 1))
    order.insert(axis, len(order))
    return transpose(result, tuple(order))


@primitive(view=_views.getitem)
def getitem(input, index):
    """Numpy's `input[index]`: ints, bools, slices, None, Ellipsis, integer tensors.

    Bool tensors are resolved to indices by eager calls. IndexError: out of
    range, too many indices; TypeError: another kind of index.
    """
    x, index = without_bools(to_value(input), index)
    return _read(x, Subscript(x, index))


def _read(x, sub):
    x = _basic(x, sub)
    if sub.tensors:
        x = _advanced(x, sub)
    return reshape(x, sub.final_shape(sizes_of(x))) if sub.reshapes else x


def _basic(x, sub):
    """The ranges of the subscript: blocks at run-time places, a static slice, reversals."""
    if sub.positions or sub.blocks:
        sizes = [1 if a in sub.positions else sub.blocks[a][1] if a in sub.blocks else s
                 for a, s in enumerate(sizes_of(x))]
        shape = tuple(None if is_value(s) else s for s in sizes)
        starts, dynamic = _starts(x, sub), [s for s in sizes if is_value(s)]
        x = emit("dynamic_slice", [x, *starts, *dynamic],
                 {"operandSegmentSizes": [1, len(starts), len(dynamic)]}, [(x.dtype, shape)])
    return _static_ranges(x, sub)


def _static_ranges(x, sub):
    if sub.reversed_axes or sub.sliced:
        x = emit("slice", [x], {"starts": sub.starts, "limits": sub.limits, "strides": sub.strides})
        if sub.reversed_axes:
            x = emit("reverse", [x], {"axes": sub.reversed_axes})
    return x


def _starts(x, sub):
    known = {**sub.positions, **{a: start for a, (start, _) in sub.blocks.items()}}
    return [known[a] if a in known else constant(0, "int64") for a in range(len(x.shape))]


def _advanced(x, sub):
    """Gathers at the broadcast index tensors; their dimensions stand where numpy puts them."""
    axes = sorted(sub.tensors)
    indices, flat = _linear_index(x, sub)
    rest = [a for a in range(len(x.shape)) if a not in axes]
    x = transpose(x, tuple(axes + rest))
    sizes = sizes_of(x)
    if len(axes) > 1:
        x = reshape(x, (multiply(sizes[:len(axes)]),) + sizes[len(axes):])
    result = emit("gather", [x, flat], {"axis": 0})
    place = sub.tensor_place
    lead = len(indices[0].shape)
    order = list(range(lead, lead + place)) + list(range(lead)) + list(range(lead + place, len(result.shape)))
    return transpose(result, tuple(order))


def _linear_index(x, sub):
    """The index tensors, broadcast, and their row-major combination."""
    axes = sorted(sub.tensors)
    values = [_cast(sub.tensors[a], "int64") for a in axes]
    try:
        shape = broadcast_shapes("getitem", *(v.shape for v in values))
    except ValueError as error:
        raise IndexError(str(error)) from None
    values = [broadcast(v, shape, values) for v in values]
    if len(axes) == 1:
        return values, values[0]
    flat = None
    for axis, value in zip(axes, values):
        size = x.shape[axis]
        if size is None:
            raise ValueError("For 'getitem', expected known sizes along dimensions indexed by several "
                             f"tensors, found shape {tuple(x.shape)}.")
        value = _places(value, size)
        flat = value if flat is None else _el.add(_el.mul(flat, size), value)
    return values, flat


@primitive(scalars=("value",))
def setitem(input, index, value):
    """The input with `input[index] = value` done: numpy's rules, the input's dtype.

    Index as `getitem`, or a bool tensor for a `value` that broadcasts to the
    input. With duplicate indices the last one wins.
    """
    x = to_value(input)
    value = to_value(value, x.dtype)
    mask = _mask_of(x, index)
    if mask is not None:
        return _cast(_el.select(mask, value, x), x.dtype)
    target, index = without_bools(x, index)
    sub = Subscript(target, index)
    written = _write_advanced(target, sub, value) if sub.tensors else _write_basic(target, sub, value)
    return written if target is x else reshape(written, sizes_of(x))


def _mask_of(x, index):
    if weak_kind(index) or isinstance(index, (tuple, list, slice, type(None), type(Ellipsis))):
        return None
    mask = to_value(index)
    if mask.dtype != "bool":
        return None
    for _ in range(len(x.shape) - len(mask.shape)):
        mask = expand_dims(mask, -1)
    return mask


def _write_basic(x, sub, value):
    block_sizes = sizes_of(_basic(x, sub))
    final = sub.final_shape(block_sizes)
    value = reshape(broadcast_to(_trimmed(value, final), final), block_sizes)
    if sub.reversed_axes:
        value = emit("reverse", [value], {"axes": sub.reversed_axes})
    if sub.positions or sub.blocks:
        if any(sub.strides[a] != 1 for a in sub.blocks):
            raise ValueError("expected known sizes to assign to a strided slice, found shape "
                             f"{tuple(x.shape)}")
        if sub.sliced:
            inner = Subscript.ranges_of(sub)
            part = emit("slice", [x], {"starts": sub.starts, "limits": sub.limits, "strides": sub.strides})
            part = emit("dynamic_update_slice", [part, value, *_starts(x, sub)])
            return _put_block(x, inner, part)
        return emit("dynamic_update_slice", [x, value, *_starts(x, sub)])
    return _put_block(x, sub, value)


def _trimmed(value, final):
    """Without leading dimensions of size one that the target lacks, as numpy assigns."""
    extra = len(value.shape) - len(final)
    if extra > 0 and all(s == 1 for s in value.shape[:extra]):
        return reshape(value, sizes_of(value)[extra:])
    return value


def _put_block(x, sub, value):
    if all(s == 1 for s in sub.strides):
        starts = [constant(s, "int64") for s in sub.starts]
        return emit("dynamic_update_slice", [x, value, *starts])
    low, high, interior = sub.padding_around(value)
    pads = {"low": low, "high": high, "interior": interior}
    hit = emit("pad", [broadcast_to(constant(True, "bool"), sizes_of(value)), constant(False, "bool")], pads)
    return emit("select", [hit, emit("pad", [value, constant(0, x.dtype)], pads), x])


def _write_advanced(x, sub, value):
    """Each target row takes the last update that names it; rows none names stay."""
    if sub.sliced or sub.reversed_axes or sub.positions or sub.blocks:
        inner = _write_advanced(_basic(x, sub), sub.without_ranges(), value)
        return _write_basic(x, sub.without_tensors(), inner)
    axes = sorted(sub.tensors)
    rest = [a for a in range(len(x.shape)) if a not in axes]
    order = axes + rest
    moved = transpose(x, tuple(order))
    sizes = sizes_of(moved)
    rows = reshape(moved, (multiply(sizes[:len(axes)]),) + sizes[len(axes):])
    updates, flat = _updates(x, sub, value, sizes[len(axes):])
    count = rows.shape[0]
    if flat.shape[0] == 0:
        return x
    if count is None or None in flat.shape:
        raise ValueError("For 'setitem', expected known sizes for an index tensor, found shapes "
                         f"{tuple(x.shape)} and {tuple(flat.shape)}.")
    last = _last_writer(flat, count)
    named = _el.greater_equal(last, 0)
    taken = emit("gather", [updates, _el.maximum(last, 0)], {"axis": 0})
    for _ in range(len(rows.shape) - 1):
        named = expand_dims(named, -1)
    result = reshape(_el.select(named, taken, rows), sizes)
    back = sorted(range(len(order)), key=order.__getitem__)
    return transpose(result, tuple(back))


def _updates(x, sub, value, tail):
    """The value as one row per index, [m, tail...], and the flat indices [m]."""
    indices, flat = _linear_index(x, sub)
    size = x.shape[sorted(sub.tensors)[0]]
    if len(sub.tensors) == 1 and size is not None:
        flat = _places(flat, size)
    lead, place = tuple(indices[0].shape), sub.tensor_place
    shape = tuple(tail[:place]) + lead + tuple(tail[place:])
    inserted = sub.final_shape(shape) if sub.reshapes else shape
    value = reshape(broadcast_to(_trimmed(value, inserted), inserted), shape)
    n = len(lead)
    order = list(range(place, place + n)) + list(range(place)) + list(range(place + n, len(shape)))
    value = transpose(value, tuple(order))
    return reshape(value, (multiply(lead),) + tuple(tail)), reshape(flat, (-1,))


def _last_writer(flat, count):
    """For each row in [0, count) the last position in `flat` that names it, else -1."""
    number = flat.shape[0]
    hits = emit("one_hot", [flat], {"depth": count, "element_type": ("type", "bool")})
    order = emit("iota", [], {"axis": 0}, [("int64", (number, count))])
    if number == 0:
        return constant(np.full(count, -1), "int64")
    return _red.amax(_el.select(hits, order, -1), 0)
