"""VJP and JVP of every op, in f64, against finite differences of numpy's formula.

For a case F, a direction v and a cotangent u, drawn at random:

- JVP(v) is the central difference of F along v;
- <u, JVP(v)> = <VJP(u), v>, which checks the VJP against what was just checked;
- the JVP of the VJP along v is the central difference of the VJP along v, and the
  VJP of the VJP agrees with it by the same inner product: second derivatives.

They are run by the reference interpreter, compiled, in eager mode through the tape
(whose JVP is the derivative of the pullback), and by `vjp` and `jvp` in a jitted
function.
"""

import numpy as np
import pytest

from oracle import tolerance
from oracle.counts import count_of
from oracle.derivatives import ENGINES, GENERATORS, STEP, Gradients

# The numbers of the cases that the fast tier draws; a jitted function costs the most.
FAST_CASES = {"reference": range(8), "compiled": range(4), "eager": range(4), "jit": (2,)}
SLOW_CASES = 200
# Of how many cases a jitted function takes the derivatives.
BATCH = 25

# Ops that are differentiable nowhere or whose cases have nothing to differentiate.
NO_DERIVATIVE = {"mindir." + name for name in (
    "and", "or", "xor", "not", "argmax", "argmin", "compare", "constant", "iota", "one_hot",
    "random_bits", "random_normal", "random_uniform", "seed_state", "stop_gradient", "floor_div")}


def inner(a, b):
    return sum(float(np.sum(x * y)) for x, y in zip(a, b, strict=True))


def check_close(actual, expected, what, item):
    for a, e in zip(actual, expected, strict=True):
        assert a.shape == e.shape, f"{what} of\n{item.text()}: {a.shape} for {e.shape}"
        np.testing.assert_allclose(
            a, e, rtol=tolerance.GRADIENT_RELATIVE, atol=tolerance.GRADIENT_ABSOLUTE,
            err_msg=f"{what} of\n{item.case.function('f')}")


def check_inner(left, right, what, item):
    assert np.isclose(left, right, rtol=1e-9, atol=1e-9), (
        f"{what}: {left} is not {right} in\n{item.case.function('f')}")


@pytest.mark.parametrize("engine", sorted(ENGINES))
@pytest.mark.parametrize("op", sorted(set(GENERATORS) - NO_DERIVATIVE))
def test_derivatives(op, engine, tmp_path, request):
    numbers = FAST_CASES[engine]
    if request.config.getoption("--slow"):
        numbers = range(count_of(request, 0, SLOW_CASES))
    items = [Gradients(op, i) for i in numbers]
    items = [item for item in items if item.case.wrt and item.float_results]
    assert items, f"no case of {op} is differentiable"
    for start in range(0, len(items), BATCH):
        check_derivatives(items[start:start + BATCH], engine, tmp_path)


def check_derivatives(items, engine, folder):
    read = ENGINES[engine](items, folder)
    for item in items:
        n, wrt = item.name, len(item.case.wrt)
        tangents = read(f"{n}_jvp", len(item.float_results))
        check_close(tangents, item.difference(), "JVP", item)
        cotangents = read(f"{n}_vjp", wrt)
        check_inner(inner(item.u, tangents), inner(cotangents, item.v), "<u, JVP v> = <VJP u, v>", item)
        plus, minus = read(f"{n}_plus", wrt), read(f"{n}_minus", wrt)
        second = read(f"{n}_jvp_vjp", wrt)
        check_close(second, [(p - m) / (2 * STEP) for p, m in zip(plus, minus, strict=True)],
                    "JVP of the VJP", item)
        back = read(f"{n}_vjp_vjp", wrt)
        check_inner(inner(item.w, second), inner(back, item.v), "symmetry of second derivatives", item)


def test_every_float_op_is_differentiated():
    assert NO_DERIVATIVE <= set(GENERATORS)
