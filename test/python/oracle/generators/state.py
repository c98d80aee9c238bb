"""Constants, generator state, and the parting of values from their gradient."""

import numpy as np

from oracle import dtypes
from oracle.case import Case
from oracle.registry import generator


@generator("constant")
def constant(draw):
    element = draw.element(dtypes.ALL)
    values = draw.values(draw.shape(max_rank=2), element)
    raw = _bytes(values, element)
    case = Case("mindir.constant", "", [], [(values.shape, element)], lambda: values)
    text = f'"0x{raw.hex().upper()}"' if values.size else ""
    case.body = f"%r0 = mindir.constant dense<{text}> : {case.result_types[0]}"
    return case


def _bytes(values, element):
    if element == "i1":
        # Bools are packed into bits, but one alone, or a splat, is a byte of ones.
        if np.all(values) or not np.any(values):
            return b"\xff" if np.all(values) else b"\x00"
        return np.packbits(values.ravel(), bitorder="little").tobytes()
    return dtypes.to_file_array(values, element).tobytes()


@generator("seed_state")
def seed_state(draw):
    seed = draw.integer(-2**63, 2**63 - 1)
    return Case("mindir.seed_state", f"%r0 = mindir.seed_state {seed}", [], [((2,), "ui64")],
                lambda: np.array([seed % 2**64, 0], np.uint64))


@generator("stop_gradient")
def stop_gradient(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(), element)
    return Case("mindir.stop_gradient", f"%r0 = mindir.stop_gradient %a0 : {x.type}", [x],
                [(x.values.shape, element)], lambda a: a, "exact", draw.dynamic)
