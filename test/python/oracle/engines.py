"""Ways to run cases: each gives, for a list of cases, the lists of result arrays.

A batch of cases is one module with one function each, so that starting an engine
costs once.
"""

import os
import pathlib
import subprocess

import numpy as np

from oracle import dtypes

ROOT = pathlib.Path(__file__).resolve().parents[3]


def tool(name):
    """A program of the build: of $MINDIR_BUILD_DIR, else of build/."""
    build = pathlib.Path(os.environ.get("MINDIR_BUILD_DIR", ROOT / "build"))
    return str(build / "bin" / name)


def module_of(cases):
    return "\n".join(case.function(f"case_{i}") for i, case in enumerate(cases))


def _run(arguments, **options):
    result = subprocess.run(arguments, capture_output=True, text=True, **options)
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
    _run([tool("ms-run"), "--reference", "--every-function", str(file),
          f"--input-directory={inputs}", f"--output-directory={outputs}"])


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
