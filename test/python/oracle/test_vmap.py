"""vmap of every op: the lanes of the result are the op of the lanes.

In each case some of the float operands get a leading dimension, the others are shared
by the lanes. Run by the reference interpreter in f64.
"""

import subprocess
import zlib

import numpy as np
import pytest

from oracle import engines, registry
from oracle.draw import Draw

GENERATORS = registry.load()
FAST_CASES, SLOW_CASES = 6, 100
SEED = 11
LANES = 3

# Ops without float operands, or made by differentiation, which comes after vmap.
NOT_MAPPED = {"mindir." + name for name in (
    "and", "or", "xor", "not", "constant", "iota", "one_hot", "seed_state",
    "random_bits", "random_normal", "random_uniform", "stop_gradient",
    "conv2d_input_grad", "conv2d_weight_grad", "avg_pool2d_grad", "pool_gather", "pool_scatter",
    "batch_norm_training")}
# Operands that must be equal in all lanes: the op names them in its error.
SHARED = {"mindir.conv2d": {1}, "mindir.pad": {1}, "mindir.batch_norm_inference": {1, 2, 3, 4}}


class Mapped:
    """A case, its operands over lanes, and one function per lane."""

    def __init__(self, op, number):
        rng = np.random.default_rng([SEED, zlib.crc32(op.encode()), number])
        draw = Draw(rng, number + 2, smooth=True)
        draw.dynamic = number % 3 == 2
        self.case, self.name = GENERATORS[op](draw), f"case_{number}"
        floats = [i for i, operand in enumerate(self.case.operands)
                  if operand.element == "f64" and i not in SHARED.get(op, ())]
        self.wrt = [i for i in floats if draw.chance(0.7)] or floats[:1]
        self.values = [operand.values for operand in self.case.operands]
        for i in self.wrt:
            shape = (LANES, *self.values[i].shape)
            self.values[i] = self.values[i] * rng.uniform(0.9, 1.1, shape)

    def _batched(self, text):
        return text.replace("tensor<", f"tensor<{LANES}x", 1)

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


@pytest.mark.parametrize("op", sorted(set(GENERATORS) - NOT_MAPPED))
def test_lanes(op, tmp_path, request):
    count = SLOW_CASES if request.config.getoption("--slow") else FAST_CASES
    items = [item for item in (Mapped(op, i) for i in range(count)) if item.wrt]
    assert items, f"no case of {op} has a float operand"
    source, resolved, out = tmp_path / "in.mlir", tmp_path / "module.mlir", tmp_path / "out"
    source.write_text("\n".join(item.text() for item in items))
    for item in items:
        for name, arrays in item.inputs().items():
            for i, array in enumerate(arrays):
                np.save(tmp_path / f"{name}.{i}.npy", array)
    for command in (["ms-opt", "--mindir-autodiff-pipeline", source, "-o", resolved],
                    ["ms-run", "--reference", "--every-function", resolved,
                     f"--input-directory={tmp_path}", f"--output-directory={out}"]):
        done = subprocess.run([engines.tool(command[0]), *map(str, command[1:])],
                              capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]
    for item in items:
        for i in range(len(item.case.results)):
            mapped = np.load(out / f"{item.name}_vmap.{i}.npy")
            lanes = [np.load(out / f"{item.name}_lane{j}.{i}.npy") for j in range(LANES)]
            np.testing.assert_allclose(mapped, np.stack(lanes), rtol=1e-12, atol=1e-12,
                                       err_msg=item.text())
