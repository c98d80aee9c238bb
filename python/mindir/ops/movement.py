"""Movement of elements: shape, order, joining and parting.

In eager mode reshape, transposes, slices and broadcasts share storage with
their input where it can be expressed by strides, as in numpy.
"""

from . import _views
from ._promotion import cast as _cast, promote_dtypes, to_value
from ._shape import axis_of, axes_of, index_op, multiply, shape_of, sizes_of, static
from .emitter import constant, emit, is_value
from .primitive import primitive

END = -(2 ** 63)        # the limit of a slice that stands for the dimension's size


@primitive(view=_views.reshape)
def reshape(input, shape):
    """The elements in row-major order under another shape; one size may be -1.

    ValueError when the numbers of elements differ; TypeError for sizes that are no ints.
    """
    x = to_value(input)
    sizes = _infer_size(x, shape_of("Reshape", shape))
    shape, dynamic = static(sizes)
    if shape == tuple(x.shape) and not dynamic:
        return x
    return emit("reshape", [x, *dynamic], result_types=[(x.dtype, shape)])


def _infer_size(x, sizes):
    unknown = [i for i, s in enumerate(sizes) if not is_value(s) and s == -1]
    bad = [s for s in sizes if not is_value(s) and s < -1]
    if len(unknown) > 1 or bad:
        raise ValueError(f"For 'Reshape', expected sizes of at least 0 with one -1 at most, found {sizes}.")
    total = multiply(sizes_of(x))
    known = multiply([s for i, s in enumerate(sizes) if i not in unknown])
    if is_value(total) or is_value(known):
        rest = index_op("divui", total, known) if unknown else None
    else:
        fits = total % known == 0 if unknown and known else total == known
        if not fits or (unknown and not known):
            raise ValueError(
                f"For 'Reshape', expected a shape of as many elements as the input, found input shape "
                f"{list(x.shape)} with {total} elements and shape {list(sizes)}"
                + (f", whose other sizes make {known}." if unknown else f" with {known}."))
        rest = total // known if unknown else None
    return tuple(rest if i in unknown else s for i, s in enumerate(sizes))


@primitive(view=_views.transpose)
def transpose(input, input_perm):
    """Permutes the dimensions: `result.shape[i] = input.shape[input_perm[i]]`.

    ValueError unless `input_perm` is a permutation of the axes.
    """
    x = to_value(input)
    rank = len(x.shape)
    order = [axis_of("Transpose", a, rank) for a in input_perm]
    if sorted(order) != list(range(rank)):
        raise ValueError(f"For 'Transpose', expected a permutation of {rank} axes, found {tuple(input_perm)}.")
    if order == list(range(rank)):
        return x
    return emit("transpose", [x], {"permutation": order})


permute = transpose


@primitive(view=_views.swapaxes)
def swapaxes(input, axis0, axis1):
    """Exchanges two dimensions."""
    x = to_value(input)
    order = list(range(len(x.shape)))
    a, b = (axis_of("swapaxes", axis, len(order)) for axis in (axis0, axis1))
    order[a], order[b] = order[b], order[a]
    return transpose(x, tuple(order))


@primitive(view=_views.expand_dims)
def expand_dims(input_x, axis):
    """A new dimension of size one at `axis` of the result."""
    x = to_value(input_x)
    axes = axis if isinstance(axis, (tuple, list)) else (axis,)
    rank = len(x.shape) + len(axes)
    places = {axis_of("ExpandDims", a, rank) for a in axes}
    sizes = iter(sizes_of(x))
    return reshape(x, tuple(1 if i in places else next(sizes) for i in range(rank)))


unsqueeze = expand_dims


@primitive(view=_views.squeeze)
def squeeze(input, axis=None):
    """Without the dimensions of size one, or those of `axis`, which must have it (ValueError)."""
    x = to_value(input)
    rank = len(x.shape)
    if axis is None or axis == ():
        axes = [i for i, s in enumerate(x.shape) if s == 1]
    else:
        axes = axes_of("Squeeze", axis, rank)
        if any(x.shape[a] != 1 for a in axes):
            raise ValueError(f"For 'Squeeze', expected size 1 along axis {axis}, found shape {x.shape}.")
    return reshape(x, tuple(s for i, s in enumerate(sizes_of(x)) if i not in axes))


@primitive(view=_views.flatten)
def flatten(input, order="C", *, start_dim=1, end_dim=-1):
    """Joins the dimensions start_dim .. end_dim in one, row-major."""
    x = to_value(input)
    if not x.shape:
        return reshape(x, (1,))
    rank = len(x.shape)
    first, last = axis_of("Flatten", start_dim, rank) if rank > 1 else 0, axis_of("Flatten", end_dim, rank)
    sizes = sizes_of(x)
    return reshape(x, sizes[:first] + (multiply(sizes[first:last + 1]),) + sizes[last + 1:])


