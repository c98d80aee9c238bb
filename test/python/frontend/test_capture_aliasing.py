"""One object given as two arguments must not be taken for two objects later."""

import numpy as np

import mindir as ms
from mindir import Tensor


def _tensor(*values):
    return Tensor(np.array(values, np.float32))


def test_tensor_given_twice_then_two_tensors():
    @ms.jit
    def f(a, b):
        return a / b + a

    x, y = _tensor(2, 3), _tensor(4, 4)
    np.testing.assert_allclose(f(x, x).asnumpy(), [3, 4])
    np.testing.assert_allclose(f(x, y).asnumpy(), [2.5, 3.75])
    np.testing.assert_allclose(f(y, x).asnumpy(), [6, 4 / 3 + 4])


def test_list_given_twice_then_two_lists():
    @ms.jit
    def f(a, b):
        return a[0] - b[0]

    x, y = [_tensor(2, 3)], [_tensor(4, 4)]
    np.testing.assert_allclose(f(x, x).asnumpy(), [0, 0])
    np.testing.assert_allclose(f(x, y).asnumpy(), [-2, -1])


def test_variable_that_starts_as_another_around_a_foreign_statement():
    seen = []

    @ms.jit
    def f(a):
        b = a
        for i in range(3):
            seen.append(str(i))
            c = b * 1
            b = a / b + c
        return b

    want = b = np.array([4.0, 2.0])
    for _ in range(3):
        b = want / b + b
    np.testing.assert_allclose(f(_tensor(4, 2)).asnumpy(), b, rtol=1e-6)
    assert seen == ["0", "1", "2"]
