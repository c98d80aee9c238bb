"""Matrix products, convolution and pooling.

Images are [batch, channels, height, width]. Errors name the op, what it
expected and what it found.
"""

from . import elementwise as _el
from ._promotion import (broadcast_shapes, cast as _cast, floating, require_float, result_dtype,
                         to_value)
from ._shape import multiply, pair, sizes_of
from .emitter import emit
from .movement import expand_dims, reshape, squeeze, swapaxes
from .primitive import primitive


@primitive
def matmul(input, other):
    """The matrix product of numpy's `@`.

    Vectors are rows on the left and columns on the right; leading dimensions
    broadcast. Integers stay integers. ValueError: 0-d operands, inner sizes
    that differ.
    """
    return _product("MatMul", to_value(input), to_value(other), False, False)


@primitive
def matrix_product(input, other, transpose_a=False, transpose_b=False, title="BatchMatMul"):
    """The product of matrices, each transposed first if so asked, over broadcast leading dimensions.

    Errors call the op `title`.
    """
    return _product(title, to_value(input), to_value(other), transpose_a, transpose_b)


@primitive
def bmm(input_x, mat2):
    """The product of two batches of matrices, rank 3 each."""
    return _product("bmm", to_value(input_x), to_value(mat2), False, False)


@primitive
def mm(input, mat2):
    """The product of two matrices."""
    return _product("mm", to_value(input), to_value(mat2), False, False)


@primitive
def dense(input, weight, bias=None):
    """`input @ weight.T + bias`: input [.., n], weight [m, n], bias [m]; gives [.., m]."""
    result = _product("Dense", to_value(input), to_value(weight), False, True)
    return result if bias is None else _el.add(result, bias)


@primitive
def dot(input, other):
    """The sum over the last dimension of `input` and the last but one of `other`."""
    return _product("dot", to_value(input), to_value(other), False, False)


def _product(title, x, y, transpose_x, transpose_y):
    dtype = result_dtype(x, y)
    x, y = _cast(x, "int64" if dtype == "bool" else dtype), _cast(y, "int64" if dtype == "bool" else dtype)
    if not x.shape or not y.shape:
        raise ValueError(f"For '{title}', expected tensors of at least 1 dimension, found "
                         f"shapes {x.shape} and {y.shape}. Use '*' for numbers.")
    row, column = len(x.shape) == 1, len(y.shape) == 1
    x = expand_dims(x, 0) if row else x
    y = expand_dims(y, 1) if column else y
    _check_inner(title, x, y, transpose_x, transpose_y)
    result = _matrices(title, x, y, transpose_x, transpose_y)
    if row:
        result = squeeze(result, -2)
    return squeeze(result, -1) if column else result


def _check_inner(title, x, y, transpose_x, transpose_y):
    inner = x.shape[-2 if transpose_x else -1], y.shape[-1 if transpose_y else -2]
    if None not in inner and inner[0] != inner[1]:
        raise ValueError(
            f"For '{title}', the input dimensions must be equal, but got 'x1_col': {inner[0]} and "
            f"'x2_row': {inner[1]}: x1.shape = {tuple(x.shape)}{', transposed' * transpose_x}, x2.shape = "
            f"{tuple(y.shape)}{', transposed' * transpose_y}. Transpose or reshape one of them.")


def _matrices(title, x, y, transpose_x, transpose_y):
    attrs = {}
    if transpose_x:
        attrs["transpose_lhs"] = True
    if transpose_y:
        attrs["transpose_rhs"] = True
    if len(y.shape) == 2 and len(x.shape) > 2 and not transpose_x:
        sizes = sizes_of(x)
        flat = reshape(x, (multiply(sizes[:-1]), sizes[-1]))
        result = emit("matmul", [flat, y], attrs)
        return reshape(result, sizes[:-1] + (sizes_of(result)[-1],))
    lead = broadcast_shapes(title, x.shape[:-2], y.shape[:-2])
    x, y = _with_lead(x, lead, y), _with_lead(y, lead, x)
    return emit("matmul", [x, y], attrs)


def _with_lead(x, lead, other):
    """`x` with the leading dimensions `lead`; unknown sizes are those of x or other."""
    target = tuple(lead) + tuple(x.shape[-2:])
    if target == tuple(x.shape):
        return x
    sizes = []
    for axis, size in enumerate(target):
        back = axis - len(target)
        if size is None:
            source = x if -back <= len(x.shape) and x.shape[back] is None else other
            sizes.append(sizes_of(source)[back])
    return emit("broadcast_to", [x, *sizes], result_types=[(x.dtype, target)])


# --- convolution --------------------------------------------------------------


@primitive
def conv2d(input, weight, bias=None, stride=1, pad_mode="valid", padding=0, dilation=1, groups=1):
    """Two-dimensional cross-correlation.

    input [n, c, h, w], weight [o, c / groups, kh, kw], bias [o]; one float dtype.
    `pad_mode`: "valid" (none), "same" (the result has ceil(size / stride),
    zeros split with the odd one at the end), "pad" (`padding`: one, two or four
    numbers, [top, bottom, left, right]). Result [n, o, h', w'].
    """
    x, w = to_value(input), to_value(weight)
    require_float("Conv2D", x)
    w = _cast(w, x.dtype)
    if len(x.shape) != 4 or len(w.shape) != 4:
        raise ValueError("For 'Conv2D', expected input and weight of 4 dimensions, found shapes "
                         f"{x.shape} and {w.shape}.")
    strides = pair("Conv2D", "stride", stride)
    dilations = pair("Conv2D", "dilation", dilation)
    pads = window_padding("Conv2D", pad_mode, padding, x.shape[2:], w.shape[2:], strides, dilations)
    result = emit("conv2d", [x, w], {"strides": strides, "padding": pads,
                                     "dilations": dilations, "groups": groups})
    if bias is None:
        return result
    return _el.add(result, reshape(bias, (1, -1, 1, 1)))


