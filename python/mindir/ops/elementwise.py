"""Elementwise ops: arithmetic, functions of one number, logic, comparison, selection, conversion.

Operands are Tensors or Python numbers; they are promoted and broadcast by
MindSpore's rules (`_promotion`). Unless a docstring says otherwise the result
has the common shape and dtype; TypeError names a dtype that the op does not
take, ValueError shapes that do not broadcast. Floats follow IEEE 754.
"""

import math

from .. import dtype as _dtype
from ._promotion import (broadcast, broadcast_shapes, cast as _cast, floating, require_kind,
                         result_dtype, same_operands, to_value, weak_kind)
from .emitter import constant, emit
from .primitive import primitive

_NUMERIC = ("int", "uint", "float")
_INTEGRAL = ("bool", "int", "uint")


def _kind(x):
    return _dtype.BY_NAME[x.dtype].kind


def _unary(name, doc, op=None):
    """An op on floats; integers and bools are converted to float32 first."""
    op = op or name

    def body(input):
        return emit(op, [floating(input)])
    body.__name__ = body.__qualname__ = name
    body.__doc__ = doc + "\n\n    Integers and bools are computed in float32.\n    "
    return primitive(body)


exp = _unary("exp", "`e^input`, elementwise.")
expm1 = _unary("expm1", "`e^input - 1`, exact near zero.")
log = _unary("log", "Natural logarithm; NaN of negatives, -inf of zero.")
log1p = _unary("log1p", "`ln(1 + input)`, exact near zero.")
sqrt = _unary("sqrt", "Square root; NaN of negatives.")
rsqrt = _unary("rsqrt", "`1 / sqrt(input)`.")
sin = _unary("sin", "Sine of radians.")
cos = _unary("cos", "Cosine of radians.")
tanh = _unary("tanh", "Hyperbolic tangent.")
erf = _unary("erf", "Error function.")
sigmoid = _unary("sigmoid", "Logistic function `1 / (1 + e^-input)`.")


def _rounding(name, doc):
    def body(input):
        x = to_value(input)
        return emit(name, [x]) if _kind(x) == "float" else x
    body.__name__ = body.__qualname__ = name
    body.__doc__ = doc + " Integers are returned as they are."
    return primitive(body)


ceil = _rounding("ceil", "Least integer not below, as the input's dtype.")
floor = _rounding("floor", "Greatest integer not above, as the input's dtype.")
round = _rounding("round", "Nearest integer, ties to even, as the input's dtype.")


@primitive
def trunc(input):
    """The integer part: towards zero, as the input's dtype."""
    x = to_value(input)
    if _kind(x) != "float":
        return x
    return select(less(x, 0), ceil(x), floor(x))


@primitive
def abs(input):
    """`|input|`; of the least integer, itself. Bools are returned as they are."""
    x = to_value(input)
    return x if x.dtype == "bool" else emit("abs", [x])


@primitive
def neg(input):
    """`-input`; integers wrap. TypeError for bool."""
    x = to_value(input)
    require_kind("Neg", x, _NUMERIC, "a number tensor")
    return emit("neg", [x])


@primitive
def sign(input):
    """-1, 0 or 1; NaN of NaN."""
    x = to_value(input)
    require_kind("Sign", x, _NUMERIC, "a number tensor")
    return emit("sign", [x])


@primitive
def square(input):
    """`input * input`."""
    x = to_value(input)
    return emit("mul", [x, x])


@primitive
def tan(input):
    """Tangent of radians, as `sin / cos`."""
    x = floating(input)
    return emit("div", [emit("sin", [x]), emit("cos", [x])])


@primitive
def sinh(input):
    """Hyperbolic sine, `(e^x - e^-x) / 2` by expm1, exact near zero."""
    e = emit("expm1", [floating(input)])
    return mul(add(e, div(e, add(e, 1))), 0.5)


@primitive
def cosh(input):
    """Hyperbolic cosine, `(e^x + e^-x) / 2`."""
    x = floating(input)
    return mul(add(emit("exp", [x]), emit("exp", [emit("neg", [x])])), 0.5)


@primitive
def reciprocal(input):
    """`1 / input`, of floats; integers are computed in float32."""
    return div(1, floating(input))


inverse = inv = reciprocal


# --- two operands -------------------------------------------------------------


