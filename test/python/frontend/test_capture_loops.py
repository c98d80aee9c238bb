"""Capture of loops: each case as plain Python and under jit."""

import numpy as np
import pytest

from mindir import ops
import mindir as ms
from capturing import check, tensor
from mindir.jit import jit

ROWS = tensor(np.arange(6).reshape(3, 2))


def integer(n):
    return ms.Tensor(n, ms.int32)


def test_while_on_a_tensor():
    def collatz(n):
        steps = ops.zeros((), ms.int32)
        while n != 1:
            if n % 2 == 0:
                n = n // 2
            else:
                n = 3 * n + 1
            steps += 1
        return steps
    check(collatz, (integer(1),), (integer(6),), (integer(7),))


def test_long_for_with_break():
    def newton(a):
        x = a
        for _ in range(50):
            nxt = 0.5 * (x + a / x)
            if ops.abs(nxt - x).max() < 1e-6:
                break
            x = nxt
        return nxt
    check(newton, (tensor([2., 9., 100.]),))


def test_for_with_continue():
    def f(x):
        s = ops.zeros((), ms.float32)
        for i in range(x.shape[0]):
            if x[i] < 0:
                continue
            s += x[i] * i
        return s
    check(f, (tensor([1., -5., 2., -1., 3.]),))


def test_return_in_a_loop():
    def f(x, t):
        for i in range(x.shape[0]):
            if x[i] > t:
                return x[i] * 10
        return t - 1
    check(f, (tensor([1., 4., 9.]), tensor(3.)), (tensor([1., 4., 9.]), tensor(30.)))


def test_return_in_a_long_loop():
    def f(x):
        for i in range(100):
            x = x * 1.5
            if x.sum() > 50:
                return x, i
        return x, -1
    check(f, (tensor([1., 4.]),), (tensor([0., 0.]),))


def test_nested_loops_of_numbers():
    def f(x):
        total = x.sum() * 0
        i = 0
        while i < 4:
            j = 0
            while j < 5:
                if j > i:
                    break
                total += x[i] * (j + 1)
                j += 1
            i += 1
        return total
    check(f, (tensor([1., 2., 3., 4.]),))


def test_nested_loops_on_tensors():
    def f(n):
        total = ops.zeros((), ms.int32)
        i = ops.zeros((), ms.int32)
        while i < n:
            j = ops.zeros((), ms.int32)
            while True:
                if j >= i:
                    break
                j += 1
                if j == 2:
                    continue
                total += j
            i += 1
        return total, i
    check(f, (integer(0),), (integer(5),))


def test_rows_of_a_tensor():
    def f(x):
        s = ops.zeros((2,), ms.float32)
        for row in x:
            s = s * 2 + row
        return s
    check(f, (ROWS,), (tensor(np.ones((20, 2))),))


def test_else_of_loops():
    def f(n, limit):
        s = ops.zeros((), ms.int32)
        while n > 0:
            s += n
            n -= 1
            if s > limit:
                break
        else:
            s += 1000
        for i in range(3):
            if s == i:
                break
        else:
            s += 5
        return s
    check(f, (integer(4), integer(100)), (integer(4), integer(5)), (integer(0), integer(5)))


def test_zip_and_enumerate():
    def f(xs, ys):
        s = xs[0] * 0
        for i, (a, b) in enumerate(zip(xs, ys)):
            s += a * b * (i + 1)
        return s
    check(f, ([tensor(1.), tensor(2.)], [tensor(4.), tensor(5.)]))


def test_endless_loop_with_break():
    def f(x):
        n = ops.zeros((), ms.int32)
        while True:
            x = x / 2
            n += 1
            if x.max() < 1:
                break
        return n
    check(f, (tensor([100., 3.]),))


def test_range_of_an_argument():
    def f(n, x):
        for i in range(n):
            x = x + i
        return x
    check(f, (5, tensor(1.)), (3, tensor(1.)), (0, tensor(1.)), (40, tensor(1.)))


def test_number_that_becomes_a_run_time_one():
    def f(n):
        i = 0
        while i < n:
            i += 1
        return i
    check(f, (integer(4),), (integer(0),))


def test_dtype_settles_after_one_iteration():
    def f(x):
        s = 0
        for i in range(20):
            s = s + x * i
        return s
    check(f, (tensor([1., 2.]),))