@primitive
def broadcast_to(input, shape):
    """Repeats along new leading dimensions and those of size one; -1 keeps a size.

    ValueError when the shapes do not fit.
    """
    x = to_value(input)
    sizes = list(shape_of("BroadcastTo", shape))
    lead = len(sizes) - len(x.shape)
    have = sizes_of(x)
    for i, size in enumerate(sizes):
        if not is_value(size) and size == -1 and i >= lead:
            sizes[i] = have[i - lead]
    fits = lead >= 0 and all(
        h is None or h == 1 or is_value(s) or h == s for h, s in zip(x.shape, sizes[max(lead, 0):]))
    if not fits or any(not is_value(s) and s < 0 for s in sizes):
        raise ValueError(f"For 'BroadcastTo', expected a shape that {tuple(x.shape)} broadcasts to, found {tuple(shape)}.")
    target, dynamic = static(sizes)
    if target == tuple(x.shape):
        return x
    return emit("broadcast_to", [x, *dynamic], result_types=[(x.dtype, target)])


@primitive
def concat(tensors, axis=0):
    """Joins tensors of equal shapes off `axis` along it; dtypes are promoted.

    ValueError: no tensors, sizes that differ.
    """
    values, dtype = _joined("Concat", tensors)
    axis = axis_of("Concat", axis, len(values[0].shape))
    return values[0] if len(values) == 1 else emit("concat", [_cast(v, dtype) for v in values], {"axis": axis})


cat = concat


@primitive
def stack(tensors, axis=0):
    """Joins tensors of one shape along a new dimension `axis`."""
    values, _ = _joined("Stack", tensors)
    return concat([expand_dims(v, axis_of("Stack", axis, len(v.shape) + 1)) for v in values],
                  axis if axis >= 0 else axis + len(values[0].shape) + 1)


def _joined(title, tensors):
    if not isinstance(tensors, (tuple, list)) or not tensors:
        raise (ValueError if isinstance(tensors, (tuple, list)) else TypeError)(
            f"For '{title}', expected a tuple or list of at least one tensor, found {tensors!r}.")
    values = [to_value(t) for t in tensors]
    dtype, rank = values[0].dtype, len(values[0].shape)
    for v in values[1:]:
        dtype = promote_dtypes(dtype, v.dtype)
        if len(v.shape) != rank:
            raise ValueError(f"For '{title}', expected tensors of one rank, found shapes "
                             f"{[tuple(t.shape) for t in values]}.")
    return values, dtype


@primitive
def split(tensor, split_size_or_sections, axis=0):
    """Parts of `split_size` (the last may be less), or of the listed sizes, along `axis`; a tuple."""
    x = to_value(tensor)
    axis = axis_of("split", axis, len(x.shape))
    size = _known_size("split", x, axis)
    sections = split_size_or_sections
    if isinstance(sections, int):
        if sections < 1:
            raise ValueError(f"For 'split', expected a split size of at least 1, found {sections}.")
        sections = [min(sections, size - at) for at in range(0, size, sections)] or [0]
    if sum(sections) != size:
        raise ValueError(f"For 'split', expected sections that sum to {size}, found {tuple(sections)}.")
    parts, start = [], 0
    for section in sections:
        parts.append(narrow(x, axis, start, section))
        start += section
    return tuple(parts)


