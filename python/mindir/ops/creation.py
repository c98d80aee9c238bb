"""Tensors from sizes and numbers. Called eagerly they are made by numpy, at once."""

import numpy as np

from .. import dtype as _dtype
from . import elementwise as _el
from ._promotion import to_value, weak_kind
from ._shape import shape_of, static
from .emitter import constant, emit
from .primitive import primitive


def _name(dtype, default="float32"):
    return default if dtype is None else _dtype.name_of(dtype)


def _host_dtype(dtype, default="float32"):
    name = _name(dtype, default)
    return np.float32 if name == "bfloat16" else np.dtype(name)


def _host_filled(title, number):
    def host(size, dtype=None):
        return np.full(shape_of(title, size), number, _host_dtype(dtype)), _name(dtype)
    return host


def _filled(title, size, value):
    shape, dynamic = static(shape_of(title, size))
    if any(s is not None and s < 0 for s in shape):
        raise ValueError(f"For '{title}', expected sizes of at least 0, found {shape}.")
    if shape == ():
        return value
    return emit("broadcast_to", [value, *dynamic], result_types=[(value.dtype, shape)])


@primitive(host=_host_filled("Zeros", 0))
def zeros(size, dtype=None):
    """Zeros of shape `size` (an int or tuple of ints) and `dtype` (float32 for None)."""
    return _filled("Zeros", size, constant(0, _name(dtype)))


@primitive(host=_host_filled("Ones", 1))
def ones(size, dtype=None):
    """Ones of shape `size` (an int or tuple of ints) and `dtype` (float32 for None)."""
    return _filled("Ones", size, constant(1, _name(dtype)))


def _fill_dtype(value):
    return {"bool": "bool", "int": "int64", "float": "float32"}[weak_kind(value)]


def _host_full(size, fill_value, *, dtype=None):
    if weak_kind(fill_value) is None:
        return None
    name = _name(dtype, _fill_dtype(fill_value))
    return np.full(shape_of("Full", size), fill_value, _host_dtype(name)), name


@primitive(scalars=("fill_value",), host=_host_full)
def full(size, fill_value, *, dtype=None):
    """`fill_value` (a number or 0-d Tensor) in shape `size`; the dtype is the value's or `dtype`."""
    kind = weak_kind(fill_value)
    value = to_value(fill_value, _name(dtype, _fill_dtype(fill_value) if kind else fill_value.dtype))
    return _filled("Full", size, value)


def _range(start, end, step):
    if end is None:
        start, end = 0, start
    if step == 0:
        raise ValueError("For 'arange', expected a step other than 0, found 0.")
    return start, end, step


def _host_arange(start=0, end=None, step=1, *, dtype=None):
    bounds = _range(start, end, step)
    if any(weak_kind(b) is None for b in bounds):
        return None
    name = _name(dtype, "float32" if any(isinstance(b, float) for b in bounds) else "int64")
    return np.arange(*bounds).astype(_host_dtype(name)), name


@primitive(host=_host_arange)
def arange(start=0, end=None, step=1, *, dtype=None):
    """`start, start + step, ...` before `end`; with one argument, 0 up to it.

    int64 of ints, float32 of floats, or `dtype`. ValueError for a step of 0.
    """
    found = _host_arange(start, end, step, dtype=dtype)
    if found is None:
        return _arange_of_values(*_range(start, end, step), dtype)
    return constant(found[0], found[1])


def _arange_of_values(start, end, step, dtype):
    """A range whose bounds are sizes known only when run; they are ints, the step a number."""
    from ._shape import _entry, index_op
    if not isinstance(step, int) or step < 1:
        raise ValueError(f"For 'arange', expected a step of at least 1, found {step!r}.")
    first, last = _entry("arange", start, ()), _entry("arange", end, ())
    count = index_op("ceildivsi", index_op("subi", last, first), step)
    counted = emit("iota", [count], {"axis": 0}, [("int64", (None,))])
    return _el.cast(_el.add(_el.mul(counted, step), start), _name(dtype, "int64"))


def _host_linspace(start, end, steps):
    if weak_kind(start) is None or weak_kind(end) is None:
        return None
    return np.linspace(start, end, steps).astype(np.float32), "float32"


@primitive(scalars=("start", "end"), host=_host_linspace)
def linspace(start, end, steps):
    """`steps` equally spaced numbers from `start` to `end`, both included, float32."""
    count = emit("iota", [], {"axis": 0}, [("float32", (steps,))])
    return _el.add(_el.mul(count, _el.div(_el.sub(end, start), max(steps - 1, 1))), start)


def _host_eye(n, m=None, dtype=None):
    return np.eye(n, m, dtype=_host_dtype(dtype)), _name(dtype)


@primitive(host=_host_eye)
def eye(n, m=None, dtype=None):
    """Ones on the diagonal of an n x m matrix (n x n for None), float32 or `dtype`."""
    return constant(*_host_eye(n, m, dtype))
