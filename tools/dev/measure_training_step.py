#!/usr/bin/env python3
"""Times experiment A1: a training step against the sum of its convolutions alone.

    tools/dev/measure_training_step.py [--threads N] [--runs N]

The step is test/Integration/training-step.mlir at 8x28x28x64 with 3x3 convolutions. Its
five convolutions, taken from the step's own IR, are compiled one by one; step and
convolutions run in turn, and the medians are compared. With one thread the time is that
thread's CPU time, which other work on the machine disturbs least; with more it is wall
time. Prints the ratio, the compile time, and what the runtime's allocator was asked for.
Needs build/bin/ms-opt and the built extension `mindir._core`.
"""

import argparse
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = ROOT / "test/Integration/training-step.mlir"


def full_size(text):
    """The step with 8 images of 28x28 and 64 channels instead of its test's sizes."""
    for old, new in (("2x6x6x8x", "8x28x28x64x"), ("8x8x3x3x", "64x64x3x3x"),
                     ("tensor<8xf32>", "tensor<64xf32>"),
                     ("dense<576.0>", f"dense<{8 * 28 * 28 * 64}.0>")):
        text = text.replace(old, new)
    return "\n".join(line for line in text.splitlines() if not line.startswith("//"))


def convolutions(step):
    """One module for each convolution that the differentiated step holds."""
    result = subprocess.run([ROOT / "build/bin/ms-opt", "-",
                             "--mindir-cpu-pipeline=compile-to=decompose"],
                            input=step, capture_output=True, text=True, check=True)
    modules = []
    for op, attributes, lhs, rhs, out in re.findall(
            r"(mindir\.conv2d\w*) %\S+, %\S+ (\{.*?\}) : (\S+), (\S+) -> (\S+)",
            result.stdout):
        modules.append(
            f"func.func @main(%a: {lhs}, %b: {rhs}) -> {out} {{\n"
            f"  %r = {op} %a, %b {attributes} : {lhs}, {rhs} -> {out}\n"
            f"  return %r : {out}\n}}\n")
    return modules


def arguments(executable, rng):
    """Random arrays of an executable's argument types, around zero."""
    from mindir._core import Array
    return [Array.from_numpy((rng.standard_normal(shape) * 0.1).astype(dtype))
            for dtype, shape in executable.argument_types]


def measure(executables, runs, clock):
    """The median seconds of each executable, run in turn."""
    rng = np.random.default_rng(0)
    inputs = [arguments(run, rng) for run in executables]
    times = [[] for _ in executables]
    for _ in range(runs + 3):
        for run, values, list_ in zip(executables, inputs, times):
            start = clock()
            run(values)
            list_.append(clock() - start)
    return [statistics.median(list_[3:]) for list_ in times]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=60)
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "python"))
    # An empty cache, so that compiling is timed.
    cache = tempfile.TemporaryDirectory()
    os.environ["MINDIR_CACHE_DIR"] = cache.name
    from mindir import _core
    _core.set_num_threads(options.threads)
    step_text = full_size(PROGRAM.read_text())
    start = time.process_time()
    step = _core.compile(step_text)
    compiling = time.process_time() - start
    parts = [_core.compile(text) for text in convolutions(step_text)]
    clock = time.thread_time if options.threads == 1 else time.perf_counter
    whole, *alone = measure([step, *parts], options.runs, clock)
    values = arguments(step, np.random.default_rng(1))
    before = _core.statistics()
    for _ in range(10):
        step(values)
    after = _core.statistics()
    kind = "CPU" if options.threads == 1 else "wall"
    print(f"threads {options.threads}, median {kind} ms of {options.runs} runs")
    print(f"step           {whole * 1e3:8.2f}")
    print(f"convolutions   {sum(alone) * 1e3:8.2f}  =",
          " + ".join(f"{t * 1e3:.2f}" for t in alone))
    print(f"ratio          {whole / sum(alone):8.3f}")
    print(f"compile        {compiling:8.2f} s of CPU")
    for name in ("system_allocations", "pool_allocations"):
        print(f"{name} a step: {(after[name] - before[name]) / 10}")


if __name__ == "__main__":
    main()
