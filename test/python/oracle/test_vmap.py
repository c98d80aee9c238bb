"""vmap of every op: the lanes of the result are the op of the lanes.

In each case some operands get a leading dimension, the others are shared by the lanes;
in every third case sizes are unknown, in every sixth the number of lanes too. Run by
the reference interpreter in f64.
"""

import zlib

import numpy as np
import pytest

from oracle import engines, registry
from oracle.counts import count_of
from oracle.draw import Draw

GENERATORS = registry.load()
FAST_CASES, SLOW_CASES = 6, 100
SEED = 11
LANES = 3


def lanes_of(operand, rng):
    """Values for each lane that the op takes as it takes the operand's own."""
    shape = (LANES, *operand.values.shape)
    if operand.values.dtype.kind == "f":
        return operand.values * rng.uniform(0.9, 1.1, shape)
    if not operand.values.shape and operand.element != "i1":  # a start, an index
        low, high = sorted((0, int(operand.values)))
        return rng.integers(low, high, LANES, dtype=operand.values.dtype, endpoint=True)
    flat = [rng.permutation(operand.values.ravel()) for _ in range(LANES)]
    return np.stack(flat).reshape(shape)


class Mapped:
    """A case, its operands over lanes, and one function per lane."""

    def __init__(self, op, number):
        rng = np.random.default_rng([SEED, zlib.crc32(op.encode()), number])
        draw = Draw(rng, number, smooth=True)
        draw.dynamic = number % 3 == 2
        self.lanes = "?" if number % 6 == 5 else LANES
        self.case, self.name = GENERATORS[op](draw), f"case_{number}"
        free = [i for i, operand in enumerate(self.case.operands) if not operand.shared]
        self.wrt = [i for i in free if draw.chance(0.7)] or free[:1]
        self.values = [lanes_of(operand, rng) if i in self.wrt else operand.values
                       for i, operand in enumerate(self.case.operands)]

    def _batched(self, text):
        return text.replace("tensor<", f"tensor<{self.lanes}x", 1)

    def text(self):
        types = [self._batched(operand.type) if i in self.wrt else operand.type
                 for i, operand in enumerate(self.case.operands)]
        results = [self._batched(text) for text in self.case.result_types]
        arguments = ", ".join(f"%a{i}: {text}" for i, text in enumerate(types))
        values = ", ".join(f"%a{i}" for i in range(len(types)))
        give = ", ".join(f"%r#{i}" for i in range(len(results)))
        lanes = "\n".join(self.case.function(f"{self.name}_lane{j}") for j in range(LANES))
        return lanes + self.case.function(self.name).replace("func.func", "func.func private") + (
            f"func.func @{self.name}_vmap({arguments}) -> ({', '.join(results)}) {{\n"
            f"  %r:{len(results)} = mindir.vmap @{self.name}({values}) wrt = {self.wrt} : "
            f"({', '.join(types)}) -> ({', '.join(results)})\n"
            f"  return {give} : {', '.join(results)}\n}}\n")

    def inputs(self):
        """Function name -> arrays."""
        given = {f"{self.name}_vmap": self.values}
        for j in range(LANES):
            given[f"{self.name}_lane{j}"] = [value[j] if i in self.wrt else value
                                             for i, value in enumerate(self.values)]
        return given


@pytest.mark.parametrize("op", sorted(GENERATORS))
def test_lanes(op, tmp_path, request):
    items = [item for item in (Mapped(op, i) for i in range(count_of(request, FAST_CASES, SLOW_CASES))) if item.wrt]
    if not items:
        pytest.skip(f"{op} has no operand that may differ between lanes")
    source, resolved, out = tmp_path / "in.mlir", tmp_path / "module.mlir", tmp_path / "out"
    source.write_text("\n".join(item.text() for item in items))
    for item in items:
        for name, arrays in item.inputs().items():
            for i, array in enumerate(arrays):
                np.save(tmp_path / f"{name}.{i}.npy", array)
    engines.run_tool("ms-opt", "--mindir-autodiff-pipeline", source, "-o", resolved)
    engines.run_module(resolved, tmp_path, out)
    for item in items:
        for i in range(len(item.case.results)):
            mapped = np.load(out / f"{item.name}_vmap.{i}.npy")
            lanes = [np.load(out / f"{item.name}_lane{j}.{i}.npy") for j in range(LANES)]
            if mapped.dtype.kind != "f":
                np.testing.assert_array_equal(mapped, np.stack(lanes), err_msg=item.text())
                continue
            np.testing.assert_allclose(mapped, np.stack(lanes), rtol=1e-12, atol=1e-12,
                                       err_msg=item.text())