def test_shape_that_grows():
    def f(n, x):
        i = 0
        while i < n:
            x = ops.concat((x, x))
            i += 1
        return x
    check(f, (integer(3), tensor([1., 2.])))


def test_list_built_in_an_unrolled_loop():
    def f(x):
        out = []
        for i in range(4):
            out.append(x * i)
        out.extend([x, x])
        out[0] = x + 9
        last = out.pop()
        return ops.stack(out), last, len(out)
    check(f, (tensor([1., 2.]),))


def test_list_built_in_a_loop_of_tensors_is_pythons():
    def f(x, n):
        out = []
        i = ops.zeros((), ms.int32)
        while i < n:
            out.append(x * i)
            i = i + 1
        return out
    check(f, (tensor([1., 2.]), integer(3)), fallback=True)


def test_write_in_place_in_a_loop():
    def f(x, n):
        y = x * 1.0
        m = ops.zeros_like(x)
        for i in range(n):
            m[i % 3] = m[i % 3] * 0.5 + y[i % 3]
            if m.sum() > 4.0:
                y[0] = y[0] - 0.25 * m[0]
            else:
                y[2] = y[2] + m[1]
        return (y * m).sum()
    check(f, (tensor([1., 2., .5]), 5), (tensor([1., 2., .5]), 20))


def test_iteration_variable_after_the_loop():
    def f(x):
        for i in range(30):
            x = x + i
        return x, i
    check(f, (tensor([1., 2.]),))


def loops_of(compiled):
    """(number of scf.for, of scf.while) in what a function was captured as."""
    text = compiled._own.entries[0]._module.module_text
    return text.count("scf.for"), text.count("scf.while")


@pytest.mark.parametrize("bounds", [(40,), (3, 40), (2, 90, 4), (90, 2, -4), (40, 0, -1)])
def test_counted_loops_of_known_length(bounds):
    def f(x):
        s = x * 0
        for i in range(*bounds):
            s = s * 0.5 + x * i
        return s, i
    assert loops_of(check(f, (ROWS,))) == (1, 0)


@pytest.mark.parametrize("step", [1, 3, -1, -4])
def test_counted_loops_of_tensors(step):
    def f(x, a, b):
        s = x * 0
        for i in range(a, b, step):
            s = s * 0.5 + x * i
        return s
    calls = [(ROWS, integer(a), integer(b)) for a, b in [(0, 5), (5, 0), (3, 3), (-7, 20), (20, -7), (2, 1)]]
    assert loops_of(check(f, *calls)) == (1, 0)


def test_counted_loop_whose_first_iteration_differs():
    def f(x):
        total = 0
        for j in range(1, 60, 2):
            total = total + x[j % 3] * j
        return total, j
    assert loops_of(check(f, (ROWS,))) == (1, 0)


def test_rows_of_a_tensor():
    def f(x):
        s = ops.zeros((3,), ms.float32)
        for row in x:
            if row.sum() < 0:
                continue
            s = s * 0.9 + row
        return s
    x = tensor(np.random.default_rng(0).standard_normal((40, 3)))
    assert loops_of(check(f, (x,))) == (1, 0)


def test_rows_until_a_break():
    def f(x):
        s = ops.zeros((3,), ms.float32)
        for k, row in enumerate(x):
            s = s + row
        for row in x:
            if s.sum() > 3:
                break
            s = s + ops.abs(row)
        else:
            s = s * 100
        return s
    x = np.random.default_rng(0).standard_normal((20, 3))
    check(f, (tensor(x),), (tensor(x * 0.01),))


def test_gradient_through_counted_loops():
    def f(x, n):
        s = x
        for i in range(n):
            s = ops.sin(s) * x + 0.01 * i
        for i in range(20):
            s = s * 0.9 + ops.tanh(s * x)
        return s.sum()
    compiled = jit(lambda x, n: ms.grad(f)(x, n))
    for n in (0, 1, 5):
        want = ms.grad(f)(ROWS, integer(n)).asnumpy()
        np.testing.assert_allclose(compiled(ROWS, integer(n)).asnumpy(), want, rtol=1e-4, atol=1e-5)
    assert loops_of(compiled) == (2, 0)
