"""Containers from outside, at any depth and reached in any way, are read and guarded
before anything works on them natively."""

import collections
import functools

import numpy as np
import pytest

from mindir import ops
import mindir as ms
from capturing import check, plain, tensor

X = tensor(np.arange(12.).reshape(3, 4))
ROWS = (slice(None), [0, 2])
NESTED = ([1.0, 2.0], [3.0])
DEEP = {"a": [[1.0, 2.0], [3.0]], "b": ({"c": [4.0]},)}
QUEUE = collections.deque([1.0, 2.0])


@pytest.mark.parametrize("index", [ROWS, ([0, 1], [1, 2]), ([[0, 1], [2, 0]],), (slice(None), [True, False, True, False]),
                                   ([True, False, True],), [0, 2]])
def test_lists_in_an_index(index):
    def closed(x):
        return x[index]

    def given(x, i):
        return x[i]

    def gradient(x):
        return ms.grad(lambda v: ops.sin(v[index]).sum())(x)
    check(closed, (X,))
    check(given, (X, index))
    check(gradient, (X,))


def test_lists_in_a_global_index():
    def read(x):
        return x[ROWS]
    check(read, (X,))


def test_native_functions_see_nested_containers():
    def works(x):
        return (x * np.sum(NESTED[0]), np.array(DEEP["a"][0]).sum(), len(NESTED[0]), NESTED == ([1.0, 2.0], [3.0]),
                [3.0] in NESTED, sum(NESTED[0]), sorted(DEEP["a"]), list(zip(*NESTED)), max(DEEP["a"]), f"{NESTED}")

    def reads(x):
        first, second = NESTED
        return x * len(first) + second[0], DEEP["b"][0]["c"][0], str(DEEP), DEEP == {"a": 1}, bool(NESTED[0])

    def method(x):
        count = NESTED[0].count
        return x * count(2.0), ops.reshape(x, ([2, 6], 0)[0])
    check(works, (X,))
    check(reads, (X,))
    check(method, (X,))


def test_a_bound_method_of_a_list_reads_it():
    index = [1.0, 2.0].index

    def f(x):
        return x * index(2.0)
    check(f, (X,))


def test_changed_content_is_seen():
    state = (slice(None), [0, 2])

    @ms.jit
    def f(x):
        return x[state]
    np.testing.assert_array_equal(plain(f(X)), X.asnumpy()[:, [0, 2]])
    state[1].append(3)
    np.testing.assert_array_equal(plain(f(X)), X.asnumpy()[:, [0, 2, 3]])


def test_containers_of_other_kinds_are_not_baked_in():
    f = ms.jit(lambda x: x * len(QUEUE))
    np.testing.assert_array_equal(plain(f(X)), 2 * X.asnumpy())
    QUEUE.append(0.0)
    np.testing.assert_array_equal(plain(f(X)), 3 * X.asnumpy())


def test_a_list_in_a_partial_of_outside():
    take = functools.partial(lambda i, x: x[i], ROWS)

    def f(x):
        return take(x)
    check(f, (X,))
