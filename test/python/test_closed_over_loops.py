"""grad(grad(f)) of a loop with a break whose carried tensor grows, compiled.

The values are compared with central differences of the compiled gradient; 10,000
calls must leave no memory and no tape behind. The same program is differentiated to
the third order by the reference interpreter in oracle/.
"""

import numpy as np
import pytest

from mindir._core import Array, compile, statistics
from oracle.test_control_flow_gradients import PROGRAMS, STEP, TRANSFORMATIONS

CALLS = 10_000


@pytest.fixture(scope="module")
def entries():
    text = (PROGRAMS / "growing_loop.mlir").read_text() + TRANSFORMATIONS
    return {name: compile(text, entry=name) for name in ("f", "g", "reverse_reverse")}


def arrays(*values):
    return [Array.from_numpy(np.asarray(value)) for value in values]


@pytest.mark.parametrize("count", [0, 1, 3, 6])
def test_derivatives(entries, count):
    """Six iterations are cut short by the break."""
    x, v = np.array([0.7, 1.1]), np.array([0.3, -0.8])

    def run(name, *values):
        return entries[name](arrays(*values))[-1].numpy()

    def difference(name, direction):
        sides = [run(name, x + step * direction, count) for step in (STEP, -STEP)]
        return (sides[0] - sides[1]) / (2 * STEP)

    gradient = run("g", x, count)
    np.testing.assert_allclose(
        gradient, [difference("f", axis) for axis in np.eye(2)], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(
        run("reverse_reverse", x, count, v), difference("g", v), rtol=1e-5, atol=1e-7)


def test_no_leak(entries):
    second = entries["reverse_reverse"]
    given = arrays([0.7, 1.1], 3, [0.3, -0.8])
    for _ in range(10):
        second(given)
    before = statistics()
    for _ in range(CALLS):
        second(given)
    after = statistics()
    assert after["tape_nodes"] == 0
    assert after["live_bytes"] == before["live_bytes"]
    assert after["system_allocations"] == before["system_allocations"]
