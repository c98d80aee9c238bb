"""Random numbers, drawn from the program's generator.

The generator is [seed, offset] (`ms.set_seed`); each draw advances it in
program order, so that eager and compiled code draw the same numbers. An
explicit `seed` starts a generator of its own for that call.
"""

from .. import dtype as _dtype
from . import elementwise as _el
from ._promotion import floating
from ._shape import shape_of, sizes_of, static
from .emitter import emit, state
from .primitive import primitive


def _draw(op, sizes, dtype, seed):
    shape, dynamic = static(sizes)
    if seed is None:
        before = state.emitter.generator_state()
    else:
        before = emit("seed_state", [], {"seed": seed}, [("uint64", (2,))])
    result, after = emit(op, [before, *dynamic],
                         result_types=[(dtype, shape), ("uint64", (2,))])
    if seed is None:
        state.emitter.set_generator_state(after)
    return result


def _float_name(title, dtype):
    d = _dtype.float32 if dtype is None else _dtype.of(dtype)
    if not d.is_float:
        raise TypeError(f"For '{title}', expected a float dtype, found {d}.")
    return d.name


@primitive(scalars=("minval", "maxval"))
def uniform(shape, minval=0.0, maxval=1.0, seed=None, dtype=None):
    """Uniform numbers in [minval, maxval) of shape `shape`, float32 or `dtype`."""
    name = _float_name("uniform", dtype)
    unit = _draw("random_uniform", shape_of("uniform", shape), name, seed)
    return _el.add(_el.mul(unit, _el.sub(maxval, minval)), minval)


@primitive(scalars=("mean", "stddev"))
def normal(shape, mean=0.0, stddev=1.0, seed=None, dtype=None):
    """Normal numbers of that mean and standard deviation, of shape `shape`, float32 or `dtype`."""
    name = _float_name("normal", dtype)
    unit = _draw("random_normal", shape_of("normal", shape), name, seed)
    return _el.add(_el.mul(unit, stddev), mean)


@primitive
def standard_normal(shape, seed=None):
    """Normal numbers of mean 0 and deviation 1, float32."""
    return _draw("random_normal", shape_of("standard_normal", shape), "float32", seed)


def _size(size):
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size


def rand(*size, dtype=None, seed=None):
    """Uniform numbers in [0, 1): `rand(2, 3)` or `rand((2, 3))`."""
    return uniform(_size(size), 0.0, 1.0, seed, dtype)


def randn(*size, dtype=None, seed=None):
    """Standard normal numbers: `randn(2, 3)` or `randn((2, 3))`."""
    return normal(_size(size), 0.0, 1.0, seed, dtype)


@primitive
def randint(low, high, size, seed=None, *, dtype=None):
    """Uniform integers in [low, high) of shape `size`, int64 or `dtype`.

    By scaling a float64 uniform of 24 bits: ranges up to 2^24 are exact.
    """
    unit = _draw("random_uniform", shape_of("randint", size), "float64", seed)
    scaled = _el.floor(_el.mul(unit, float(high - low)))
    return _el.add(_el.cast(scaled, "int64" if dtype is None else dtype), low)


@primitive(scalars=("p",))
def dropout(input, p=0.5, training=True, seed=None):
    """Zero with probability `p`, else `input / (1 - p)`; the input when not `training`.

    ValueError for a number `p` outside [0, 1).
    """
    x = floating(input)
    if not training:
        return x
    if isinstance(p, (int, float)) and not 0 <= p < 1:
        raise ValueError(f"For 'dropout', expected p in [0, 1), found {p}.")
    unit = _draw("random_uniform", sizes_of(x), "float32", seed)
    kept = _el.greater_equal(unit, p)
    return _el.select(kept, _el.div(x, _el.sub(1.0, p)), 0.0)


@primitive
def rand_like(input, seed=None, *, dtype=None):
    """Uniform numbers in [0, 1) of the input's shape, of its float dtype or `dtype`."""
    name = floating(input).dtype if dtype is None else _float_name("rand_like", dtype)
    return _draw("random_uniform", sizes_of(input), name, seed)


@primitive
def randn_like(input, seed=None, *, dtype=None):
    """Standard normal numbers of the input's shape, of its float dtype or `dtype`."""
    name = floating(input).dtype if dtype is None else _float_name("randn_like", dtype)
    return _draw("random_normal", sizes_of(input), name, seed)