@primitive
def chunk(input, chunks, axis=0):
    """`chunks` parts of equal size, the last ones shorter or missing; a tuple."""
    x = to_value(input)
    axis = axis_of("chunk", axis, len(x.shape))
    return split(x, max(1, -(-_known_size("chunk", x, axis) // chunks)), axis)


@primitive
def unbind(input, dim=0):
    """The slices along `dim`, without it; a tuple."""
    x = to_value(input)
    axis = axis_of("unbind", dim, len(x.shape))
    return tuple(squeeze(narrow(x, axis, i, 1), axis) for i in range(_known_size("unbind", x, axis)))


unstack = unbind


def _known_size(title, x, axis):
    if x.shape[axis] is None:
        raise ValueError(f"For '{title}', expected a known size along axis {axis}, found a dynamic one.")
    return x.shape[axis]


@primitive(view=_views.narrow)
def narrow(input, axis, start, length):
    """The elements start .. start + length along `axis`. ValueError: outside of it."""
    x = to_value(input)
    rank = len(x.shape)
    axis = axis_of("narrow", axis, rank)
    size = x.shape[axis]
    if size is not None and not 0 <= start <= start + length <= size:
        raise ValueError(f"For 'narrow', expected a range inside [0, {size}), found {start} .. {start + length}.")
    limits = [END] * rank
    limits[axis] = start + length
    return emit("slice", [x], {"starts": [start if i == axis else 0 for i in range(rank)],
                               "limits": limits, "strides": [1] * rank})


@primitive
def tile(input, dims):
    """Repeats the tensor `dims[i]` times along each dimension, numpy's `tile`."""
    x = to_value(input)
    times = shape_of("Tile", dims)
    rank = max(len(times), len(x.shape))
    times = (1,) * (rank - len(times)) + times
    sizes = (1,) * (rank - len(x.shape)) + sizes_of(x)
    apart = reshape(x, tuple(v for s in sizes for v in (1, s)))
    spread = broadcast_to(apart, tuple(v for t, s in zip(times, sizes) for v in (t, s)))
    return reshape(spread, tuple(multiply((t, s)) for t, s in zip(times, sizes)))


@primitive
def repeat_interleave(input, repeats, axis=None):
    """Each element `repeats` times in a row along `axis` (of the flattened tensor for None)."""
    x = to_value(input)
    if axis is None:
        x, axis = reshape(x, (-1,)), 0
    axis = axis_of("repeat_interleave", axis, len(x.shape))
    sizes = sizes_of(x)
    spread = broadcast_to(expand_dims(x, axis + 1), sizes[:axis + 1] + (repeats,) + sizes[axis + 1:])
    return reshape(spread, sizes[:axis] + (multiply((sizes[axis], repeats)),) + sizes[axis + 1:])


@primitive
def flip(input, dims):
    """Reverses the order along `dims`."""
    x = to_value(input)
    return emit("reverse", [x], {"axes": axes_of("flip", dims, len(x.shape))})


@primitive
def roll(input, shifts, dims=None):
    """Moves elements by `shifts` along `dims`, round the end."""
    x = to_value(input)
    if dims is None:
        return reshape(roll(reshape(x, (-1,)), shifts, 0), sizes_of(x))
    moves = list(zip(shifts, dims)) if isinstance(dims, (tuple, list)) else [(shifts, dims)]
    for shift, dim in moves:
        axis = axis_of("roll", dim, len(x.shape))
        size = _known_size("roll", x, axis)
        cut = -shift % size if size else 0
        if cut:
            x = concat([narrow(x, axis, cut, size - cut), narrow(x, axis, 0, cut)], axis)
    return x


@primitive(scalars=("value",))
def pad(input_x, padding, mode="constant", value=None):
    """Adds `value` (0 for None) around: `padding` is (before, after) pairs from the last dimension on.

    ValueError: another mode, an odd number of sizes or negative ones.
    """
    x = to_value(input_x)
    rank = len(x.shape)
    ok = isinstance(padding, (tuple, list)) and len(padding) % 2 == 0 and len(padding) <= 2 * rank \
        and all(isinstance(p, int) and p >= 0 for p in padding)
    if mode != "constant" or not ok:
        raise ValueError("For 'pad', expected mode 'constant' and pairs of sizes of at least 0 for at most "
                         f"{rank} dimensions, found mode {mode!r} and padding {padding!r}.")
    low, high = [0] * rank, [0] * rank
    for i in range(len(padding) // 2):
        low[rank - 1 - i], high[rank - 1 - i] = padding[2 * i], padding[2 * i + 1]
    fill = constant(0, x.dtype) if value is None else to_value(value, x.dtype)
    return emit("pad", [x, fill], {"low": low, "high": high, "interior": [0] * rank})


def _triangle(title, input, diagonal, keep):
    x = to_value(input)
    if len(x.shape) < 2:
        raise ValueError(f"For '{title}', expected at least 2 dimensions, found shape {x.shape}.")
    shape, dynamic = static(sizes_of(x)[-2:])
    rows, columns = (emit("iota", dynamic, {"axis": a}, [("int64", shape)]) for a in (0, 1))
    from . import elementwise as el
    mask = getattr(el, keep)(columns, el.add(rows, diagonal))
    return el.select(mask, x, constant(0, x.dtype))


@primitive
def tril(input, diagonal=0):
    """The lower triangle of the last two dimensions, zeros above `diagonal`."""
    return _triangle("tril", input, diagonal, "less_equal")


@primitive
def triu(input, diagonal=0):
    """The upper triangle of the last two dimensions, zeros below `diagonal`."""
    return _triangle("triu", input, diagonal, "greater_equal")
