"""Normalizations: batch, layer and group."""

from . import elementwise as _el
from . import reduction as _red
from ._promotion import floating, to_value, widened
from ._shape import multiply, sizes_of
from .emitter import emit
from .movement import reshape
from .primitive import Updates, primitive


def _vectors(title, x, axis, *vectors):
    size = x.shape[axis]
    values = [to_value(v, x.dtype) for v in vectors]
    for v in values:
        if len(v.shape) != 1 or (None not in (v.shape[0], size) and v.shape[0] != size):
            raise ValueError(f"For '{title}', expected vectors of size {size} (dimension {axis} of the "
                             f"input {tuple(x.shape)}), found shape {tuple(v.shape)}.")
    return values


@primitive(mutates=("moving_mean", "moving_variance"))
def batch_norm_training(x, gamma, beta, moving_mean, moving_variance, momentum=0.9, eps=1e-5, axis=1):
    """Batch normalization by the batch's statistics over all dimensions but `axis`.

    Also moves the statistics, `moving = momentum * moving + (1 - momentum) * batch`,
    with the unbiased variance (divisor n - 1), as MindSpore's BatchNorm does.
    Gives the normalized tensor; mutates `moving_mean` and `moving_variance`.
    """
    x = floating(x)
    scale, offset = _vectors("BatchNorm", x, axis, gamma, beta)
    result, mean, variance = emit("batch_norm_training", [x, scale, offset],
                                  {"epsilon": float(eps), "axis": axis})
    mean, variance = (emit("stop_gradient", [v]) for v in (mean, variance))
    count = _red.count_of(x, [i for i in range(len(x.shape)) if i != axis], x.dtype)
    if isinstance(count, int):
        variance = _el.mul(variance, count / max(count - 1, 1))
    else:
        variance = _el.mul(variance, _el.div(count, _el.maximum(_el.sub(count, 1.0), 1.0)))
    return Updates([_move(moving_mean, mean, momentum), _move(moving_variance, variance, momentum)], result)


def _move(moving, value, momentum):
    moving = to_value(moving)
    value = _el.cast(value, moving.dtype)
    return _el.add(_el.mul(moving, momentum), _el.mul(value, 1.0 - momentum))


@primitive
def batch_norm_inference(x, gamma, beta, mean, variance, eps=1e-5, axis=1):
    """`(x - mean) / sqrt(variance + eps) * gamma + beta`, the vectors running along `axis`."""
    x = floating(x)
    vectors = _vectors("BatchNorm", x, axis, gamma, beta, mean, variance)
    return emit("batch_norm_inference", [x, *vectors], {"epsilon": float(eps), "axis": axis})


def batch_norm(input_x, running_mean, running_var, weight, bias, training=False, momentum=0.1, eps=1e-5):
    """Batch normalization over dimension 1, by the running statistics unless `training`.

    `running = (1 - momentum) * running + momentum * batch` when training.
    """
    if training:
        return batch_norm_training(input_x, weight, bias, running_mean, running_var, 1.0 - momentum, eps)
    return batch_norm_inference(input_x, weight, bias, running_mean, running_var, eps)


@primitive
def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    """`(x - mean) / sqrt(variance + eps) * weight + bias` over the last dimensions.

    `normalized_shape` is their shape (a tuple of ints); ValueError when it is not.
    """
    x = floating(input)
    shape = tuple(normalized_shape) if isinstance(normalized_shape, (tuple, list)) else (normalized_shape,)
    if not shape or tuple(x.shape[-len(shape):]) != shape:
        raise ValueError(f"For 'LayerNorm', expected an input that ends in {shape}, found shape {tuple(x.shape)}.")
    axes = tuple(range(len(x.shape) - len(shape), len(x.shape)))
    return _affine(_standardized(x, axes, eps), weight, bias)


def _standardized(x, axes, eps):
    dtype, x = x.dtype, widened(x)
    centred = _el.sub(x, _red.mean(x, axes, True))
    variance = _red.mean(_el.square(centred), axes, True)
    return _el.cast(_el.mul(centred, _el.rsqrt(_el.add(variance, eps))), dtype)


def _affine(x, weight, bias):
    if weight is not None:
        x = _el.mul(x, weight)
    return x if bias is None else _el.add(x, bias)


@primitive
def group_norm(input, num_groups, weight=None, bias=None, eps=1e-5):
    """Layer normalization of each group of channels: input [n, c, ...], weight and bias [c].

    ValueError when `num_groups` does not divide the channels.
    """
    x = floating(input)
    sizes = sizes_of(x)
    if not isinstance(sizes[1], int) or sizes[1] % num_groups:
        raise ValueError(f"For 'GroupNorm', expected channels that {num_groups} groups divide, "
                         f"found shape {tuple(x.shape)}.")
    grouped = reshape(x, (sizes[0], num_groups, multiply((sizes[1] // num_groups,) + sizes[2:])))
    result = reshape(_standardized(grouped, (2,), eps), sizes)
    along = (1, -1) + (1,) * (len(sizes) - 2)
    weight, bias = (None if v is None else reshape(v, along) for v in (weight, bias))
    return _affine(result, weight, bias)
