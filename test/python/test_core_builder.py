"""The Builder of `mindir._core`: types, attributes, regions, functions, errors."""

import gc

import numpy as np
import pytest

from mindir._core import Builder


@pytest.fixture
def builder():
    return Builder()


@pytest.fixture
def main(builder):
    """A builder whose function @main takes tensor<?x4xf32> and tensor<3x4xf32>."""
    x, w = builder.begin_function(
        "main", [("float32", (None, 4)), ("float32", (3, 4))],
        [{}, {"mindir.parameter": True}])
    return builder, x, w


def finish(builder, *results):
    builder.end_function(list(results))
    builder.verify()
    return builder.text()


@pytest.mark.parametrize("dtype", [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "float16", "bfloat16", "float32", "float64"])
def test_types_round_trip(builder, dtype):
    tensor, scalar = builder.begin_function("f", [(dtype, (2, None, 0)), (dtype, None)])
    assert tensor.type == (dtype, (2, None, 0))
    assert tensor.rank == 3
    assert scalar.type == (dtype, None)
    assert scalar.rank is None


def test_result_types_are_inferred(main):
    builder, x, w = main
    y, = builder.op("mindir.matmul", [x, w], {"transpose_rhs": True})
    assert y.type == ("float32", (None, 3))
    p, = builder.op("mindir.compare", [y, y], {"predicate": "lt"})
    assert p.type == ("bool", (None, 3))
    assert "transpose_rhs" in finish(builder, y, p)


def test_unit_attribute_false_is_absent(main):
    builder, x, w = main
    r, = builder.op("mindir.reduce_sum", [x], {"axes": [0], "keep_dims": False})
    assert r.shape == (4,)
    r, = builder.op("mindir.reduce_sum", [x], {"axes": [0], "keep_dims": True})
    assert r.shape == (1, 4)


def test_type_attribute_by_name(builder):
    i, = builder.begin_function("f", [("int64", (5,))])
    for value in ("float16", ("type", "float16")):
        r, = builder.op("mindir.one_hot", [i], {"depth": 3, "element_type": value})
        assert r.type == ("float16", (5, 3))


@pytest.mark.parametrize("value, dtype, text", [
    (2.0, None, "dense<2.000000e+00> : tensor<f32>"),
    (3, None, "dense<3> : tensor<i64>"),
    (True, None, "dense<true> : tensor<i1>"),
    (3, "float16", "dense<3.000000e+00> : tensor<f16>"),
    (1.0000001, "bfloat16", "dense<1.000000e+00> : tensor<bf16>"),
    (np.array([1.5, 2.5]), "bfloat16", "dense<[1.500000e+00, 2.500000e+00]> : tensor<2xbf16>"),
    (np.array([True, False, True]), None, "dense<[true, false, true]> : tensor<3xi1>"),
    (np.zeros((3, 0), np.int32), None, "dense<> : tensor<3x0xi32>"),
    (np.arange(6, dtype=np.uint8).reshape(2, 3).T, None,
     "dense<[[0, 3], [1, 4], [2, 5]]> : tensor<3x2xui8>"),
    (np.full((2, 2), 7.0), None, "dense<7.000000e+00> : tensor<2x2xf64>"),
    (7, "index", "arith.constant 7 : index"),
    (True, ("bool", None), "arith.constant true"),
    (7, ("int32", None), "arith.constant 7 : i32"),
])
def test_constants(builder, value, dtype, text):
    builder.begin_function("f")
    c = builder.constant(value, dtype)
    assert text in finish(builder, c)


def test_nested_regions(main):
    builder, x, w = main
    condition = builder.constant(True, ("bool", None))
    r, = builder.op("mindir.reduce_sum", [x], {"axes": [0, 1]})
    builder.begin_region()
    builder.begin_region()  # two at once: the regions of one scf.if
    inner = builder.end_region("scf.yield", [r])
    n, = builder.op("mindir.neg", [r])
    outer = builder.end_region("scf.yield", [n])
    s, = builder.op("scf.if", [condition], result_types=[("float32", ())],
                    regions=[outer, inner])
    assert "scf.if" in finish(builder, s)


def test_loop_is_rebuilt_after_widening(main):
    """A body captured with the wrong carried type is dropped and captured again."""
    builder, x, w = main
    init = builder.constant(np.zeros((1, 4), np.float32))
    kept = []
    for shape in ((1, 4), (None, 4)):
        carried, = builder.begin_region([("float32", shape)])
        doubled, = builder.op("mindir.concat", [carried, carried], {"axis": 0})
        condition = builder.constant(False, ("bool", None))
        before = builder.end_region("scf.condition", [condition, carried])
        carried, = builder.begin_region([("float32", shape)])
        grown, = builder.op("mindir.concat", [carried, carried], {"axis": 0})
        after = builder.end_region("scf.yield", [grown])
        kept.append(grown)
    start, = builder.op("tensor.cast", [init], result_types=[("float32", (None, 4))])
    final, = builder.op("scf.while", [start], result_types=[("float32", (None, 4))],
                        regions=[before, after])
    assert kept[0].shape == (2, 4)  # values of the dropped body stay readable
    assert finish(builder, final).count("scf.while") == 1


