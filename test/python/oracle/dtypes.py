"""Element types of the dialect as numpy arrays.

numpy has no bfloat16: such an array is float32 here, holding only values that
bfloat16 can, and two raw bytes an element in a file.
"""

import numpy as np

NUMPY = {
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8), "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32), "i64": np.dtype(np.int64),
    "ui8": np.dtype(np.uint8), "ui16": np.dtype(np.uint16),
    "ui32": np.dtype(np.uint32), "ui64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16), "bf16": np.dtype(np.float32),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
}
FLOATS = ["f16", "bf16", "f32", "f64"]
SIGNED = ["i8", "i16", "i32", "i64"]
UNSIGNED = ["ui8", "ui16", "ui32", "ui64"]
INTEGERS = SIGNED + UNSIGNED
NUMERIC = INTEGERS + FLOATS
INTEGRAL = ["i1"] + INTEGERS
ALL = ["i1"] + NUMERIC

# Bits of the significand, and the exponent of the least normal value.
PRECISION = {"f16": (11, -14), "bf16": (8, -126), "f32": (24, -126), "f64": (53, -1022)}
GREATEST = {"f16": 65504.0, "bf16": 3.3895313892515355e38,
            "f32": float(np.finfo(np.float32).max), "f64": float(np.finfo(np.float64).max)}


def is_float(element):
    return element in PRECISION


def round_to(values, element):
    """The nearest values of an element type, as its numpy array.

    Floats round to nearest, ties to even; integers wrap. numpy would round to f16 by
    way of f32.
    """
    values = np.asarray(values)
    if element not in ("f16", "bf16"):
        with np.errstate(all="ignore"):
            return values.astype(NUMPY[element])
    wide = values.astype(np.longdouble)
    precision, least = PRECISION[element]
    with np.errstate(all="ignore"):
        _, exponent = np.frexp(wide)
        exponent = np.maximum(exponent - 1, least)
        quantum = np.ldexp(np.longdouble(1), exponent - precision + 1)
        rounded = np.where(np.isfinite(wide), np.rint(wide / quantum) * quantum, wide)
        rounded = np.where(np.abs(rounded) > GREATEST[element],
                           np.copysign(np.inf, rounded), rounded)
        rounded = np.where(np.isnan(wide), np.nan, rounded)
        return rounded.astype(NUMPY[element])


def widen(values, element, *, exact_arithmetic=False):
    """Values to compute on: float64, or the long double for f64.

    With `exact_arithmetic` f64 stays as it is: then + - * / and sqrt are rounded
    once, as the op is.
    """
    if not is_float(element):
        return values
    if element == "f64" and not exact_arithmetic:
        return values.astype(np.longdouble)
    return values.astype(np.float64)


def ulp(values, element):
    """The distance between neighbours of the type at each value."""
    precision, least = PRECISION[element]
    wide = np.abs(np.asarray(values, np.longdouble))
    finite = np.where(np.isfinite(wide), wide, 1)
    _, exponent = np.frexp(finite)
    exponent = np.maximum(np.where(finite == 0, least, exponent - 1), least)
    return np.ldexp(np.longdouble(1), exponent - precision + 1)


def to_file_array(values, element):
    """The array whose .npy file ms-run reads as this element type."""
    values = np.ascontiguousarray(values).reshape(np.shape(values))
    if element != "bf16":
        return values.astype(NUMPY[element])
    bits = values.astype(np.float32).view(np.uint32) >> 16
    return bits.astype("<u2").view("V2")


def from_file_array(values, element):
    if element != "bf16":
        return values
    bits = values.view("<u2").astype(np.uint32) << 16
    return bits.view(np.float32).reshape(values.shape)
