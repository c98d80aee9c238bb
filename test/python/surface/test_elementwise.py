"""Elementwise ops against numpy: values, promotion, broadcasting, errors."""

import math

import numpy as np
import pytest

import mindir as ms
from mindir import Tensor, ops

A = np.random.RandomState(0).randn(3, 4).astype(np.float32)
B = np.random.RandomState(1).rand(3, 4).astype(np.float32) + 0.5


def near(got, want, rtol=1e-5, atol=1e-6):
    np.testing.assert_allclose(np.asarray(got), want, rtol=rtol, atol=atol)


UNARY = {
    "abs": np.abs, "neg": np.negative, "sign": np.sign, "ceil": np.ceil, "floor": np.floor, "round": np.rint,
    "trunc": np.trunc, "exp": np.exp, "expm1": np.expm1, "sin": np.sin, "cos": np.cos, "tan": np.tan, "tanh": np.tanh,
    "sinh": np.sinh, "cosh": np.cosh, "square": np.square, "isnan": np.isnan, "isfinite": np.isfinite,
    "erf": np.vectorize(math.erf), "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "reciprocal": lambda x: 1 / x,
    "logical_not": np.logical_not,
}


@pytest.mark.parametrize("name", UNARY)
def test_unary(name):
    got = getattr(ops, name)(Tensor(A))
    near(got, UNARY[name](A), rtol=2e-5)


@pytest.mark.parametrize("name", ["log", "log1p", "sqrt"])
def test_unary_of_positive(name):
    near(getattr(ops, name)(Tensor(B)), getattr(np, name)(B))


BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide, "floor_div": np.floor_divide,
    "floor_mod": np.mod, "maximum": np.maximum, "minimum": np.minimum, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal, "equal": np.equal, "not_equal": np.not_equal,
    "logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor,
}


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("shapes", [((3, 4), (3, 4)), ((3, 1), (4,)), ((), (2, 3)), ((0, 4), (1, 4))])
def test_binary_broadcasts(name, shapes):
    rng = np.random.RandomState(2)
    a, b = (np.asarray(rng.rand(*s) + 0.5, np.float32) for s in shapes)
    near(getattr(ops, name)(Tensor(a), Tensor(b)), BINARY[name](a, b), rtol=1e-4)


@pytest.mark.parametrize("name", ["bitwise_and", "bitwise_or", "bitwise_xor"])
def test_bitwise(name):
    a, b = np.array([1, 6, -3]), np.array([3, 5, 7])
    near(getattr(ops, name)(Tensor(a), Tensor(b)), getattr(np, name)(a, b))
    near(getattr(ops, name)(Tensor(a > 0), Tensor(b > 3)), getattr(np, name)(a > 0, b > 3))
    with pytest.raises(TypeError, match="Bitwise"):
        getattr(ops, name)(Tensor(A), Tensor(A))


PROMOTION = [
    ("int32", "float32", "Float32"), ("int8", "int64", "Int64"), ("float16", "float32", "Float32"),
    ("float16", "bfloat16", "Float32"), ("bool", "int32", "Int32"), ("uint8", "int8", "Int16"),
    ("uint8", "int32", "Int32"), ("int64", "float16", "Float16"), ("float64", "float32", "Float64"),
]


@pytest.mark.parametrize("a, b, want", PROMOTION)
def test_promotion_of_tensors(a, b, want):
    x, y = Tensor([1], getattr(ms, a if a != "bool" else "bool_")), Tensor([1], getattr(ms, b))
    assert str((x + y).dtype) == want
    assert str((y + x).dtype) == want


WEAK = [("int32", 1.5, "Float32"), ("int32", 2, "Int32"), ("float16", 2.0, "Float16"), ("bool_", 1, "Int64"),
        ("bool_", 1.0, "Float32"), ("float64", 1, "Float64"), ("uint8", 1, "UInt8")]


@pytest.mark.parametrize("dtype, number, want", WEAK)
def test_python_numbers_are_weak(dtype, number, want):
    assert str((Tensor([1], getattr(ms, dtype)) + number).dtype) == want


