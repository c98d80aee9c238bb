"""Reductions along axes.

`axis` is an int, a tuple of ints, or None (or ()) for all axes; `keep_dims`
keeps reduced dimensions with size one. TypeError or ValueError names an axis
that is no int, out of range or repeated.
"""

import math

from .. import dtype as _dtype
from . import elementwise as _el
from ._promotion import cast as _cast, floating, to_value, widened
from ._shape import axes_of, axis_of, multiply, sizes_of
from .emitter import constant, emit, is_value
from .primitive import primitive

_END = -(2 ** 63)      # the limit of a slice that stands for the dimension's size


def _reduce(title, op, x, axis, keep_dims):
    attrs = {"axes": axes_of(title, axis, len(x.shape))}
    if keep_dims:
        attrs["keep_dims"] = True
    return emit(op, [x], attrs)


@primitive
def sum(input, dim=None, keepdim=False, *, dtype=None):
    """The sum; bools count as int64. The dtype is the input's or `dtype`; zero of none."""
    x = to_value(input)
    if dtype is not None:
        x = _el.cast(x, dtype)
    elif x.dtype == "bool":
        x = _cast(x, "int64")
    return _reduce("ReduceSum", "reduce_sum", x, dim, keepdim)


@primitive
def prod(input, axis=None, keep_dims=False, dtype=None):
    """The product, as `sum`; one of no elements."""
    x = to_value(input)
    if dtype is not None:
        x = _el.cast(x, dtype)
    elif x.dtype == "bool":
        x = _cast(x, "int64")
    return _reduce("ReduceProd", "reduce_prod", x, axis, keep_dims)


@primitive
def mean(x, axis=None, keep_dims=False):
    """The mean, in the input's float dtype (float32 of integers); NaN of no elements."""
    x = floating(x)
    return _mean("ReduceMean", x, axis, keep_dims)


def count_of(x, axes, dtype):
    """The number of elements that reducing `axes` combines, as a 0-d Value or number."""
    sizes = sizes_of(x)
    count = multiply([sizes[a] for a in axes])
    if not is_value(count):
        return count
    number = emit("arith.index_cast", [count], result_types=[("int64", None)])
    return _cast(emit("tensor.from_elements", [number], result_types=[("int64", ())]), dtype)


def _mean(title, x, axis, keep_dims):
    dtype, x = x.dtype, widened(x)
    total = _reduce(title, "reduce_sum", x, axis, keep_dims)
    count = count_of(x, axes_of(title, axis, len(x.shape)), x.dtype)
    return _cast(_el.div(total, float(count) if isinstance(count, int) else count), dtype)


@primitive
def var(input, axis=None, ddof=0, keepdims=False):
    """The variance with divisor `n - ddof` (`ddof` True or False count as 1, 0), of floats."""
    x = floating(input)
    dtype, x = x.dtype, widened(x)
    axes = axes_of("Var", axis, len(x.shape))
    deviation = _el.sub(x, _mean("Var", x, axes, True)) if axes else _el.sub(x, x)
    total = _reduce("Var", "reduce_sum", _el.square(deviation), axes, keepdims)
    count = count_of(x, axes, x.dtype)
    divisor = float(count - int(ddof)) if isinstance(count, int) else _el.sub(count, float(ddof))
    return _cast(_el.div(total, divisor), dtype)


@primitive
def std(input, axis=None, ddof=0, keepdims=False):
    """The square root of `var`."""
    return _el.sqrt(var(input, axis, ddof, keepdims))


@primitive
def amax(input, axis=None, keepdims=False):
    """The maximum along `axis`; NaN if one is."""
    return _reduce("ReduceMax", "reduce_max", to_value(input), axis, keepdims)


@primitive
def amin(input, axis=None, keepdims=False):
    """The minimum along `axis`; NaN if one is."""
    return _reduce("ReduceMin", "reduce_min", to_value(input), axis, keepdims)


def _extreme(reduce, arg, x, axis, keepdims):
    x = to_value(x)
    if axis is None:
        return reduce(x, None, keepdims), constant(0, "int64")
    return reduce(x, axis, keepdims), arg(x, axis, keepdims)


@primitive
def max(input, axis=None, keepdims=False):
    """(maximum, index of its first place) along `axis`; of all elements, (maximum, 0)."""
    return _extreme(amax, argmax, input, axis, keepdims)


