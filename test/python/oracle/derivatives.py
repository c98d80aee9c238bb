"""A case with its derivative functions, and ways to run them.

Every engine is given a list of `Gradients`, and gives a function
`read(function name, count)` of the first results of a function.
"""

import zlib

import numpy as np

import mindir as ms
from mindir._native import core
from mindir.runtime.callable import ModuleCallable, call
from mindir.tensor import wrap
from oracle import captured, engines, registry
from oracle.case import Operand
from oracle.draw import Draw

GENERATORS = registry.load()
SEED = 7
STEP = 1e-5


class Gradients:
    """A case with the names and values of its derivative functions' operands."""

    def __init__(self, op, number):
        rng = np.random.default_rng([SEED, zlib.crc32(op.encode()), number])
        draw = Draw(rng, number, smooth=True)
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

    def arguments(self):
        """What the Python function of `derivatives` takes, as operands."""
        case, directions = self.case, [self.case.operands[i] for i in self.case.wrt]
        parts = [self.v, self.w] + [[values[i] for i in case.wrt]
                                    for values in (self.moved(STEP), self.moved(-STEP))]
        return (case.operands + [Operand(u, "f64", self.case.dynamic and i not in case.static_results)
                                 for i, u in zip(self.float_results, self.u, strict=True)]
                + [Operand(values, "f64", operand.dynamic)
                   for part in parts for operand, values in zip(directions, part, strict=True)])

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
        # Of no elements a maximum is infinite on both sides.
        with np.errstate(invalid="ignore"):
            return [np.where(sides[0][i] == sides[1][i], 0, sides[0][i] - sides[1][i]).astype(np.float64) / (2 * STEP)
                    for i in self.float_results]


# ----------------------------------------------------------------- modules


def run_reference(items, folder):
    """Resolves and interprets the functions of all items."""
    source, resolved, out = folder / "in.mlir", folder / "module.mlir", folder / "out"
    source.write_text("\n".join(item.text() for item in items))
    for item in items:
        for name, arrays in item.inputs().items():
            for i, array in enumerate(arrays):
                np.save(folder / f"{name}.{i}.npy", array)
    engines.run_tool("ms-opt", "--mindir-autodiff-pipeline", source, "-o", resolved)
    engines.run_module(resolved, folder, out)

    def read(name, count):
        return [np.load(out / f"{name}.{i}.npy") for i in range(count)]
    return read


def run_compiled(items, _):
    """Compiles the functions of all items as one module, and runs it."""
    calls = [call for item in items for call in item.calls()]
    text = engines.joined([item.text() for item in items], calls)
    executable = core.compile(text, options={"cache_dir": None})
    given = [array for item in items for _, arrays in item.inputs().items() for array in arrays]
    outputs = iter(executable([engines.to_array(core, array, "f64") for array in given]))
    found = {name: [np.array(next(outputs).numpy()) for _ in results] for name, _, results in calls}
    return lambda name, count: found[name][:count]


# ------------------------------------------------------------------ Python

DERIVATIVES = ("jvp", "vjp", "plus", "minus", "jvp_vjp", "vjp_vjp")


def _packed(value):
    return value if isinstance(value, tuple) else (value,)


def derivatives(op, item):
    """A function that takes `item.arguments()` and gives, per name of DERIVATIVES, results.

    op: takes and gives a tuple of tensors.
    """
    wrt, chosen = item.case.wrt, tuple(item.float_results)
    count, pulled, moved_count = len(item.primals), len(chosen), len(wrt)

    def every(inputs):
        x, u, rest = inputs[:count], inputs[count:count + pulled], inputs[count + pulled:]
        v, w, plus, minus = [rest[i * moved_count:(i + 1) * moved_count] for i in range(4)]

        def function(*moved):
            given = list(x)
            for i, value in zip(wrt, moved):
                given[i] = value
            results = op(tuple(given))
            return tuple([results[i] for i in chosen])

        def pull(*moved):
            _, pullback = ms.vjp(function, *moved)
            return _packed(pullback(*u))

        at = tuple([x[i] for i in wrt])
        _, pullback = ms.vjp(pull, *at)
        return (_packed(ms.jvp(function, at, v)[1]), pull(*at), pull(*plus), pull(*minus),
                _packed(ms.jvp(pull, at, v)[1]), _packed(pullback(*w)))
    return every


def _tensors(item):
    return tuple(wrap(engines.to_array(core, operand.values, operand.element)) for operand in item.arguments())


def _reader(items, results):
    """The reader of what `derivatives` gave for each item."""
    found = {f"{item.name}_{name}": values for item, given in zip(items, results, strict=True)
             for name, values in zip(DERIVATIVES, given, strict=True)}
    return lambda name, count: [value.asnumpy() for value in found[name][:count]]


def run_eager(items, _):
    """Takes the derivatives of each item in eager mode."""
    results = []
    for item in items:
        module = ModuleCallable(item.case.function(item.name), item.name)
        every = derivatives(lambda given, module=module: call(module, list(given)), item)
        results.append(every(_tensors(item)))
    return _reader(items, results)


def run_jit(items, _):
    """Takes the derivatives of all items in one jitted function."""
    functions = tuple([derivatives(op, item) for op, item in zip(captured.ops_of([item.case for item in items]), items)])

    def every(inputs):
        return [function(given) for function, given in zip(functions, inputs)]

    jitted = captured.jitted(every, [item.arguments() for item in items])
    return _reader(items, jitted(tuple(map(_tensors, items))))


ENGINES = {"reference": run_reference, "compiled": run_compiled, "eager": run_eager, "jit": run_jit}
