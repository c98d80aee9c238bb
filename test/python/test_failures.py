"""Runs that fail: an exception of the right kind, and everything lives on."""

import os
import pathlib
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import mindir as ms
from mindir import Parameter, Tensor, ops
from mindir._native import core

RECURSION = """
func.func private @f(%x: tensor<f32>) -> tensor<f32> {
  %zero = mindir.constant dense<0.0> : tensor<f32>
  %more = mindir.compare gt, %x, %zero : tensor<f32>
  %goes = tensor.extract %more[] : tensor<i1>
  %r = scf.if %goes -> (tensor<f32>) {
    %one = mindir.constant dense<1.0> : tensor<f32>
    %less = mindir.sub %x, %one : tensor<f32>
    %rest = func.call @f(%less) : (tensor<f32>) -> tensor<f32>
    %sum = mindir.add %rest, %x : tensor<f32>
    scf.yield %sum : tensor<f32>
  } else {
    scf.yield %zero : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = func.call @f(%x) : (tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}"""


def live_bytes():
    return core.statistics()["live_bytes"]


def test_recursion_without_end():
    run = core.compile(RECURSION)
    sum_to = lambda n: run([core.Array.from_numpy(np.float32(n))])[0].item()
    assert sum_to(10) == 55
    before = live_bytes()
    with pytest.raises(RecursionError, match="in compiled code"):
        sum_to(np.inf)
    assert live_bytes() == before
    assert sum_to(10) == 55


def test_out_of_memory_in_compiled_code():
    @ms.jit
    def products(x):
        outer = x.reshape((-1, 1)) * x.reshape((1, -1)) + 1
        return outer.reshape((-1, 1)) * (outer + 1).reshape((1, -1))

    x = Tensor(np.ones(4000, np.float32))
    before = live_bytes()
    with pytest.raises(MemoryError, match="out of memory"):
        products(x)
    assert live_bytes() == before
    np.testing.assert_array_equal(products(x[:3]).asnumpy(), np.full((9, 9), 6, np.float32))


@pytest.mark.parametrize("shape", [(1 << 40,), (1 << 40, 1 << 40), (1 << 62, 1 << 62)])
def test_absurd_sizes(shape):
    with pytest.raises((MemoryError, ValueError)):
        ops.zeros(shape, ms.float32)
    with pytest.raises((MemoryError, ValueError)):
        ms.jit(lambda x: ops.zeros(shape, ms.float32) + x)(Tensor(np.float32(1)))


def test_sizes_whose_product_overflows_when_run():
    run = core.compile("""
func.func @main(%x: tensor<f32>, %n: tensor<i64>) -> tensor<?x?x?xf32> {
  %size = tensor.extract %n[] : tensor<i64>
  %dim = arith.index_cast %size : i64 to index
  %r = mindir.broadcast_to %x sizes(%dim, %dim, %dim) : tensor<f32> -> tensor<?x?x?xf32>
  return %r : tensor<?x?x?xf32>
}""")
    call = lambda n: run([core.Array.from_numpy(np.float32(1)), core.Array.from_numpy(np.int64(n))])[0].shape
    assert call(2) == (2, 2, 2)
    with pytest.raises(MemoryError):
        call(1 << 22)       # 2^66 elements: 0 in 64 bits


def test_a_failed_step_leaves_parameters():
    total = Parameter(Tensor(np.zeros(3, np.float32)), name="total")

    @ms.jit
    def step(x, i):
        ops.assign_add(total, x)
        return x[i]

    x = Tensor(np.ones(3, np.float32))
    with pytest.raises(IndexError):
        step(x, Tensor(np.array([7]), ms.int32))
    left = total.asnumpy().copy()
    assert set(left) in ({0.0}, {1.0})      # before the step, or as eager: never in part
    step(x, Tensor(np.array([1]), ms.int32))
    np.testing.assert_array_equal(total.asnumpy(), left + 1)


INTERRUPTED = {
    "a counted loop": """
        @ms.jit
        def f(x, n):
            for i in range(n):
                x = ops.matmul(x, x) * 0.5
            return x
        run = lambda n: f(Tensor(np.eye(64, dtype=np.float32)), Tensor(n, ms.int32))
        check = lambda: run(3)
        endless = lambda: run(2_000_000_000)
        """,
    "a while loop": """
        @ms.jit
        def f(x):
            while x.sum() > 0:
                x = x * x
            return x
        check = lambda: f(Tensor(np.zeros(3, np.float32)))
        endless = lambda: f(Tensor(np.ones(3, np.float32)))
        """,
    "an eager loop": """
        def endless():
            x = Tensor(np.ones((1000, 1000), np.float32))
            while True:
                x = ops.exp(x * 0.1)
        check = lambda: ops.exp(Tensor(np.ones(3, np.float32)))
        """,
}


@pytest.mark.parametrize("kind", sorted(INTERRUPTED))
def test_interrupt(kind):
    script = textwrap.dedent("""
        import os, signal, threading
        import numpy as np
        # A test run in the background of a shell inherits an ignored SIGINT.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        import mindir as ms
        from mindir import Tensor, ops
        """) + textwrap.dedent(INTERRUPTED[kind]) + textwrap.dedent("""
        check()
        threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
        try:
            endless()
        except KeyboardInterrupt:
            check()
            print("interrupted")
        """)
    folder = pathlib.Path(__file__).parents[2] / "python"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60,
                          env={**os.environ, "PYTHONPATH": str(folder)})
    assert done.stdout == "interrupted\n", done.stderr
