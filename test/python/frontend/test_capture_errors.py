"""Errors of ops in jitted functions: the exception of eager mode, from the user's statement."""

import linecache
import traceback

import numpy as np
import pytest

import mindir as ms
from capturing import tensor
from mindir import ops

A = tensor(np.ones((2, 3)))


def inner(x, y):
    z = x + 1
    return ops.matmul(z, y)                 # the statement at fault


def product(x, y):
    return inner(x, y) * x.sum()


def row(x, i):
    return x[i] * 2 + ops.gather(x, i, 0)   # the statement at fault


@pytest.mark.parametrize("make", [lambda f: f, ms.jit, ms.jit(fullgraph=True)])
@pytest.mark.parametrize("function, second, error, text", [
    (product, A, ValueError, "For 'MatMul'"),
    (product, "text", TypeError, None),
    (row, ms.Tensor(np.array(7, np.int32)), IndexError, "For '")])
def test_error_of_a_statement(make, function, second, error, text):
    called = make(function)
    for _ in range(2):                      # the second call may find compiled code
        with pytest.raises(error, match=text) as caught:
            called(A, second)
        frames = traceback.extract_tb(caught.value.__traceback__)
        lines = [linecache.getline(f.filename, f.lineno) for f in frames if f.filename == __file__]
        assert "the statement at fault" in lines[-1]
        assert caught.value.__context__ is None and caught.value.__cause__ is None


def test_fullgraph_names_the_line():
    @ms.jit(fullgraph=True)
    def f(x):
        y = x * 2
        return float(y.asnumpy().sum())
    with pytest.raises(SyntaxError) as caught:
        f(A)
    assert caught.value.filename == __file__ and "asnumpy" in caught.value.text and caught.value.offset
    assert "fullgraph=False" in str(caught.value)