@primitive(scalars=("input", "other"))
def add(input, other):
    """`input + other`; of two bools their disjunction; integers wrap."""
    x, y = same_operands("Add", input, other)
    return emit("or" if x.dtype == "bool" else "add", [x, y])


@primitive(scalars=("input", "other"))
def sub(input, other):
    """`input - other`; integers wrap. TypeError for two bools."""
    x, y = same_operands("Sub", input, other)
    require_kind("Sub", x, _NUMERIC, "a number tensor")
    return emit("sub", [x, y])


@primitive(scalars=("input", "other"))
def mul(input, other):
    """`input * other`; of two bools their conjunction; integers wrap."""
    x, y = same_operands("Mul", input, other)
    return emit("and" if x.dtype == "bool" else "mul", [x, y])


@primitive(scalars=("input", "other"))
def div(input, other, rounding_mode=None):
    """`input / other`.

    Integers give float32, unless `rounding_mode` is "floor" (rounded down) or
    "trunc" (towards zero), which keep the dtype. ValueError for another mode.
    """
    if rounding_mode == "floor":
        return floor_div(input, other)
    if rounding_mode not in (None, "trunc"):
        raise ValueError("For 'Div', expected rounding_mode None, 'floor' or 'trunc', "
                         f"found {rounding_mode!r}.")
    common = result_dtype(input, other)
    dtype = common if _dtype.BY_NAME[common].kind == "float" else "float32"
    x, y = same_operands("Div", input, other, dtype=dtype)
    result = emit("div", [x, y])
    return result if rounding_mode is None else _cast(trunc(result), common)


true_divide = divide = div


@primitive(scalars=("input", "other"))
def floor_div(input, other):
    """`floor(input / other)` in the common dtype; of an integer by zero, zero."""
    x, y = same_operands("FloorDiv", input, other)
    require_kind("FloorDiv", x, _NUMERIC, "a number tensor")
    return emit("floor_div", [x, y])


@primitive(scalars=("input", "other"))
def floor_mod(input, other):
    """The remainder with the divisor's sign; of an integer by zero, zero."""
    x, y = same_operands("FloorMod", input, other)
    require_kind("FloorMod", x, _NUMERIC, "a number tensor")
    return emit("floor_mod", [x, y])


remainder = floor_mod


@primitive
def pow(input, exponent):
    """`input ^ exponent`; a negative integer exponent truncates. Bools count as int64."""
    dtype = result_dtype(input, exponent)
    x, y = same_operands("Pow", input, exponent, dtype="int64" if dtype == "bool" else dtype)
    return emit("pow", [x, y])


@primitive(scalars=("input", "other"))
def maximum(input, other):
    """The greater of two; NaN when either is."""
    x, y = same_operands("Maximum", input, other)
    return emit("or" if x.dtype == "bool" else "maximum", [x, y])


@primitive(scalars=("input", "other"))
def minimum(input, other):
    """The less of two; NaN when either is."""
    x, y = same_operands("Minimum", input, other)
    return emit("and" if x.dtype == "bool" else "minimum", [x, y])


def _bitwise(name, op, title):
    def body(input, other):
        x, y = same_operands(title, input, other)
        require_kind(title, x, _INTEGRAL, "an integer or bool tensor")
        return emit(op, [x, y])
    body.__name__ = body.__qualname__ = name
    body.__doc__ = f"Bitwise {op} of integers, logical of bools. TypeError for floats."
    return primitive(body, scalars=("input", "other"))


bitwise_and = _bitwise("bitwise_and", "and", "BitwiseAnd")
bitwise_or = _bitwise("bitwise_or", "or", "BitwiseOr")
bitwise_xor = _bitwise("bitwise_xor", "xor", "BitwiseXor")


@primitive
def bitwise_not(input):
    """Bitwise complement of integers, logical of bools. TypeError for floats."""
    x = to_value(input)
    require_kind("Invert", x, _INTEGRAL, "an integer or bool tensor")
    return emit("not", [x])


def _logical(name, op):
    def body(input, other):
        x, y = same_operands(name, to_bool(input), to_bool(other))
        return emit(op, [x, y])
    body.__name__ = body.__qualname__ = name
    body.__doc__ = f"Logical {op} of whether each is not zero, as bool."
    return primitive(body, scalars=("input", "other"))


def to_bool(x):
    """Whether each element is not zero, as a bool Value."""
    return _cast(to_value(x), "bool")


