"""Capture of branches: each case as plain Python and under jit."""

import numpy as np
import pytest

from mindir import ops
import mindir as ms
from capturing import check, tensor

UP, DOWN = tensor([1., 2., -.5]), tensor([-1., -2., .5])


def test_return_in_both_branches():
    def f(x):
        if x.sum() > 0:
            return x * 2
        else:
            return x + 1
    check(f, (UP,), (DOWN,))


def test_elif_chain():
    def f(x):
        s = x.sum()
        if s > 10:
            y = x - 10
        elif s > 0:
            y = x * x
        elif s == 0:
            y = ops.zeros_like(x) + 7
        else:
            y = ops.abs(x)
        return y
    check(f, (UP,), (DOWN,), (tensor([0., 0., 0.]),), (tensor([9., 9., 9.]),))


def test_early_return_then_more_statements():
    def f(x):
        if x.sum() > 0:
            return x - 1
        y = x * 3
        if y.sum() < -5:
            return y
        y = y + 1
        return y * y
    check(f, (UP,), (DOWN,), (tensor([-.1, 0., 0.]),))


def test_shapes_widen_and_dtypes_part():
    def f(x):
        if x.sum() > 0:
            return ops.concat((x, x))
        return x

    def g(x):
        if x.sum() > 0:
            return x.astype(ms.int32)
        return x
    check(f, (UP,), (DOWN,))
    check(g, (UP,), (DOWN,))


def test_different_structures_of_results():
    def f(x):
        if x.sum() > 0:
            return x, 3
        if x.max() < 0.1:
            return None
        return {"k": x + 1}
    check(f, (UP,), (DOWN,), (tensor([-1., -2., -3.]),))


def test_and_or_not_and_ternary():
    def f(x, y):
        a = x if x.sum() > y.sum() else y
        if (x.sum() > 0 and y.sum() > 0) or not (x.max() < 5):
            a = a + 100
        return a
    for x, y in [([1., 1.], [3., 0.]), ([-1., -1.], [3., 0.]), ([-20., 6.], [3., 0.])]:
        check(f, (tensor(x), tensor(y)))


def test_value_of_and_or():
    def f(x, y):
        return (x.sum() and y), (x.sum() or y)
    check(f, (tensor([1., 1.]), tensor(3.)), (tensor([1., -1.]), tensor(3.)))


def test_chained_comparison():
    def f(x):
        if 0 < x.sum() < 3:
            return x
        return -x
    check(f, (UP,), (DOWN,), (tensor([5., 5.]),))


def test_python_conditions_are_decided_at_capture():
    def f(x, flag, mode="a"):
        if flag:
            x = x + 1
        if mode == "a":
            return x
        return x * 2
    compiled = check(f, (UP, True), (UP, False), (UP, 0), (UP, True, "b"))
    assert compiled.report.segments


def test_numbers_of_branches_join():
    def f(x):
        k = 3
        if x.sum() > 0:
            k = 5
        return x * k, k
    check(f, (UP,), (DOWN,))


def test_containers_of_branches_join():
    def f(x):
        d, t, names = {"a": x}, (x, 1), [x, x]
        if x.sum() > 0:
            d["a"] = x * 2
            t = (x + 1, 2)
            names[1] = x * 5
        return d, t, names
    check(f, (UP,), (DOWN,))


def test_write_in_place_inside_a_branch():
    def f(x):
        y = x * 1
        if x.sum() > 0:
            y[0] = 9.0
        else:
            y[1] = y[0] * 2
        return y
    check(f, (UP,), (DOWN,))


def test_write_to_an_argument_is_seen_by_the_caller():
    def f(x):
        if x.sum() > 0:
            x[0] = 7.0
            return x.sum()
        return x.max()
    check(f, (UP,), (DOWN,))


def test_raise_on_a_tensor_condition():
    def f(x):
        if x.sum() < 0:
            raise ValueError("sum is negative")
        return x * 2
    check(f, (UP,), (DOWN,))


def test_raise_in_a_called_function():
    def positive(v):
        if v.sum() < 0:
            raise ValueError("negative")
        return v

    def f(x):
        y = positive(x) * 2
        return y + positive(y)
    check(f, (UP,), (DOWN,))


def test_error_in_one_branch_only():
    def f(x):
        if x.sum() < 0:
            return ops.matmul(x, ops.zeros((7, 2), ms.float32))
        return x
    check(f, (UP,))
    with pytest.raises((ValueError, TypeError), match="For 'MatMul'"):
        ms.jit(f)(DOWN)


def test_assert():
    def f(x, n):
        assert n > 0, "n must be positive"
        assert x.sum() > 0, "sum"
        return x * n
    check(f, (UP, 2), (UP, -1), (DOWN, 1))


def test_name_that_one_branch_binds():
    def f(x):
        if x.sum() > 0:
            y = x
        else:
            y = x + 1
            z = y
        return y
    check(f, (UP,), (DOWN,))


def test_name_unbound_on_the_path_taken():
    def f(x):
        if x.sum() > 0:
            y = x * 2
        return y
    check(f, (UP,), (DOWN,), fallback=True)


def test_tensors_made_and_written_on_one_path():
    def written(a, b):
        if a.sum() > b.sum():
            a = a * 1
            a[0] = 2.0
            a = a - 0.5
        return a

    def viewed(a, b):
        v = b
        if a.sum() > b.sum():
            a = a * 1
            v = a[1:]
            a[1] = 7.0
            a = a - 0.5
        return a, v

    def in_a_loop(a, b):
        for i in range(20):
            if a.sum() < b.sum():
                continue
            a = a * 1
            v = a[1:]
            v[0] = 0.25 * i
            a = a * 0.5 + b
        return a
    for f in (written, viewed, in_a_loop):
        check(f, (tensor([0.5, -1., 2.]), tensor([1., 0.25, -0.5])), (tensor([0.5, -1., 2.]), tensor([1., 9., -0.5])))


def test_rows_of_a_tensor_that_paths_leave():
    def f(a, b):
        if a.sum() > b.sum():
            for r in a:
                b = b * 0.5 + r
        else:
            for i in range(20):
                for r in a:
                    b = b * 0.5 + r
                    if a.sum() > 20:
                        break
                a = a * 0.5 + 0.1 * i
        return a, b
    check(f, (tensor([0.5, -1., 2.]), tensor([1., 0.25, -0.5])), (tensor([0.5, -1., 2.]), tensor([1., 9., -0.5])))
