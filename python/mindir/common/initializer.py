"""Initializers: distributions from which Parameters take their first values.

`fan_in` and `fan_out` of a weight [out, in, ...] are `in` and `out` times the
size of the rest. Numbers come from the program's seeded numpy generator.
"""

import math

import numpy as np

from .. import dtype as _dtype
from ..runtime.generator import default
from ..tensor import Tensor, array_of, wrap

__all__ = ["Initializer", "initializer", "Zero", "One", "Constant", "Uniform", "Normal", "TruncatedNormal",
           "XavierUniform", "XavierNormal", "HeUniform", "HeNormal", "Identity"]


class Initializer:
    """Makes the values of a tensor: `make(shape) -> numpy array`."""

    def __init__(self, **arguments):
        self.arguments = arguments

    def make(self, shape):
        """A numpy array of `shape`."""
        raise NotImplementedError(f"{type(self).__name__} defines no make()")

    def __call__(self, array):
        """Fills a numpy array."""
        array[...] = self.make(array.shape)

    def __repr__(self):
        return f"{type(self).__name__}({', '.join(f'{k}={v}' for k, v in self.arguments.items())})"


class Zero(Initializer):
    """Zeros."""

    def make(self, shape):
        return np.zeros(shape)


class One(Initializer):
    """Ones."""

    def make(self, shape):
        return np.ones(shape)


class Constant(Initializer):
    """One number everywhere."""

    def __init__(self, value):
        super().__init__(value=value)
        self.value = value

    def make(self, shape):
        return np.full(shape, self.value)


class Identity(Initializer):
    """The identity matrix; ValueError for another rank than 2."""

    def make(self, shape):
        if len(shape) != 2:
            raise ValueError(f"For 'Identity', expected a shape of 2 dimensions, found {shape}.")
        return np.eye(*shape)


class Uniform(Initializer):
    """Uniform in [-scale, scale]."""

    def __init__(self, scale=0.07):
        super().__init__(scale=scale)
        self.scale = scale

    def make(self, shape):
        return default.numpy().uniform(-self.scale, self.scale, shape)


class Normal(Initializer):
    """Normal of a mean and a standard deviation."""

    def __init__(self, sigma=0.01, mean=0.0):
        super().__init__(sigma=sigma, mean=mean)
        self.sigma, self.mean = sigma, mean

    def make(self, shape):
        return default.numpy().normal(self.mean, self.sigma, shape)


class TruncatedNormal(Initializer):
    """Normal, drawn again outside [a, b] standard deviations from the mean."""

    def __init__(self, sigma=0.01, mean=0.0, a=-2.0, b=2.0):
        super().__init__(sigma=sigma, mean=mean, a=a, b=b)
        self.sigma, self.mean, self.a, self.b = sigma, mean, a, b

    def make(self, shape):
        generator = default.numpy()
        values = np.asarray(generator.standard_normal(shape))
        outside = (values < self.a) | (values > self.b)
        while outside.any():
            values[outside] = generator.standard_normal(int(outside.sum()))
            outside = (values < self.a) | (values > self.b)
        return values * self.sigma + self.mean


def _fans(name, shape):
    if len(shape) < 2:
        raise ValueError(f"For '{name}', expected a shape of at least 2 dimensions, found {tuple(shape)}.")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


class XavierUniform(Initializer):
    """Uniform in [-b, b], `b = gain * sqrt(6 / (fan_in + fan_out))`."""

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def make(self, shape):
        bound = self.gain * math.sqrt(6.0 / max(sum(_fans("XavierUniform", shape)), 1))
        return default.numpy().uniform(-bound, bound, shape)


class XavierNormal(Initializer):
    """Normal of deviation `gain * sqrt(2 / (fan_in + fan_out))`."""

    def __init__(self, gain=1):
        super().__init__(gain=gain)
        self.gain = gain

    def make(self, shape):
        sigma = self.gain * math.sqrt(2.0 / max(sum(_fans("XavierNormal", shape)), 1))
        return default.numpy().normal(0, sigma, shape)


def _gain(nonlinearity, slope):
    known = {"relu": math.sqrt(2.0), "leaky_relu": math.sqrt(2.0 / (1 + slope ** 2)), "tanh": 5.0 / 3,
             "linear": 1.0, "sigmoid": 1.0, "conv1d": 1.0, "conv2d": 1.0, "conv3d": 1.0}
    if nonlinearity not in known:
        raise ValueError(f"expected one of {', '.join(known)} as nonlinearity, found {nonlinearity!r}")
    return known[nonlinearity]


class _He(Initializer):
    def __init__(self, negative_slope=0, mode="fan_in", nonlinearity="leaky_relu"):
        super().__init__(negative_slope=negative_slope, mode=mode, nonlinearity=nonlinearity)
        if mode not in ("fan_in", "fan_out"):
            raise ValueError(f"For '{type(self).__name__}', expected mode 'fan_in' or 'fan_out', found {mode!r}.")
        self.mode, self.gain = mode, _gain(nonlinearity, negative_slope)

    def _sigma(self, shape):
        fan = _fans(type(self).__name__, shape)[self.mode == "fan_out"]
        return self.gain / math.sqrt(max(fan, 1))


class HeUniform(_He):
    """Uniform in [-b, b], `b = gain * sqrt(3 / fan)`; gain sqrt(2 / (1 + slope^2)) by default."""

    def make(self, shape):
        bound = math.sqrt(3.0) * self._sigma(shape)
        return default.numpy().uniform(-bound, bound, shape)


class HeNormal(_He):
    """Normal of deviation `gain / sqrt(fan)`; gain sqrt(2 / (1 + slope^2)) by default."""

    def make(self, shape):
        return default.numpy().normal(0, self._sigma(shape), shape)


_BY_NAME = {"zeros": Zero, "zero": Zero, "ones": One, "one": One, "uniform": Uniform, "normal": Normal,
            "truncatednormal": TruncatedNormal, "xavier_uniform": XavierUniform, "xavieruniform": XavierUniform,
            "xavier_normal": XavierNormal, "he_uniform": HeUniform, "heuniform": HeUniform,
            "he_normal": HeNormal, "henormal": HeNormal, "identity": Identity}


def initializer(init, shape=None, dtype=_dtype.float32):
    """A Tensor of `shape` and `dtype` by `init`: an Initializer, its name, a number or a Tensor.

    TypeError for another `init` or dtype; ValueError for an unknown name or a
    Tensor of another shape.
    """
    if isinstance(init, Tensor):
        if shape is not None and tuple(shape) != init.shape:
            raise ValueError(f"For 'initializer', expected a Tensor of shape {tuple(shape)}, found {init.shape}.")
        return init
    if isinstance(shape, int):
        shape = (shape,)
    if not isinstance(shape, (tuple, list)) or not all(isinstance(s, int) and s >= 0 for s in shape):
        raise ValueError(f"For 'initializer', expected a shape of ints of at least 0, found {shape!r}.")
    return wrap(array_of(_resolve(init).make(tuple(shape)), _dtype.name_of(dtype)))


def _resolve(init):
    if isinstance(init, Initializer):
        return init
    if isinstance(init, type) and issubclass(init, Initializer):
        return init()
    if isinstance(init, str):
        if init.lower() not in _BY_NAME:
            raise ValueError(f"For 'initializer', expected one of {', '.join(_BY_NAME)}, found {init!r}.")
        return _BY_NAME[init.lower()]()
    if isinstance(init, (int, float)) and not isinstance(init, bool):
        return Constant(init)
    raise TypeError(f"For 'initializer', expected an Initializer, its name, a number or a Tensor, found {init!r}.")
