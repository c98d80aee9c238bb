"""VJP and JVP of every op, in f64, against finite differences of numpy's formula.

For a case F, a direction v and a cotangent u, drawn at random:

- JVP(v) is the central difference of F along v;
- <u, JVP(v)> = <VJP(u), v>, which checks the VJP against what was just checked;
- the JVP of the VJP along v is the central difference of the VJP along v, and the
  VJP of the VJP agrees with it by the same inner product: second derivatives.

They are run by the reference interpreter, compiled, and in eager mode through the
tape (whose JVP is the derivative of the pullback; its second derivatives are the
VJP of the VJP alone).
"""

import subprocess
import zlib

import numpy as np
import pytest

import mindir as ms
from mindir import Tensor
from mindir._native import core
from mindir.runtime.callable import ModuleCallable, call
from oracle import engines, registry, tolerance
from oracle.draw import Draw

GENERATORS = registry.load()
FAST_CASES, SLOW_CASES = {"reference": 8, "compiled": 4, "eager": 4}, 200
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

    def calls(self):
        """(function name, operand types, result types), in the order of `inputs`."""
        n, wrt = self.name, self.wrt_types
        operands, pulled = [operand.type for operand in self.case.operands], self.cotangent_types
        vjp = operands + pulled
        return [(n, operands, self.case.result_types), (f"{n}_jvp", operands + wrt, pulled), (f"{n}_vjp", vjp, wrt),
                (f"{n}_plus", vjp, wrt), (f"{n}_minus", vjp, wrt),
                (f"{n}_jvp_vjp", vjp + wrt, wrt), (f"{n}_vjp_vjp", vjp + wrt, wrt)]

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


def run_reference(items, folder):
    """Resolves and interprets the functions of all items; gives a reader of results."""
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


def run_compiled(items, _):
    """Compiles the functions of all items as one module, and runs it."""
    calls = [call for item in items for call in item.calls()]
    text = engines.joined([item.text() for item in items], calls)
    executable = core.compile(text, options={"cache_dir": None})
    given = [array for item in items for _, arrays in item.inputs().items() for array in arrays]
    outputs = iter(executable([core.Array.from_numpy(np.ascontiguousarray(a).reshape(a.shape)) for a in given]))
    found = {name: [np.array(next(outputs).numpy()) for _ in results] for name, _, results in calls}
    return lambda name, count: found[name][:count]


def run_eager(items, _):
    """Takes the derivatives of each item in eager mode."""
    found = {}
    for item in items:
        found.update(eager_derivatives(item))
    return lambda name, count: [a.asnumpy() for a in found[name][:count]]


def eager_derivatives(item):
    """Function name -> results, of the functions that the tests read."""
    module = ModuleCallable(item.case.function(item.name), item.name)
    name, wrt, tensor = item.name, item.case.wrt, lambda values: Tensor(np.array(values))
    tensors = lambda arrays: [tensor(a) for a in arrays]

    def function(*moved):
        inputs = tensors(item.primals)
        for i, value in zip(wrt, moved, strict=True):
            inputs[i] = value
        results = call(module, inputs)
        return tuple(results[i] for i in item.float_results)

    def pull(*moved):
        _, pullback = ms.vjp(function, *moved)
        pulled = pullback(*tensors(item.u))
        return pulled if isinstance(pulled, tuple) else (pulled,)

    at = lambda values: tensors([values[i] for i in wrt])
    packed = lambda value: value if isinstance(value, tuple) else (value,)
    x, v = at(item.primals), tensors(item.v)
    _, pullback = ms.vjp(pull, *x)
    return {f"{name}_jvp": packed(ms.jvp(function, tuple(x), tuple(v))[1]), f"{name}_vjp": pull(*x),
            f"{name}_plus": pull(*at(item.moved(STEP))), f"{name}_minus": pull(*at(item.moved(-STEP))),
            f"{name}_jvp_vjp": packed(ms.jvp(pull, tuple(x), tuple(v))[1]),
            f"{name}_vjp_vjp": packed(pullback(*tensors(item.w)))}


ENGINES = {"reference": run_reference, "compiled": run_compiled, "eager": run_eager}


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
    count = SLOW_CASES if request.config.getoption("--slow") else FAST_CASES[engine]
    items = [Gradients(op, i) for i in range(count)]
    items = [item for item in items if item.case.wrt and item.float_results]
    assert items, f"no case of {op} is differentiable"
    read = ENGINES[engine](items, tmp_path)
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
