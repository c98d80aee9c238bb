"""Activation functions, from primitives; formulas are MindSpore's.

Each takes a float Tensor of any shape (integers count as float32) and gives
one of the same shape and dtype.
"""

import math

from . import elementwise as _el
from ._promotion import floating, to_value
from ._shape import axis_of
from .emitter import emit
from .primitive import primitive


@primitive
def relu(input):
    """`max(input, 0)`; the derivative at zero is zero. Integers keep their dtype."""
    return emit("relu", [to_value(input)])


@primitive
def relu6(input):
    """`min(max(input, 0), 6)`."""
    return _el.minimum(emit("relu", [to_value(input)]), 6)


@primitive
def leaky_relu(input, alpha=0.2):
    """`input` where positive, else `alpha * input`."""
    x = floating(input)
    return _el.select(_el.greater(x, 0), x, _el.mul(x, alpha))


@primitive
def elu(input_x, alpha=1.0):
    """`x` where positive, else `alpha * (e^x - 1)`."""
    x = floating(input_x)
    negative = _el.expm1(_el.minimum(x, 0))
    return _el.select(_el.greater(x, 0), x, _el.mul(negative, alpha))


@primitive
def silu(input):
    """`input * sigmoid(input)`."""
    x = floating(input)
    return _el.mul(x, _el.sigmoid(x))


@primitive
def gelu(input, approximate="none"):
    """`x * Phi(x)`: by erf for "none", by MindSpore's tanh approximation for "tanh".

    ValueError for another `approximate`.
    """
    x = floating(input)
    if approximate == "none":
        inner = _el.erf(_el.mul(x, math.sqrt(0.5)))
    elif approximate == "tanh":
        cubic = _el.add(x, _el.mul(_el.mul(_el.mul(x, x), x), 0.044715))
        inner = _el.tanh(_el.mul(cubic, math.sqrt(2 / math.pi)))
    else:
        raise ValueError("For 'gelu', expected approximate 'none' or 'tanh', "
                         f"found {approximate!r}.")
    return _el.mul(_el.mul(x, 0.5), _el.add(inner, 1))


@primitive
def softplus(input, beta=1, threshold=20):
    """`ln(1 + e^(beta x)) / beta`, and `x` itself where `beta x > threshold`."""
    x = floating(input)
    scaled = _el.mul(x, beta)
    small = _el.log1p(_el.exp(_el.minimum(scaled, threshold)))
    return _el.select(_el.greater(scaled, threshold), x, _el.div(small, beta))


@primitive
def softsign(x):
    """`x / (1 + |x|)`."""
    x = floating(x)
    return _el.div(x, _el.add(_el.abs(x), 1))


@primitive
def mish(x):
    """`x * tanh(softplus(x))`."""
    x = floating(x)
    return _el.mul(x, _el.tanh(softplus(x)))


@primitive
def hardsigmoid(input):
    """`min(max(input + 3, 0), 6) / 6`."""
    return _el.div(_el.clamp(_el.add(floating(input), 3), 0, 6), 6)


@primitive
def hardswish(input):
    """`input * hardsigmoid(input)`."""
    x = floating(input)
    return _el.mul(x, hardsigmoid(x))


@primitive
def logsigmoid(x):
    """`ln(sigmoid(x))`, without overflow."""
    x = floating(x)
    tail = _el.log1p(_el.exp(_el.neg(_el.abs(x))))
    return _el.sub(_el.minimum(x, 0), tail)


@primitive
def softmax(input, axis=-1, *, dtype=None):
    """`e^x / sum(e^x)` along `axis`, computed in `dtype` when given. ValueError: bad axis."""
    return _along("Softmax", "softmax", input, axis, dtype)


@primitive
def log_softmax(logits, axis=-1):
    """`ln(softmax(logits))` along `axis`. ValueError: bad axis."""
    return _along("LogSoftmax", "log_softmax", logits, axis, None)


def _along(title, op, x, axis, dtype):
    x = floating(x)
    if dtype is not None:
        x = _el.cast(x, dtype)
    return emit(op, [x], {"axis": axis_of(title, axis, len(x.shape))})