def test_functions_nest_and_call(builder):
    x, = builder.begin_function("outer", [("float32", (2,))])
    a, = builder.begin_function("inner", [("float32", (2,))], private=True)
    free = builder.add_argument("float32", (2,), {"mindir.parameter": True})
    s, = builder.op("mindir.add", [a, free])
    builder.end_function([s])
    y, = builder.call("inner", [x, x])
    text = finish(builder, y)
    assert "func.func private @inner" in text
    assert "{mindir.parameter}" in text


def test_recursion_states_its_results(builder):
    x, = builder.begin_function("f", [("float32", ())])
    with pytest.raises(TypeError, match="result_types"):
        builder.call("f", [x])
    y, = builder.call("f", [x], result_types=[("float32", ())])
    finish(builder, y)


def test_argument_while_a_region_is_open(main):
    builder, x, w = main
    builder.begin_region()
    late = builder.add_argument("float32", ())
    region = builder.end_region("scf.yield", [late])
    condition = builder.constant(True, ("bool", None))
    builder.begin_region()
    other = builder.end_region("scf.yield", [late])
    r, = builder.op("scf.if", [condition], result_types=[("float32", ())],
                    regions=[region, other])
    assert finish(builder, r).count("%arg2") == 3


def test_insert_renames(builder):
    text = "func.func @f(%a: tensor<4xf32>) -> tensor<4xf32> { return %a : tensor<4xf32> }"
    assert builder.insert(text) == {"f": "f"}
    assert builder.insert(text) == {"f": "f_1"}
    x, = builder.begin_function("main", [("float32", (4,))])
    y, = builder.call("f_1", [x])
    finish(builder, y)


def test_result_attributes(main):
    builder, x, w = main
    builder.end_function([x, w], [{}, {"mindir.updates": 1}])
    assert "mindir.updates = 1 : i64" in builder.text()


def test_locations(main):
    builder, x, w = main
    builder.location = ("model.py", 3, 4)
    a, = builder.op("mindir.neg", [x])
    b, = builder.op("mindir.abs", [a], loc=[("layer.py", 7, 1, "construct"), ("model.py", 9, 2)])
    builder.end_function([b])
    text = builder.text(locations=True)
    assert '"model.py":3:4' in text
    assert 'callsite(' in text and '"construct"' in text and '"layer.py":7:1' in text
    assert "loc(" not in builder.text()


def test_bytecode_is_a_module(main):
    builder, x, w = main
    builder.end_function([x])
    assert builder.bytecode().startswith(b"ML\xefR")


@pytest.mark.parametrize("op, operands, attrs, error, text", [
    ("mindir.matmul", "xw", {}, ValueError, "^For 'MatMul', the contracted sizes must be equal"),
    ("mindir.matmul", "x", {}, TypeError, "For 'Matmul', expected 2 operands, but found 1"),
    ("mindir.add", "", {}, TypeError, "expected 2 operands"),
    ("mindir.matmul", "xi", {}, TypeError, "operand #1 must be"),
    ("mindir.reduce_sum", "x", {}, TypeError, "requires attribute 'axes'"),
    ("mindir.reduce_sum", "x", {"axes": "a"}, TypeError, "can hold, found 'a'"),
    ("mindir.reduce_sum", "x", {"axes": [0], "foo": 1}, TypeError, "no attribute 'foo'"),
    ("mindir.reduce_sum", "x", {"axes": [7]}, ValueError, "must lie in"),
    ("mindir.compare", "xx", {"predicate": "near"}, TypeError, "order or equality test"),
    ("mindir.nope", "x", {}, ValueError, "name of an op"),
    ("nope.nope", "x", {}, ValueError, "name of an op"),
    ("scf.while", "x", {}, TypeError, "result_types"),
])
def test_errors(main, op, operands, attrs, error, text):
    builder, x, w = main
    values = {"x": x, "w": w, "i": builder.constant(0, "index")}
    with pytest.raises(error, match=text):
        builder.op(op, [values[c] for c in operands], attrs, loc=("user.py", 5, 1))
    # The builder goes on as if the op had not been asked for.
    y, = builder.op("mindir.neg", [x])
    assert op not in finish(builder, y)


def test_error_names_the_line(main):
    builder, x, w = main
    with pytest.raises(ValueError, match="user.py:5:1"):
        builder.op("mindir.matmul", [x, w], loc=("user.py", 5, 1))


def test_misuse_is_refused(builder):
    other = Builder()
    foreign, = other.begin_function("g", [("float32", ())])
    with pytest.raises(ValueError, match="begin_function"):
        builder.op("mindir.neg", [foreign])
    x, = builder.begin_function("f", [("float32", ())])
    with pytest.raises(ValueError, match="of another"):
        builder.op("mindir.neg", [foreign])
    with pytest.raises(ValueError, match="new function name"):
        builder.begin_function("f", [])
    with pytest.raises(ValueError, match="begin_region"):
        builder.end_region("scf.yield", [])
    with pytest.raises(TypeError, match="dtype"):
        builder.begin_function("h", [("float31", ())])
    with pytest.raises(ValueError, match="ended first"):
        builder.verify()


def test_values_keep_their_builder_alive():
    builder = Builder()
    x, = builder.begin_function("f", [("float32", (2,))])
    builder.begin_region()
    y, = builder.op("mindir.neg", [x])
    region = builder.end_region("scf.yield", [y])
    del builder, region
    gc.collect()
    assert y.shape == (2,)
