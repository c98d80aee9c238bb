"""How far a result may lie from numpy's, per class of op, element type and engine.

A tolerance is `(ulps, accumulation)`: the error of an element is at most `ulps`
units in the last place of the expected value, plus `accumulation` units of the
type's relative precision times the sum of magnitudes that went into the element.
NaNs and infinities must agree exactly.
"""

import numpy as np

from oracle import dtypes

# exact: no arithmetic, or arithmetic whose result is exact or rounded once.
# elementary: functions of the math library; the reference computes them wider than
#   it rounds, compiled code approximates.
# accumulation: sums of products, whose order compiled code may change.
# random: distributions made of elementary functions.
TOLERANCE = {
    "reference": {
        "exact": {element: (0, 0) for element in dtypes.FLOATS},
        # numpy and libm disagree in the last bit of what both compute wide.
        "elementary": {"f16": (1, 0), "bf16": (1, 0), "f32": (1, 0), "f64": (1, 0)},
        # Both sum wide, in their own order.
        "accumulation": {"f16": (1, 2**-30), "bf16": (1, 2**-30), "f32": (1, 2**-20),
                         "f64": (1, 0.01)},
    },
    "compiled": {
        "exact": {element: (0, 0) for element in dtypes.FLOATS},
        "elementary": {"f16": (1, 0), "bf16": (1, 0), "f32": (4, 0), "f64": (4, 0)},
        "accumulation": {"f16": (1, 4), "bf16": (1, 4), "f32": (2, 16), "f64": (2, 16)},
    },
}

# Compiled code sums in the type itself, in f32 for half floats, which may overflow on
# the way to a finite result: from this sum of magnitudes on, divided by a count or not.
_OVERFLOW = {element: dtypes.GREATEST["f64" if element == "f64" else "f32"] / 16
             for element in dtypes.FLOATS}

# Gradients in f64 against finite differences of numpy's formula.
GRADIENT_RELATIVE = 1e-5
GRADIENT_ABSOLUTE = 1e-7


def mismatch(actual, expected, scale, element, kind, engine):
    """What is wrong with an array, as text; None if nothing is.

    `expected` and `scale` are wide; `expected` is rounded here.
    """
    expected = dtypes.round_to(expected, element)
    if actual.shape != expected.shape:
        return f"expected shape {expected.shape}, got {actual.shape}"
    if not dtypes.is_float(element):
        wrong = actual != expected
    else:
        ulps, accumulation = TOLERANCE[engine][kind][element]
        bound = ulps * dtypes.ulp(expected, element)
        if scale is not None:
            precision, _ = dtypes.PRECISION[element]
            scale = np.nan_to_num(np.asarray(scale, np.longdouble), nan=0, posinf=0)
            bound = bound + accumulation * 2.0**-precision * scale
        with np.errstate(all="ignore"):
            wide = actual.astype(np.longdouble)
            target = expected.astype(np.longdouble)
            close = np.abs(wide - target) <= bound
            # One rounding decides between the greatest value and infinity.
            greatest = np.longdouble(dtypes.GREATEST[element])
            edge = (np.abs(wide) >= greatest) & (np.abs(target) >= greatest)
            edge &= (np.sign(wide) == np.sign(target)) & (ulps > 0)
            if scale is not None and engine != "reference":
                edge |= (scale >= _OVERFLOW[element]) & ~np.isfinite(wide)
        wrong = ~(close | edge | (wide == target) | (np.isnan(wide) & np.isnan(target)))
    if not np.any(wrong):
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0]) if wrong.ndim else ()
    return (f"{np.sum(wrong)} of {wrong.size} elements differ; at {place} "
            f"expected {expected[place]!r}, got {actual[place]!r}")
