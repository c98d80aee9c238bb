"""VJP and JVP of every op, in f64, against finite differences of numpy's formula.

For a case F, a direction v and a cotangent u, drawn at random:

- JVP(v) is the central difference of F along v;
- <u, JVP(v)> = <VJP(u), v>, which checks the VJP against what was just checked;
- the JVP of the VJP along v is the central difference of the VJP along v, and the
  VJP of the VJP agrees with it by the same inner product: second derivatives.

The derivatives are run by the reference interpreter.
"""

import subprocess
import zlib

import numpy as np
import pytest

from oracle import engines, registry, tolerance
from oracle.draw import Draw

GENERATORS = registry.load()
FAST_CASES, SLOW_CASES = 8, 200
SEED = 7
STEP = 1e-5

# Ops that are differentiable nowhere or whose cases have nothing to differentiate.
NO_DERIVATIVE = {"mindir." + name for name in (
    "and", "or", "xor", "not", "argmax", "argmin", "compare", "constant", "iota", "one_hot",
    "random_bits", "random_normal", "random_uniform", "seed_state", "stop_gradient", "floor_div")}


class Gradients:
    """A case with the names and values of its derivative functions' operands."""

    def __init__(self, op, number):
        rng = np.random.default_rng([SEED, zlib.crc32(op.encode()), number])
        draw = Draw(rng, number + 2, smooth=True)
        draw.dynamic = number % 3 == 2
        self.case = GENERATORS[op](draw)
        self.name = f"case_{number}"
        floats = [i for i, (_, element) in enumerate(self.case.results) if element == "f64"]
        self.float_results = floats
        self.primals = [operand.values for operand in self.case.operands]
        self.v = [self._like(rng, self.primals[i].shape) for i in self.case.wrt]
        self.u = [self._like(rng, self.case.results[i][0]) for i in floats]
        self.w = [self._like(rng, self.primals[i].shape) for i in self.case.wrt]

    @staticmethod
    def _like(rng, shape):
        return np.asarray(rng.uniform(-1, 1, shape))

    @property
    def wrt_types(self):
        return [self.case.operands[i].type for i in self.case.wrt]

    @property
    def cotangent_types(self):
        return [self.case.result_types[i] for i in self.float_results]

    def _transform(self, kind, callee, name, inputs, wrt, results, kept):
        """A function that gives the results from `kept` on of a transformation."""
        arguments = ", ".join(f"%a{i}: {kind_}" for i, kind_ in enumerate(inputs))
        values = ", ".join(f"%a{i}" for i in range(len(inputs)))
        give = ", ".join(f"%r#{i}" for i in range(kept, len(results)))
        return (f"func.func @{name}({arguments}) -> ({', '.join(results[kept:])}) {{\n"
                f"  %r:{len(results)} = mindir.{kind} @{callee}({values}) wrt = {wrt} : "
                f"({', '.join(inputs)}) -> ({', '.join(results)})\n"
                f"  return {give} : {', '.join(results[kept:])}\n}}\n")

    def text(self):
        case, wrt = self.case, list(self.case.wrt)
        operands = [operand.type for operand in case.operands]
        wrt_types, outputs = self.wrt_types, self.cotangent_types
        vjp_inputs = operands + outputs
        parts = [case.function(self.name)]
        parts.append(self._transform("jvp", self.name, f"{self.name}_jvp", operands + wrt_types, wrt,
                                     case.result_types + outputs, len(case.result_types)))
        for suffix in ("vjp", "plus", "minus"):
            parts.append(self._transform("vjp", self.name, f"{self.name}_{suffix}", vjp_inputs, wrt,
                                         case.result_types + wrt_types, len(case.result_types)))
        parts.append(self._transform("jvp", f"{self.name}_vjp", f"{self.name}_jvp_vjp",
                                     vjp_inputs + wrt_types, wrt, wrt_types + wrt_types, len(wrt)))
        parts.append(self._transform("vjp", f"{self.name}_vjp", f"{self.name}_vjp_vjp",
                                     vjp_inputs + wrt_types, wrt, wrt_types + wrt_types, len(wrt)))
        return "\n".join(parts)

    def moved(self, step):
        """The operands, moved along v."""
        values = list(self.primals)
        for i, direction in zip(self.case.wrt, self.v, strict=True):
            values[i] = values[i] + step * direction
        return values

    def inputs(self):
        """Function name -> arrays."""
        n, x, u = self.name, self.primals, self.u
        return {n: x, f"{n}_jvp": x + self.v, f"{n}_vjp": x + u,
                f"{n}_plus": self.moved(STEP) + u, f"{n}_minus": self.moved(-STEP) + u,
                f"{n}_jvp_vjp": x + u + self.v, f"{n}_vjp_vjp": x + u + self.w}

    def difference(self):
        """The central difference of numpy's formula along v, per float result."""
        sides = []
        for step in (STEP, -STEP):
            wide = [np.asarray(a, np.longdouble) if a.dtype == np.float64 else a
                    for a in self.moved(step)]
            with np.errstate(all="ignore"):
                results = self.case.expected(*wide)
            sides.append(results if isinstance(results, tuple) else (results,))
        return [np.asarray((sides[0][i] - sides[1][i]) / (2 * STEP), np.float64)
                for i in self.float_results]


def run(items, folder):
    """Resolves and runs the functions of all items; gives function name -> arrays."""
    source, resolved, out = folder / "in.mlir", folder / "module.mlir", folder / "out"
    source.write_text("\n".join(item.text() for item in items))
    commands = [[engines.tool("ms-opt"), "--mindir-autodiff-pipeline", str(source), "-o", str(resolved)],
                [engines.tool("ms-run"), "--reference", "--every-function", str(resolved),
                 f"--input-directory={folder}", f"--output-directory={out}"]]
    for item in items:
        for name, arrays in item.inputs().items():
            for i, array in enumerate(arrays):
                np.save(folder / f"{name}.{i}.npy", array)
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]

    def read(name, count):
        return [np.load(out / f"{name}.{i}.npy") for i in range(count)]
    return read


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


@pytest.mark.parametrize("op", sorted(set(GENERATORS) - NO_DERIVATIVE))
def test_derivatives(op, tmp_path, request):
    count = SLOW_CASES if request.config.getoption("--slow") else FAST_CASES
    items = [Gradients(op, i) for i in range(count)]
    items = [item for item in items if item.case.wrt and item.float_results]
    assert items, f"no case of {op} is differentiable"
    read = run(items, tmp_path)
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
