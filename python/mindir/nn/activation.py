"""Activation functions as Cells."""

from .. import ops
from .cell import Cell


class ReLU(Cell):
    """`max(x, 0)`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.relu(x)


class ReLU6(Cell):
    """`min(max(x, 0), 6)`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.relu6(x)


class LeakyReLU(Cell):
    """`x` where positive, else `alpha * x`."""

    def __init__(self, alpha=0.2):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """The activation of `x`."""
        return ops.leaky_relu(x, self.alpha)


class ELU(Cell):
    """`x` where positive, else `alpha * (e^x - 1)`."""

    def __init__(self, alpha=1.0):
        super().__init__()
        self.alpha = alpha

    def construct(self, x):
        """The activation of `x`."""
        return ops.elu(x, self.alpha)


class GELU(Cell):
    """`x * Phi(x)`, by MindSpore's tanh approximation unless `approximate` is False."""

    def __init__(self, approximate=True):
        super().__init__()
        self.approximate = "tanh" if approximate else "none"

    def construct(self, x):
        """The activation of `x`."""
        return ops.gelu(x, self.approximate)


class Softmax(Cell):
    """`e^x / sum(e^x)` along an axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, input):
        """The activation of `input`."""
        return ops.softmax(input, self.axis)


class LogSoftmax(Cell):
    """`ln(softmax(x))` along an axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def construct(self, x):
        """The activation of `x`."""
        return ops.log_softmax(x, self.axis)


class Tanh(Cell):
    """Hyperbolic tangent."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.tanh(x)


class Sigmoid(Cell):
    """Logistic function."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.sigmoid(x)


class SiLU(Cell):
    """`x * sigmoid(x)`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.silu(x)


class Mish(Cell):
    """`x * tanh(softplus(x))`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.mish(x)


class Softplus(Cell):
    """`ln(1 + e^x)`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.softplus(x)


class HSwish(Cell):
    """`x * hardsigmoid(x)`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.hardswish(x)


class HSigmoid(Cell):
    """`min(max(x + 3, 0), 6) / 6`."""

    def construct(self, x):
        """The activation of `x`."""
        return ops.hardsigmoid(x)


_BY_NAME = {"relu": ReLU, "relu6": ReLU6, "leakyrelu": LeakyReLU, "elu": ELU, "gelu": GELU, "softmax": Softmax,
            "logsoftmax": LogSoftmax, "tanh": Tanh, "sigmoid": Sigmoid, "silu": SiLU, "mish": Mish,
            "softplus": Softplus, "hswish": HSwish, "hsigmoid": HSigmoid}


def get_activation(name):
    """The activation Cell of a name such as "relu"; None for None; KeyError for an unknown one."""
    if name is None:
        return None
    if name not in _BY_NAME:
        raise KeyError(f"expected one of {', '.join(_BY_NAME)} as activation, found {name!r}")
    return _BY_NAME[name]()