@primitive
def min(input, axis=None, keepdims=False):
    """(minimum, index of its first place) along `axis`; of all elements, (minimum, 0)."""
    return _extreme(amin, argmin, input, axis, keepdims)


@primitive
def all(input, axis=None, keep_dims=False):
    """Whether all elements are not zero, as bool; True of none."""
    return _reduce("ReduceAll", "reduce_min", _el.to_bool(input), axis, keep_dims)


@primitive
def any(input, axis=None, keep_dims=False):
    """Whether some element is not zero, as bool; False of none."""
    return _reduce("ReduceAny", "reduce_max", _el.to_bool(input), axis, keep_dims)


def _arg(title, op, input, dim, keepdim):
    from .movement import reshape
    x = to_value(input)
    if dim is None:
        x, dim = reshape(x, (-1,)), 0
    elif len(x.shape) == 0:
        x = reshape(x, (1,))
    axis = axis_of(title, dim, len(x.shape))
    result = emit(op, [x], {"axis": axis})
    if not keepdim:
        return result
    sizes = list(sizes_of(x))
    sizes[axis] = 1
    return reshape(result, tuple(sizes))


@primitive
def argmax(input, dim=None, keepdim=False):
    """The index (int64) of the first maximum along `dim`, of the flattened tensor for None."""
    return _arg("Argmax", "argmax", input, dim, keepdim)


@primitive
def argmin(input, dim=None, keepdim=False):
    """The index (int64) of the first minimum along `dim`, of the flattened tensor for None."""
    return _arg("Argmin", "argmin", input, dim, keepdim)


@primitive
def logsumexp(input, axis, keep_dims=False):
    """`ln(sum(e^x))` along `axis`, shifted by the maximum against overflow."""
    x = floating(input)
    peak = amax(x, axis, True)
    peak = emit("stop_gradient", [_el.select(_el.isfinite(peak), peak, 0)])
    total = _reduce("LogSumExp", "reduce_sum", _el.exp(_el.sub(x, peak)), axis, True)
    result = _el.add(_el.log(total), peak)
    return result if keep_dims else _reduce("LogSumExp", "reduce_sum", result, axis, False)


@primitive
def norm(A, ord=None, dim=None, keepdim=False):
    """The Euclidean norm over `dim` (all for None), or the `ord`-norm (1, 2, inf, -inf, p)."""
    x = floating(A)
    if ord in (None, 2, "fro"):
        return _el.sqrt(_reduce("norm", "reduce_sum", _el.square(x), dim, keepdim))
    magnitude = _el.abs(x)
    if ord == math.inf:
        return amax(magnitude, dim, keepdim)
    if ord == -math.inf:
        return amin(magnitude, dim, keepdim)
    if ord == 1:
        return _reduce("norm", "reduce_sum", magnitude, dim, keepdim)
    if not isinstance(ord, (int, float)) or ord == 0:
        raise ValueError(f"For 'norm', expected ord as a number other than 0, found {ord!r}.")
    total = _reduce("norm", "reduce_sum", _el.pow(magnitude, float(ord)), dim, keepdim)
    return _el.pow(total, 1.0 / ord)


@primitive
def cumsum(x, axis, dtype=None):
    """The running sum along `axis`, in the input's dtype or `dtype`.

    Sums of doubling spans: log2(size) additions. ValueError for an axis whose
    size is not known when compiling.
    """
    x = to_value(x)
    if dtype is not None:
        x = _el.cast(x, dtype)
    rank = len(x.shape)
    axis = axis_of("CumSum", axis, rank)
    size, span = x.shape[axis], 1
    if size is None:
        raise ValueError("For 'CumSum', expected a known size along the axis, found a dynamic "
                         "one. Call it outside jit.")
    while span < size:
        limits = [_END] * rank
        limits[axis] = size - span
        head = emit("slice", [x], {"starts": [0] * rank, "limits": limits, "strides": [1] * rank})
        low = [span if i == axis else 0 for i in range(rank)]
        shifted = emit("pad", [head, constant(0, x.dtype)],
                       {"low": low, "high": [0] * rank, "interior": [0] * rank})
        x, span = _el.add(x, shifted), 2 * span
    return x
