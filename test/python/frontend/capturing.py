"""What the tests of capture share: a function run as plain Python, under jit, and
compared, with the side effects on its arguments."""

import copy

import numpy as np
import pytest

import mindir as ms
from mindir.jit import explain, jit


def tensor(data, dtype=np.float32):
    """A Tensor of nested lists."""
    return ms.Tensor(np.array(data, dtype))


def plain(value):
    """A result with numpy arrays in place of tensors."""
    if isinstance(value, ms.Tensor):
        return value.asnumpy().copy()
    if isinstance(value, (tuple, list)):
        return type(value)(plain(v) for v in value)
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


def assert_same(got, want):
    """Equal structure, dtypes, shapes and types of numbers; values to float32 rounding."""
    assert type(got) is type(want), f"{got!r} is a {type(got)}, expected {want!r}"
    if isinstance(want, np.ndarray):
        assert got.dtype == want.dtype and got.shape == want.shape, (got.dtype, got.shape, want.dtype, want.shape)
        np.testing.assert_allclose(got, want, rtol=2e-5, atol=1e-6)
    elif isinstance(want, (tuple, list)):
        assert len(got) == len(want)
        for g, w in zip(got, want):
            assert_same(g, w)
    elif isinstance(want, dict):
        assert list(got) == list(want)
        for key in want:
            assert_same(got[key], want[key])
    elif isinstance(want, float):
        assert got == pytest.approx(want, rel=1e-6, nan_ok=True)
    else:
        assert got == want


def outcome(function, args, kwargs):
    """("value", result, arguments after) or ("error", type, text)."""
    try:
        result = function(*args, **kwargs)
    except Exception as error:                      # noqa: BLE001 - what the function raises
        return "error", type(error), str(error)
    return "value", plain(result), plain(args)


def check(function, *calls, fallback=False):
    """Calls `function` plainly and under jit with each tuple of arguments; both do the same.

    fallback: whether some statement has to run as Python; otherwise none may.
    Returns the jitted function.
    """
    compiled = jit(function)
    for args in calls:
        kwargs = {}
        if args and isinstance(args[-1], dict) and args[-1].get("keywords"):
            kwargs, args = args[-1]["keywords"], args[:-1]
        want = outcome(function, copy.deepcopy(args), copy.deepcopy(kwargs))
        got = outcome(compiled, copy.deepcopy(args), copy.deepcopy(kwargs))
        assert got[0] == want[0], (got, want)
        if want[0] == "error":
            assert got[1] is want[1], (got, want)
            assert want[2].split("\n")[0] in got[2]
        else:
            assert_same(got[1], want[1])
            assert_same(got[2], want[2])
    told = explain(compiled)
    assert bool(told.fallbacks) == fallback, str(told)
    return compiled
