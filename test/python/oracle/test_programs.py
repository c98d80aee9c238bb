"""Whole random programs in f64: jit, eager and the reference against numpy; their
derivatives, under jit and by the tape, against central differences."""

import numpy as np
import pytest

import mindir as ms
from mindir import Tensor
from mindir._native import core
from oracle.counts import count_of
from oracle.programs import COLUMNS, MINDIR, NUMPY, ROWS, Program, built

FAST_PROGRAMS, SLOW_PROGRAMS = 3, 150
STEP = 1e-6
TRIP_COUNT = 3


class Run:
    """A program with arguments, a direction and cotangents."""

    def __init__(self, seed):
        rng = np.random.default_rng(seed)
        self.text = Program(seed).text
        self.plain, self.function = built(self.text, seed, NUMPY), built(self.text, seed, MINDIR)
        shapes = [(ROWS, COLUMNS), (ROWS, COLUMNS), (COLUMNS,)]
        self.x, self.v, self.u = [[rng.uniform(-1, 1, shape) for shape in shapes] for _ in range(3)]

    def numpy(self, step=0.0):
        moved = [x + step * v for x, v in zip(self.x, self.v, strict=True)]
        return [np.asarray(y) for y in self.plain(*moved, TRIP_COUNT)]

    def slope(self):
        """The derivative along v; None where a branch or a kink lies too near."""
        found = [[(p - m) / (2 * step) for p, m in zip(self.numpy(step), self.numpy(-step), strict=True)]
                 for step in (STEP, STEP / 8)]
        near = all(np.allclose(a, b, rtol=1e-4, atol=1e-5) for a, b in zip(*found, strict=True))
        return found[0] if near else None

    def tensors(self, arrays):
        return tuple(Tensor(array) for array in arrays)


def close(found, expected, what, run, tolerance=1e-9):
    for a, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(a, e, rtol=tolerance, atol=tolerance, err_msg=f"{what} of\n{run.text}")


def both_of(jitted, inputs):
    """What the reference and compiled code give for the module that a jitted function
    became: not always all of what the function returns, and not in its order."""
    entry = jitted._own.entries[0]
    arrays = [value._array if isinstance(value, Tensor) else core.Array.from_numpy(np.array(value))
              for value in entry.check((*inputs, TRIP_COUNT))]
    module = entry.module()
    return [[array.numpy() for array in results]
            for results in (core.run_reference(module.module_text, "main", arrays), module.arrays(arrays))]


def derivatives(run, function):
    """(JVP, VJP) along the run's direction and cotangents."""
    def of_tensors(a, b, v):
        return function(a, b, v, TRIP_COUNT)

    def both(x, v, u):
        _, tangents = ms.jvp(of_tensors, x, v)
        _, pullback = ms.vjp(of_tensors, *x)
        return tangents, pullback(*u)
    return both


@pytest.mark.parametrize("part", range(3))
def test_random_programs(part, request):
    for seed in range(part, count_of(request, FAST_PROGRAMS, SLOW_PROGRAMS), 3):
        check(Run(seed))


def check(run):
    x, v, u = run.tensors(run.x), run.tensors(run.v), run.tensors(run.u)
    expected, slope = run.numpy(), run.slope()
    jitted = ms.jit(run.function, fullgraph=True)
    close([y.asnumpy() for y in jitted(*x, TRIP_COUNT)], expected, "jit", run)
    close([y.asnumpy() for y in run.function(*x, TRIP_COUNT)], expected, "eager", run)
    close(*both_of(jitted, x), "reference", run)
    both = derivatives(run, run.function)
    for what, function in (("jit", ms.jit(both, fullgraph=True)), ("eager", both)):
        tangents, cotangents = function(x, v, u)
        tangents = [t.asnumpy() for t in tangents]
        if slope is not None:
            close(tangents, slope, f"{what} JVP", run, 1e-5)
        left = sum(float(np.sum(a * t)) for a, t in zip(run.u, tangents, strict=True))
        right = sum(float(np.sum(c.asnumpy() * d)) for c, d in zip(cotangents, run.v, strict=True))
        assert np.isclose(left, right, rtol=1e-8, atol=1e-8), f"<u, JVP v> = <VJP u, v> of {what} in\n{run.text}"