logical_and = _logical("logical_and", "and")
logical_or = _logical("logical_or", "or")
logical_xor = _logical("logical_xor", "xor")


@primitive
def logical_not(input):
    """Whether each element is zero, as bool."""
    return emit("not", [to_bool(input)])


# --- comparison ---------------------------------------------------------------


def _comparison(name, predicate, title, text):
    def body(input, other):
        x, y = same_operands(title, input, other)
        return emit("compare", [x, y], {"predicate": predicate})
    body.__name__ = body.__qualname__ = name
    body.__doc__ = f"`input {text} other` as bool; NaN is unequal and unordered."
    return primitive(body, scalars=("input", "other"))


equal = eq = _comparison("equal", "eq", "Equal", "==")
not_equal = ne = _comparison("not_equal", "ne", "NotEqual", "!=")
less = lt = _comparison("less", "lt", "Less", "<")
less_equal = le = _comparison("less_equal", "le", "LessEqual", "<=")
greater = gt = _comparison("greater", "gt", "Greater", ">")
greater_equal = ge = _comparison("greater_equal", "ge", "GreaterEqual", ">=")


@primitive
def isnan(input):
    """Whether each element is NaN, as bool."""
    x = to_value(input)
    return emit("compare", [x, x], {"predicate": "ne"})


@primitive
def isfinite(input):
    """Whether each element is neither NaN nor infinite, as bool."""
    x = to_value(input)
    if _kind(x) != "float":
        return equal(x, x)
    return less(abs(x), math.inf)


@primitive
def isinf(input):
    """Whether each element is an infinity, as bool."""
    x = to_value(input)
    if _kind(x) != "float":
        return not_equal(x, x)
    return equal(abs(x), math.inf)


# --- selection and conversion -------------------------------------------------


@primitive(scalars=("input", "other"))
def select(condition, input, other):
    """`condition ? input : other`, elementwise; the element not chosen has no influence."""
    chosen = to_bool(condition)
    dtype = result_dtype(input, other)
    x, y = to_value(input, dtype), to_value(other, dtype)
    shape = broadcast_shapes("Select", chosen.shape, x.shape, y.shape)
    operands = [broadcast(v, shape, (chosen, x, y)) for v in (chosen, x, y)]
    return emit("select", operands)


where = select


@primitive
def cast(input, dtype):
    """`input` as `dtype`.

    Floats to integers truncate and saturate (NaN gives zero); integers to
    narrower ones wrap; anything to bool is `!= 0`. TypeError for no dtype.
    """
    return _cast(to_value(input), _dtype.name_of(dtype))


@primitive(scalars=("min", "max"))
def clamp(input, min=None, max=None):
    """`input` held within [min, max], either of which may be None (not both: ValueError).

    The dtype is the input's, raised as numbers and tensors among the bounds demand.
    """
    if min is None and max is None:
        raise ValueError("For 'clamp', expected min or max, found None for both.")
    x = to_value(input)
    if min is not None:
        x = maximum(x, min)
    return x if max is None else minimum(x, max)


clip = clip_by_value = clamp


@primitive(scalars=("value",))
def masked_fill(input, mask, value):
    """`value` where `mask`, else `input`; the dtype is the input's."""
    x = to_value(input)
    return select(mask, to_value(value, x.dtype) if weak_kind(value) else _cast(to_value(value), x.dtype), x)


@primitive(scalars=("weight",))
def lerp(input, end, weight):
    """`input + weight * (end - input)`."""
    return add(input, mul(weight, sub(end, input)))


@primitive
def zeros_like(input, dtype=None):
    """Zeros of the input's shape, of its dtype or `dtype`."""
    return _filled_like(input, 0, dtype)


@primitive
def ones_like(input, dtype=None):
    """Ones of the input's shape, of its dtype or `dtype`."""
    return _filled_like(input, 1, dtype)


@primitive(scalars=("fill_value",))
def full_like(input, fill_value, dtype=None):
    """`fill_value` in the input's shape, of its dtype or `dtype`."""
    return _filled_like(input, fill_value, dtype)


def _filled_like(input, number, dtype):
    x = to_value(input)
    name = x.dtype if dtype is None else _dtype.name_of(dtype)
    value = constant(number, name) if isinstance(number, (bool, int, float)) else to_value(number, name)
    return broadcast(value, x.shape, (x,))
