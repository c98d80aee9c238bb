"""Subscripts along dimensions whose size the compilation left open: numpy's results, at
every size, also where a slice leaves nothing."""

import numpy as np
import pytest

import mindir as ms
from mindir import Tensor

SLICES = [slice(2, 5), slice(-3, None), slice(None, -3), slice(5, 2), slice(-4, -1), slice(3, None, 2),
          slice(None, 100), slice(-100, 4), slice(1, -2, 3), slice(100, None), slice(None, None, -1)]
# The first call fixes the size, the second one opens it; 0 and 1 are fixed again.
SIZES = [8, 9, 2, 3, 4, 5, 1, 0, 12]


def rows(size):
    return np.arange(size * 2, dtype=np.float32).reshape(size, 2)


@pytest.mark.parametrize("bounds", SLICES, ids=str)
def test_slices_are_clipped_as_numpys(bounds):
    @ms.jit(fullgraph=True)
    def f(x):
        return x[bounds]

    @ms.jit(fullgraph=True)
    def gradient(x):
        return ms.grad(lambda y: (y[bounds] * y[bounds]).sum())(x)

    for size in SIZES:
        x = rows(size)
        np.testing.assert_array_equal(f(Tensor(x)).asnumpy(), x[bounds])
        expected = np.zeros_like(x)
        expected[bounds] = 2 * x[bounds]
        np.testing.assert_array_equal(gradient(Tensor(x)).asnumpy(), expected)


@pytest.mark.parametrize("place", [4, -5, 0, -1])
def test_places_are_checked_as_numpys(place):
    @ms.jit
    def f(x):
        return x[place] * 2

    for size in SIZES:
        x = rows(size)
        if -size <= place < size:
            np.testing.assert_array_equal(f(Tensor(x)).asnumpy(), x[place] * 2)
        else:
            with pytest.raises(IndexError):
                f(Tensor(x))


def test_a_slice_whose_size_varies_may_be_empty():
    """What follows a slice sees a size of 0 that no type told."""
    @ms.jit(fullgraph=True)
    def f(x, y):
        z = x[5:] * 2
        return z.sum(), (z @ y).sum(axis=1), z.max(axis=1), ms.ops.concat([z, z + 1]), z.reshape(-1)

    y = np.arange(6, dtype=np.float32).reshape(2, 3)
    for size in SIZES:
        z = rows(size)[5:] * 2
        expected = [z.sum(), (z @ y).sum(axis=1), z.max(axis=1), np.concatenate([z, z + 1]), z.reshape(-1)]
        for found, value in zip(f(Tensor(rows(size)), Tensor(y)), expected, strict=True):
            np.testing.assert_allclose(found.asnumpy(), value)
