"""Conversions round once: of values that lie so near to the middle of two neighbours
that rounding to a wider type first gives the other neighbour."""

import numpy as np
import pytest

import mindir as ms
from mindir import Tensor
from mindir._native import core
from oracle import captured, dtypes, engines
from oracle.case import Case, Operand

_INTEGER = [sign * ((1 << top) + (1 << top - 8) + step)
            for top in (25, 30, 40, 53, 54, 61, 62) for step in (-1, 0, 1) for sign in (1, -1)]
_FLOAT = np.array([1 + 2.0**-8 + 2.0**-30, 1 + 2.0**-8 - 2.0**-40, 1 + 2.0**-8, 1 + 3 * 2.0**-8 - 2.0**-30,
                   2.0**-134 + 2.0**-180, 2.0**-134, 3 * 2.0**-134 - 2.0**-180, 2.0**-126 * (1 - 2.0**-8 + 2.0**-40),
                   dtypes.GREATEST["bf16"] + 2.0**119 - 2.0**80, dtypes.GREATEST["bf16"] + 2.0**119,
                   1e300, 1e-300, 0.0, np.inf, np.nan, 1 + 2.0**-11 + 2.0**-40, 2.0**-25 + 2.0**-60, 65520 - 2.0**-20])
VALUES = {
    "i64": np.array(_INTEGER + [2**63 - 1, -2**63, 0], np.int64),
    "i32": np.array([v for v in _INTEGER if abs(v) < 2**31], np.int32),
    "ui64": np.array([v for v in _INTEGER if v >= 0] + [2**63 + 2**55 + 1, 2**64 - 1], np.uint64),
    "ui32": np.array([v for v in _INTEGER if 0 <= v < 2**32] + [2**31 + 2**23 + 1], np.uint32),
    "f64": np.concatenate([_FLOAT, -_FLOAT]),
}
TARGETS = ["bf16", "f16", "f32"]


def expected(source, target):
    return dtypes.round_to(VALUES[source].astype(np.longdouble), target)


def cast_case(source, target):
    x = Operand(VALUES[source], source)
    case = Case("mindir.cast", "", [x], [(x.values.shape, target)], lambda a: a)
    case.body = f"%r0 = mindir.cast %a0 : {x.type} -> {case.result_types[0]}"
    return case


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("source", sorted(VALUES))
@pytest.mark.parametrize("engine", ["reference", "compiled", "jit"])
def test_cast_rounds_once(engine, source, target, tmp_path):
    run = {"reference": lambda cases: engines.run_reference(cases, tmp_path),
           "compiled": lambda cases: engines.run_compiled(core, cases), "jit": captured.run_jit}[engine]
    np.testing.assert_array_equal(run([cast_case(source, target)])[0][0], expected(source, target))


@pytest.mark.parametrize("source", sorted(VALUES))
def test_tensors_of_bfloat16_round_once(source):
    found = [Tensor(VALUES[source], ms.bfloat16).asnumpy(), Tensor(VALUES[source]).astype(ms.bfloat16).asnumpy()]
    for values in found:
        np.testing.assert_array_equal(values, expected(source, "bf16"))


def test_constants_of_bfloat16_round_once():
    builder = core.Builder()
    builder.begin_function("main", [])
    builder.end_function([builder.constant(VALUES["f64"], "bfloat16"), builder.constant(float(_FLOAT[0]), "bfloat16")])
    values, scalar = core.compile(builder, options={"cache_dir": None})([])
    np.testing.assert_array_equal(engines.from_array(values, "bf16"), expected("f64", "bf16"))
    assert engines.from_array(scalar, "bf16") == expected("f64", "bf16")[0]
