"""Elementwise ops: one numpy formula per op."""

import math

import numpy as np

from oracle import dtypes
from oracle.case import Case
from oracle.registry import generator

_erf = np.vectorize(math.erf, otypes=[np.float64])


def _long_erf(x):
    """math.erf, whose error in f64 is below one unit in the last place."""
    return _erf(x.astype(np.float64))


def _relu(x):
    return np.where(np.isnan(x), x, np.where(x > 0, x, 0))


def _unary(name, elements, formula, kind="exact", low=-4.0, high=4.0, wrt=True):
    @generator(name)
    def make(draw):
        element = draw.element(elements)
        x = draw.operand(draw.shape(), element, low=low, high=high)
        return Case(f"mindir.{name}", f"%r0 = mindir.{name} %a0 : {x.type}", [x],
                    [(x.values.shape, element)], formula, kind, draw.dynamic,
                    wrt=(0,) if wrt else ())


_unary("abs", dtypes.NUMERIC, np.abs)
_unary("neg", dtypes.NUMERIC, np.negative)
_unary("sign", dtypes.NUMERIC, np.sign)
_unary("ceil", dtypes.FLOATS, np.ceil)
_unary("floor", dtypes.FLOATS, np.floor)
_unary("round", dtypes.FLOATS, np.rint)
_unary("exp", dtypes.FLOATS, np.exp, "elementary", -10)
_unary("expm1", dtypes.FLOATS, np.expm1, "elementary")
_unary("log", dtypes.FLOATS, np.log, "elementary", 0.1)
_unary("log1p", dtypes.FLOATS, np.log1p, "elementary", -0.9)
_unary("sqrt", dtypes.FLOATS, np.sqrt, "exact", 0.1)
_unary("rsqrt", dtypes.FLOATS, lambda x: 1 / np.sqrt(x), "elementary", 0.1)
_unary("sin", dtypes.FLOATS, np.sin, "elementary")
_unary("cos", dtypes.FLOATS, np.cos, "elementary")
_unary("tanh", dtypes.FLOATS, np.tanh, "elementary")
_unary("erf", dtypes.FLOATS, _long_erf, "elementary")
_unary("sigmoid", dtypes.FLOATS, lambda x: 1 / (1 + np.exp(-x)), "elementary")
_unary("relu", dtypes.NUMERIC, _relu)
_unary("not", dtypes.INTEGRAL, np.invert, wrt=False)


def _binary(name, elements, formula, kind="exact", *, low=-4.0, high=4.0,
            rhs_low=None, rhs_high=None, wrt=(0, 1)):
    @generator(name)
    def make(draw):
        element = draw.element(elements)
        shape = draw.shape()
        x = draw.operand(shape, element, low=low, high=high)
        y = draw.operand(shape, element, low=low if rhs_low is None else rhs_low,
                         high=high if rhs_high is None else rhs_high)
        return Case(f"mindir.{name}", f"%r0 = mindir.{name} %a0, %a1 : {x.type}", [x, y],
                    [(shape, element)], formula, kind, draw.dynamic, wrt=wrt)


def _floor_div(x, y):
    if x.dtype.kind == "f":
        return np.floor_divide(x, y)
    return np.where(y == 0, 0, np.floor_divide(x, np.where(y == 0, 1, y))).astype(x.dtype)


def _floor_mod(x, y):
    if x.dtype.kind == "f":
        return np.mod(x, y)
    return np.where(y == 0, 0, np.mod(x, np.where(y == 0, 1, y))).astype(x.dtype)


def _integer_power(base, exponent, bits):
    """Of Python integers: wraps; a reciprocal truncates, and that of 0 is 0."""
    if exponent >= 0:
        return pow(base, exponent, 1 << bits)
    return {1: 1, -1: -1 if exponent % 2 else 1}.get(base, 0)


def _pow(x, y):
    if x.dtype.kind == "f":
        return np.power(x, y)
    bits = x.dtype.itemsize * 8
    flat = [_integer_power(int(a), int(b), bits) % (1 << bits)
            for a, b in zip(x.ravel(), y.ravel())]
    return np.array(flat, np.uint64).astype(x.dtype).reshape(x.shape)


_binary("add", dtypes.NUMERIC, np.add)
_binary("sub", dtypes.NUMERIC, np.subtract)
_binary("mul", dtypes.NUMERIC, np.multiply)
_binary("div", dtypes.FLOATS, np.divide, rhs_low=0.5)
_binary("floor_div", dtypes.NUMERIC, _floor_div, "elementary", rhs_low=0.5, wrt=())
_binary("floor_mod", dtypes.NUMERIC, _floor_mod, "elementary", low=4.1, high=4.9,
        rhs_low=1.6, rhs_high=1.9)
_binary("pow", dtypes.NUMERIC, _pow, "elementary", low=0.2)
_binary("maximum", dtypes.NUMERIC, np.maximum)
_binary("minimum", dtypes.NUMERIC, np.minimum)
_binary("and", dtypes.INTEGRAL, np.bitwise_and, wrt=())
_binary("or", dtypes.INTEGRAL, np.bitwise_or, wrt=())
_binary("xor", dtypes.INTEGRAL, np.bitwise_xor, wrt=())

_PREDICATES = {"eq": np.equal, "ne": np.not_equal, "lt": np.less,
               "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}


@generator("compare")
def compare(draw):
    element = draw.element(dtypes.ALL)
    predicate = draw.choice(list(_PREDICATES))
    x = draw.operand(draw.shape(), element)
    y = draw.operand(x.values.shape, element)
    # Random values are seldom equal.
    same = draw.rng.random(x.values.shape) < 0.3
    y.values = np.where(same, x.values, y.values).astype(x.values.dtype)
    return Case("mindir.compare", f"%r0 = mindir.compare {predicate}, %a0, %a1 : {x.type}",
                [x, y], [(x.values.shape, "i1")], _PREDICATES[predicate], "exact", draw.dynamic)


@generator("select")
def select(draw):
    element = draw.element(dtypes.ALL)
    shape = draw.shape()
    condition = draw.operand(shape, "i1")
    x, y = draw.operand(shape, element), draw.operand(shape, element)
    return Case("mindir.select",
                f"%r0 = mindir.select %a0, %a1, %a2 : {condition.type}, {x.type}",
                [condition, x, y], [(shape, element)], np.where, "exact", draw.dynamic,
                wrt=(1, 2) if dtypes.is_float(element) else ())


def _cast_values(values, source, target):
    if target == "i1":
        return values != 0
    if not dtypes.is_float(source) or dtypes.is_float(target):
        return values
    info = np.iinfo(dtypes.NUMPY[target])
    flat = [0 if math.isnan(v) else info.max if v >= info.max else info.min if v <= info.min
            else int(v) for v in values.astype(np.float64).ravel()]
    return np.array(flat, dtypes.NUMPY[target]).reshape(values.shape)


@generator("cast")
def cast(draw):
    source, target = draw.element(dtypes.ALL), draw.element(dtypes.ALL)
    high = 4.0 if draw.smooth else draw.choice([4.0, 300.0, 1e5, 1e12])
    x = draw.operand(draw.shape(), source, low=-high, high=high)
    case = Case("mindir.cast", "", [x], [(x.values.shape, target)],
                lambda a: _cast_values(a, source, target), "exact", draw.dynamic,
                wrt=(0,) if draw.smooth else ())
    case.body = f"%r0 = mindir.cast %a0 : {x.type} -> {case.result_types[0]}"
    return case