def test_division():
    assert str((Tensor([1], ms.int32) / 2).dtype) == "Float32"
    near(Tensor([-5, 7]) // 2, [-3, 3])
    near(Tensor([-5, 7]) % 3, [1, 1])
    near(ops.div(Tensor([-5.0, 7.0]), 2, rounding_mode="trunc"), [-2, 3])
    with pytest.raises(ValueError, match="rounding_mode"):
        ops.div(Tensor([1.0]), 2, rounding_mode="up")


def test_scalars_by_bits():
    x = Tensor([3.0, -3.0])
    assert np.signbit((x * -0.0).asnumpy()).tolist() == [True, False]
    assert np.signbit((x * 0.0).asnumpy()).tolist() == [False, True]
    assert np.isnan((x * float("nan")).asnumpy()).all()
    assert str((Tensor([1], ms.int32) + True).dtype) == "Int32"


def test_select_and_clamp():
    near(ops.where(Tensor(A > 0), Tensor(A), 0.0), np.maximum(A, 0))
    near(ops.clamp(Tensor(A), -0.5, 0.5), np.clip(A, -0.5, 0.5))
    near(ops.clamp(Tensor(A), min=0.1), np.maximum(A, np.float32(0.1)))
    near(ops.masked_fill(Tensor(A), Tensor(A > 0), 7.0), np.where(A > 0, 7, A))
    with pytest.raises(ValueError, match="min or max"):
        ops.clamp(Tensor(A))


def test_cast():
    near(Tensor([1.7, -1.7]).astype(ms.int32), [1, -1])
    assert str(Tensor([2, 0]).bool().dtype) == "Bool"
    with pytest.raises(TypeError, match="element type"):
        Tensor([1.0]).astype("float7")


def test_shapes_that_do_not_broadcast():
    with pytest.raises(ValueError, match="For 'Add'.*broadcast") as error:
        Tensor(np.ones((2, 3), np.float32)) + Tensor(np.ones((4,), np.float32))
    assert "[2, 3]" in str(error.value) and "[4]" in str(error.value)


def test_not_a_tensor():
    with pytest.raises(TypeError, match="Tensor"):
        ops.add(Tensor([1.0]), "a")
    with pytest.raises(TypeError, match="Neg"):
        ops.neg(Tensor([True]))
    with pytest.raises(TypeError, match="For 'abs'"):
        ops.abs()


ACTIVATIONS = {
    "relu": lambda x: np.maximum(x, 0), "relu6": lambda x: np.clip(x, 0, 6),
    "leaky_relu": lambda x: np.where(x > 0, x, 0.2 * x), "elu": lambda x: np.where(x > 0, x, np.expm1(x)),
    "silu": lambda x: x / (1 + np.exp(-x)), "softsign": lambda x: x / (1 + np.abs(x)),
    "gelu": lambda x: x * 0.5 * (1 + np.vectorize(math.erf)(x / np.sqrt(2))),
    "softplus": lambda x: np.log1p(np.exp(x)), "mish": lambda x: x * np.tanh(np.log1p(np.exp(x))),
    "hardsigmoid": lambda x: np.clip(x + 3, 0, 6) / 6, "hardswish": lambda x: x * np.clip(x + 3, 0, 6) / 6,
    "logsigmoid": lambda x: -np.log1p(np.exp(-x)),
}


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_activation(name):
    near(getattr(ops, name)(Tensor(A * 3)), ACTIVATIONS[name](A * 3), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("axis", [0, -1])
def test_softmax(axis):
    e = np.exp(A - A.max(axis, keepdims=True))
    want = e / e.sum(axis, keepdims=True)
    near(ops.softmax(Tensor(A), axis), want)
    near(ops.log_softmax(Tensor(A), axis), np.log(want), rtol=1e-4)
    with pytest.raises(ValueError, match="Softmax.*axis"):
        ops.softmax(Tensor(A), 2)