def window_padding(title, pad_mode, padding, image, window, strides, dilations):
    """[top, bottom, left, right] for a window over an image; ValueError names `title`."""
    mode = pad_mode.lower() if isinstance(pad_mode, str) else pad_mode
    if mode == "valid":
        return [0, 0, 0, 0]
    if mode == "same":
        return [p for i in (0, 1) for p in _same(title, image[i], window[i], strides[i], dilations[i])]
    if mode != "pad":
        raise ValueError(f"For '{title}', expected pad_mode 'same', 'valid' or 'pad', found {pad_mode!r}.")
    values = padding if isinstance(padding, (tuple, list)) else (padding,)
    if len(values) not in (1, 2, 4) or not all(isinstance(p, int) and p >= 0 for p in values):
        raise ValueError(f"For '{title}', expected padding of one, two or four ints of at least 0, "
                         f"found {padding!r}.")
    if len(values) == 2:
        return [values[0], values[0], values[1], values[1]]
    return list(values) * (4 // len(values))


def _same(title, size, window, stride, dilation):
    reach = (window - 1) * dilation + 1
    if size is None:
        if stride != 1:
            raise ValueError(f"For '{title}', expected known image sizes for pad_mode 'same' with "
                             "stride > 1, found a dynamic one. Give padding with pad_mode 'pad'.")
        total = reach - 1
    else:
        total = max((-(-size // stride) - 1) * stride + reach - size, 0)
    return total // 2, total - total // 2


# --- pooling ------------------------------------------------------------------


@primitive
def max_pool2d(x, kernel_size, stride=None, padding=0, dilation=1, return_indices=False,
               ceil_mode=False, *, pad_mode="pad"):
    """The maximum over windows; with `return_indices` also their places `y * width + x`.

    x [n, c, h, w] -> [n, c, h', w']. `stride` is `kernel_size` when None.
    ValueError: dilation other than 1, ceil_mode, a bad window.
    """
    x = _image("MaxPool", x)
    if dilation not in (1, (1, 1), [1, 1]) or ceil_mode:
        raise ValueError("For 'MaxPool', expected dilation 1 and ceil_mode False, found "
                         f"{dilation!r} and {ceil_mode!r}.")
    pooled, indices = emit("max_pool2d", [x], _window("MaxPool", x, kernel_size, stride, padding, pad_mode))
    return (pooled, indices) if return_indices else pooled


@primitive
def avg_pool2d(input_x, kernel_size=1, stride=1, padding=0, ceil_mode=False,
               count_include_pad=True, divisor_override=0, *, pad_mode="pad"):
    """The mean over windows; padding counts in the divisor with `count_include_pad`.

    x [n, c, h, w] -> [n, c, h', w']. ValueError: ceil_mode, a bad window.
    """
    x = _image("AvgPool", input_x)
    require_float("AvgPool", x)
    if ceil_mode:
        raise ValueError("For 'AvgPool', expected ceil_mode False, found True.")
    attrs = _window("AvgPool", x, kernel_size, stride, padding, pad_mode)
    if count_include_pad or divisor_override:
        attrs["count_include_pad"] = True
    result = emit("avg_pool2d", [x], attrs)
    if not divisor_override:
        return result
    height, width = attrs["window"]
    return _el.mul(result, height * width / divisor_override)


def _image(title, x):
    x = to_value(x)
    if len(x.shape) != 4:
        raise ValueError(f"For '{title}', expected a tensor of 4 dimensions [n, c, h, w], found "
                         f"shape {x.shape}.")
    return x


def _window(title, x, kernel_size, stride, padding, pad_mode):
    window = pair(title, "kernel_size", kernel_size)
    strides = window if stride is None else pair(title, "stride", stride)
    pads = window_padding(title, pad_mode, padding, x.shape[2:], window, strides, (1, 1))
    return {"window": window, "strides": strides, "padding": pads}


@primitive
def adaptive_avg_pool2d(input, output_size):
    """The mean over a grid of `output_size` cells; image sizes must be multiples of it.

    x [n, c, h, w] -> [n, c, *output_size]. ValueError when they do not divide.
    """
    x = floating(_image("AdaptiveAvgPool2D", input))
    target = output_size if isinstance(output_size, (tuple, list)) else (output_size, output_size)
    window = []
    for size, cells in zip(x.shape[2:], target):
        cells = size if cells is None else cells
        if size is None or size % cells:
            raise ValueError("For 'AdaptiveAvgPool2D', expected image sizes that output_size "
                             f"divides, found shape {x.shape} and output_size {output_size!r}.")
        window.append(size // cells)
    return avg_pool2d(x, tuple(window), tuple(window))
