"""Ways to run cases: each gives, for a list of cases, the lists of result arrays.

A batch of cases is one module with one function each, so that starting an engine
costs once.
"""

import os
import pathlib
import subprocess

import numpy as np

from mindir.runtime.callable import ModuleCallable, call
from mindir.tensor import wrap
from oracle import dtypes

ROOT = pathlib.Path(__file__).resolve().parents[3]


def tool(name):
    """A program of the build: of $MINDIR_BUILD_DIR, else of build/."""
    build = pathlib.Path(os.environ.get("MINDIR_BUILD_DIR", ROOT / "build"))
    return str(build / "bin" / name)


def module_of(cases):
    return "\n".join(case.function(f"case_{i}") for i, case in enumerate(cases))


def run_tool(name, *arguments, **options):
    """Runs a program of the build; gives what it prints."""
    result = subprocess.run([tool(name), *map(str, arguments)], capture_output=True, text=True, **options)
    assert result.returncode == 0, result.stderr[-4000:]
    return result.stdout


def write_inputs(functions, folder):
    """Writes `<function>.<i>.npy` for (function name, operands) pairs."""
    for name, operands in functions:
        for i, operand in enumerate(operands):
            np.save(folder / f"{name}.{i}.npy",
                    dtypes.to_file_array(operand.values, operand.element))


def read_results(name, elements, folder):
    return [dtypes.from_file_array(np.load(folder / f"{name}.{i}.npy"), element)
            for i, element in enumerate(elements)]


def run_module(file, inputs, outputs):
    """Interprets every public function of a file."""
    run_tool("ms-run", "--reference", "--every-function", file,
             f"--input-directory={inputs}", f"--output-directory={outputs}")


def run_reference(cases, folder):
    """Runs each case by the reference interpreter."""
    (folder / "module.mlir").write_text(module_of(cases))
    write_inputs([(f"case_{i}", case.operands) for i, case in enumerate(cases)], folder)
    out = folder / "out"
    run_module(folder / "module.mlir", folder, out)
    return [read_results(f"case_{i}", [element for _, element in case.results], out)
            for i, case in enumerate(cases)]


def run_numpy(case):
    """The results and the scales of a case, wide."""
    exact = case.kind == "exact"
    arrays = [dtypes.widen(operand.values, operand.element, exact_arithmetic=exact)
              for operand in case.operands]
    with np.errstate(all="ignore"):
        results = case.expected(*arrays)
        scales = case.scales(*arrays) if case.scales else [None] * len(case.results)
    return results if isinstance(results, tuple) else (results,), scales


# ---------------------------------------------------------------- compiled

DTYPES = {"i1": "bool", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64",
          "ui8": "uint8", "ui16": "uint16", "ui32": "uint32", "ui64": "uint64",
          "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64"}


def to_array(core, values, element):
    """A `_core.Array` of these values."""
    if element != "bf16":
        return core.Array.from_numpy(np.ascontiguousarray(values).reshape(np.shape(values)))
    array = core.Array.empty("bfloat16", list(values.shape))
    array.numpy().view(np.uint16)[...] = to_bits(values)
    return array


def to_bits(values):
    return (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def from_array(array, element):
    values = np.array(array.numpy())
    if element != "bf16":
        return values
    bits = values.view(np.uint16).astype(np.uint32) << 16
    return bits.view(np.float32).reshape(values.shape)


def joined(functions, calls):
    """One module whose @main takes the operands of all calls and gives all results, so
    that many functions cost one compilation.

    functions: texts of public functions; calls: (function, operand types, result types).
    """
    parts = [text.replace("func.func @", "func.func private @") for text in functions]
    arguments, body, results, types = [], [], [], []
    for n, (name, operand_types, result_types) in enumerate(calls):
        names = [f"%c{n}_{i}" for i in range(len(operand_types))]
        arguments += [f"{argument}: {kind}" for argument, kind in zip(names, operand_types)]
        body.append(f"  %r{n}:{len(result_types)} = func.call @{name}({', '.join(names)}) : "
                    f"({', '.join(operand_types)}) -> ({', '.join(result_types)})")
        results += [f"%r{n}#{i}" for i in range(len(result_types))]
        types += result_types
    parts.append(f"func.func @main({', '.join(arguments)}) -> ({', '.join(types)}) {{\n"
                 + "\n".join(body) + f"\n  return {', '.join(results)} : {', '.join(types)}\n}}\n")
    return "\n".join(parts)


def run_compiled(core, cases):
    """Compiles the cases as one module, and runs it."""
    text = joined([case.function(f"case_{n}") for n, case in enumerate(cases)],
                  [(f"case_{n}", [operand.type for operand in case.operands], case.result_types)
                   for n, case in enumerate(cases)])
    executable = core.compile(text, options={"cache_dir": None})
    arrays = [to_array(core, operand.values, operand.element)
              for case in cases for operand in case.operands]
    outputs = iter(executable(arrays))
    return [[from_array(next(outputs), element) for _, element in case.results]
            for case in cases]


# ---------------------------------------------------------------- eager


def spread(array):
    """The same values where each element is followed by one of another tensor."""
    shape = list(array.shape)
    wide = type(array).empty(array.dtype, [*shape, 2])
    strides = [int(np.prod(shape[i + 1:], dtype=int)) * 2 for i in range(len(shape))]
    view = wide.view(0, shape, strides)
    view.assign(array)
    return view


def run_eager(core, case, strided=False):
    """Calls the case as an eager op is called."""
    arrays = [to_array(core, operand.values, operand.element) for operand in case.operands]
    if strided:
        arrays = [spread(array) for array in arrays]
    results = call(ModuleCallable(case.function("main"), "main"), [wrap(array) for array in arrays])
    return [from_array(result._array, element) for result, (_, element) in zip(results, case.results, strict=True)]
