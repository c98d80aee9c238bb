"""Compiled code, eager calls and jitted functions against numpy, op by op, on the reference's cases."""

import importlib

import pytest

from oracle import captured, engines, registry
from oracle.counts import count_of
from oracle.test_reference import check, draw_cases

GENERATORS = registry.load()
FAST_CASES, FAST_EAGER_CASES, FAST_JIT_CASES, SLOW_CASES = 12, 3, 4, 1000
BATCH = 12


@pytest.fixture(scope="module")
def core():
    return importlib.import_module("mindir._core")


@pytest.mark.parametrize("op", sorted(GENERATORS))
def test_compiled_agrees_with_numpy(op, core, request):
    cases = draw_cases(op, count_of(request, FAST_CASES, SLOW_CASES))
    for start in range(0, len(cases), BATCH):
        batch = cases[start:start + BATCH]
        for case, results in zip(batch, engines.run_compiled(core, batch), strict=True):
            check(case, results, "compiled")


@pytest.mark.parametrize("op", sorted(GENERATORS))
def test_eager_agrees_with_numpy(op, core, request):
    """Of operands that are not contiguous, every other case."""
    cases = draw_cases(op, count_of(request, FAST_EAGER_CASES, SLOW_CASES))
    for number, case in enumerate(cases):
        check(case, engines.run_eager(core, case, strided=number % 2 == 0), "compiled")


@pytest.mark.parametrize("op", sorted(GENERATORS))
def test_jit_agrees_with_numpy(op, request):
    cases = draw_cases(op, count_of(request, FAST_JIT_CASES, SLOW_CASES), captured=True)
    for start in range(0, len(cases), BATCH):
        batch = cases[start:start + BATCH]
        for case, results in zip(batch, captured.run_jit(batch), strict=True):
            check(case, results, "compiled")
