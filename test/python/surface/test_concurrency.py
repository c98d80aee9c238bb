"""Threads that share one jitted function, and steps of ever new shapes."""

import threading

import numpy as np

import mindir as ms
from mindir import Parameter, Tensor, ops
from mindir._native import core


def test_eight_threads_share_a_function_its_gradient_and_a_parameter():
    @ms.jit
    def loss(x, w):
        return ops.tanh(ops.matmul(x, w)).sum()

    total = Parameter(Tensor(np.zeros(4, np.float32)), name="total")

    @ms.jit
    def add(x):
        ops.assign_add(total, x)
        return x * 2

    failures = []

    def work(seed):
        rng = np.random.RandomState(seed)
        try:
            for step in range(12):
                x = rng.randn([3, 5, 7, 1][step % 4], 4).astype(np.float32)
                w = rng.randn(4, 6).astype(np.float32)
                y = np.tanh(x.astype(np.float64) @ w)
                np.testing.assert_allclose(loss(Tensor(x), Tensor(w)).asnumpy(), y.sum(), rtol=1e-4, atol=1e-4)
                gradient = ms.grad(loss)(Tensor(x), Tensor(w)).asnumpy()
                np.testing.assert_allclose(gradient, (1 - y ** 2) @ w.T, rtol=1e-3, atol=1e-4)
                add(Tensor(np.ones(4, np.float32)))
        except BaseException as error:      # shown by the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]
    np.testing.assert_array_equal(total.asnumpy(), np.full(4, 8 * 12))


def test_new_shapes_leave_no_memory_behind():
    step = ms.value_and_grad(ms.jit(lambda x: (ops.exp(-x * x) * 2 + 1).sum()))

    def live_after(sizes):
        for size in sizes:
            for _ in range(20):
                step(Tensor(np.ones((size, 7), np.float32)))
        return core.statistics()["live_bytes"]

    before = live_after(range(10, 20))
    assert live_after(range(20, 60)) <= before
