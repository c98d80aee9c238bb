"""Tensor is a C type: it must still be what a Python class is, and leak nothing."""

import copy
import gc
import pickle
import sys
import threading
import weakref

import numpy as np
import pytest

import mindir as ms
from mindir import Parameter, Tensor, ops
from mindir._native import core


def make(*shape):
    return Tensor(np.arange(np.prod(shape, dtype=int), dtype=np.float32).reshape(shape))


def test_python_class_behaviour():
    t = make(2, 3)
    t.note = "mine"
    assert t.note == "mine" and isinstance(t, ms.Tensor) and hash(t) == hash(t)
    reference = weakref.ref(t)
    for twin in (pickle.loads(pickle.dumps(t)), copy.deepcopy(t), copy.copy(t)):
        assert type(twin) is Tensor and twin is not t
        np.testing.assert_array_equal(twin.asnumpy(), t.asnumpy())
    del t, twin
    gc.collect()
    assert reference() is None


def test_a_cycle_through_an_attribute_is_collected():
    t = make(2)
    t.itself = [t]
    reference = weakref.ref(t)
    del t
    gc.collect()
    assert reference() is None


def test_users_subclass():
    class Named(Tensor):
        def __init__(self, data, name):
            super().__init__(data)
            self.name = name

        def __add__(self, other):
            return "added"

    n = Named([1.0, 2.0], "n")
    assert n + 1 == "added" and n.name == "n"
    assert type(n * 2) is Tensor and (1 + n).tolist() == [2.0, 3.0]
    p = Parameter(Tensor([1.0]), name="p")
    assert type(p + p) is Tensor and type(copy.deepcopy(p)) is Parameter and copy.deepcopy(p).name == "p"


class Foreign:
    def __radd__(self, other):
        return "foreign"

    def __add__(self, other):
        return "first"

    __rmatmul__ = __rsub__ = __radd__


def test_operands_of_other_kinds():
    t = make(3)
    assert t + Foreign() == "foreign" and Foreign() + t == "first" and t @ Foreign() == "foreign"
    with pytest.raises(TypeError):
        t + "text"
    with pytest.raises(TypeError):
        t < "text"
    assert (t == "text") is False and (t != None) is True        # noqa: E711
    assert (t + np.float32(1)).tolist() == [1, 2, 3] and (np.ones(3, np.float32) - t).tolist() == [1, 0, -1]
    assert (t + [1, 1, 1]).tolist() == [1, 2, 3] and (2 ** t).tolist() == [1, 2, 4]
    assert (True + t).tolist() == [1, 2, 3] and (t + 2 ** 31).dtype is ms.float32
    with pytest.raises(ValueError, match="64 bits"):
        t + 2 ** 70


def test_signatures_do_not_meet():
    """Arguments that differ in value, kind or place are different calls."""
    t = make(2, 3)
    assert ops.sum(t, 0).shape == (3,) and ops.sum(t, 1).shape == (2,)
    assert ops.sum(t, dim=0).shape == (3,) and ops.sum(t, (0,)).shape == (3,) and ops.sum(t, (0, 1)).shape == ()
    assert ops.sum(t, 0, True).shape == (1, 3) and t.sum(0, keepdims=True).shape == (1, 3)
    assert (t * 2).dtype is ms.float32 and (Tensor([1, 2]) * 2).dtype is ms.int64
    assert (Tensor([1, 2]) * 2.0).dtype is ms.float32 and (Tensor([1, 2]) * 2).tolist() == [2, 4]
    assert ops.concat([t, t]).shape == (4, 3) and ops.concat((t, t), 1).shape == (2, 6)
    assert ops.cast(t, ms.int32).dtype is ms.int32 and ops.cast(t, ms.float16).dtype is ms.float16
    assert t[0].tolist() == [0, 1, 2] and t[1].tolist() == [3, 4, 5] and t[:, 1].tolist() == [1, 4]
    assert t.T[0].tolist() == [0, 3] and t.T[1].tolist() == [1, 4] and t[0].tolist() == [0, 1, 2]
    with pytest.raises(TypeError, match="sum"):
        ops.sum(t, nothing=1)
    with pytest.raises(TypeError):
        ops.tanh()


def test_views_share_storage_and_follow_writes():
    t = make(2, 3)
    row, column = t[1], t.T[1]
    t[1, 1] = 40.0
    assert row.tolist() == [3, 40, 5] and column.tolist() == [1, 40]
    row[0] = -1.0
    assert t.tolist() == [[0, 1, 2], [-1, 40, 5]]

    def f(x):
        y = x * 1.0
        part = y[0]
        y[0] = part * 3.0
        return (y * y).sum() + part.sum()

    x = make(2, 2) + 1.0
    np.testing.assert_allclose(ms.grad(f)(x).asnumpy(), [[18 + 3, 36 + 3], [6, 8]])


def test_gradients_of_every_order_and_errors():
    x = Tensor([0.5, 2.0])
    third = ms.grad(ms.grad(ms.grad(lambda x: (x ** 4).sum())))
    np.testing.assert_allclose(third(x).asnumpy(), 24 * x.asnumpy(), rtol=1e-5)
    value, pull = ms.vjp(lambda a, b: a * b, x, x + 1)
    for _ in range(2):
        assert [g.tolist() for g in pull(Tensor([1.0, 1.0]))] == [[1.5, 3.0], [0.5, 2.0]]
    with pytest.raises(ValueError, match="Add"):
        ms.grad(lambda a: (a + make(3)).sum())(x)
    assert core.thread_state.tapes == ()
    assert ms.grad(lambda a: a.sum())(x).tolist() == [1, 1]


@pytest.mark.parametrize("run", [
    lambda x: (x + 1.0) * x - x.sum(),
    lambda x: ms.grad(lambda a: ((a * a)[0] * a).sum())(x),
    lambda x: x.reshape(6)[1:3].asnumpy(),
    lambda x: ms.value_and_grad(lambda a: ops.tanh(a).mean())(x),
], ids=["ops", "gradients", "views", "value and gradient"])
def test_ten_thousand_calls_leave_nothing(run):
    x = make(2, 3)

    def left():
        gc.collect()
        return core.statistics()["live_bytes"], sys.getallocatedblocks(), core.statistics()["tape_nodes"]

    for _ in range(200):
        run(x)
    before = left()
    for _ in range(10_000):
        run(x)
    after = left()
    assert after[0] == before[0] and after[2] == before[2]
    assert after[1] - before[1] < 1000


def test_threads_share_the_cache():
    failures = []

    def work(seed):
        rng = np.random.RandomState(seed)
        try:
            for step in range(200):
                shape = [(3, 4), (1, 4), (5, 4), (2, 1)][(step + seed) % 4]
                a = rng.randn(*shape).astype(np.float32)
                t = Tensor(a)
                np.testing.assert_array_equal((t * t + float(seed)).asnumpy(), a * a + np.float32(seed))
                np.testing.assert_allclose(ms.grad(lambda x: (x * x).sum())(t).asnumpy(), 2 * a)
        except BaseException as error:      # shown by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
