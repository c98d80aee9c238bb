"""Compiled code against numpy, op by op, on the reference's cases."""

import importlib

import pytest

from oracle import engines, registry
from oracle.test_reference import check, draw_cases

GENERATORS = registry.load()
# Defects of the lowering that the cases found. An op that passes is to be taken out.
DEFECTS = {
    "mindir.dynamic_slice": "an empty block gives an extract_slice out of bounds",
    "mindir.expm1": "f64 is off by more than 4 units in the last place near -0.02",
    "mindir.log1p": "bf16: a subnormal gives zero",
    "mindir.random_normal": "f32: the angle is rounded before its cosine is taken",
    "mindir.slice": "an empty slice gives an extract_slice out of bounds",
}
FAST_CASES, SLOW_CASES = 12, 1000
BATCH = 12


@pytest.fixture(scope="module")
def core():
    return importlib.import_module("mindir._core")


@pytest.mark.parametrize("op", sorted(GENERATORS))
def test_compiled_agrees_with_numpy(op, core, request):
    if op in DEFECTS:
        request.applymarker(pytest.mark.xfail(reason=DEFECTS[op], strict=True))
    cases = draw_cases(op, SLOW_CASES if request.config.getoption("--slow") else FAST_CASES)
    for start in range(0, len(cases), BATCH):
        batch = cases[start:start + BATCH]
        for case, results in zip(batch, engines.run_compiled(core, batch), strict=True):
            check(case, results, "compiled")
