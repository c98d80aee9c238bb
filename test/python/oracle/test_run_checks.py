"""What types leave open is checked when run: compiled code and the reference raise the
same kind of error, before anything outside of a tensor is read or written."""

import numpy as np
import pytest

from mindir._native import core

X4 = "tensor<?x?x?x?xf32>"
I4 = "tensor<?x?x?x?xi64>"
WINDOW = "window = array<i64: 2, 2>, strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>"
CONVOLUTION = ("strides = array<i64: 1, 1>, padding = array<i64: 0, 0, 0, 0>, "
               "dilations = array<i64: 1, 1>, groups = 1 : i64")


def function(arguments, line, result):
    names = ", ".join(f"%{chr(ord('a') + i)}: {text}" for i, text in enumerate(arguments))
    return f"func.func @main({names}) -> {result} {{\n{line}\n  return %r : {result}\n}}"


def sized(operand, count=4):
    """Lines that take the sizes %s0.. of a result from a vector."""
    lines = [f"%i{i} = arith.constant {i} : index\n%e{i} = tensor.extract %{operand}[%i{i}] : tensor<{count}xi64>\n"
             f"%s{i} = arith.index_cast %e{i} : i64 to index" for i in range(count)]
    return "\n".join(lines) + "\n", "sizes(" + ", ".join(f"%s{i}" for i in range(count)) + ")"


LINES, SIZES = sized("c")
V = "tensor<?xf32>"
M = "tensor<?x?xf32>"

# name -> (text, shapes or arrays of the arguments, error)
BAD = {
    "add": (function([V, V], f"%r = mindir.add %a, %b : {V}", V), [(100000,), (3,)], ValueError),
    "add_then_mul": (function([V, V, V], f"%x = mindir.mul %a, %a : {V}\n%y = mindir.add %x, %b : {V}\n"
                              f"%r = mindir.mul %y, %c : {V}", V), [(100000,), (100000,), (3,)], ValueError),
    "matmul": (function([M, M], f"%r = mindir.matmul %a, %b : {M}, {M} -> {M}", M), [(3, 4096), (5, 4096)],
               ValueError),
    "matmul_transposed": (function([M, M], f"%r = mindir.matmul %a, %b {{transpose_rhs}} : {M}, {M} -> {M}", M),
                          [(64, 4096), (64, 2)], ValueError),
    "concat": (function([M, M], f"%r = mindir.concat %a, %b axis = 0 : {M}, {M} -> {M}", M), [(2, 9), (2, 70000)],
               ValueError),
    "cross_entropy": (function([M, "tensor<?xi64>"], "%r = mindir.cross_entropy %a, %b : "
                               f"{M}, tensor<?xi64> -> {V}", V), [(3, 4), np.zeros(70000, np.int64)], ValueError),
    "cross_entropy_label": (function([M, "tensor<?xi64>"], "%r = mindir.cross_entropy %a, %b : "
                                     f"{M}, tensor<?xi64> -> {V}", V), [(3, 4), np.array([0, 4, 1])], ValueError),
    "batch_norm": (function([M] + [V] * 4, "%r = mindir.batch_norm_inference %a, %b, %c, %d, %e axis = 1 "
                            f"epsilon = 1.0e-3 : {M}, {V}, {V}, {V}, {V} -> {M}", M),
                   [(3, 50000), (50000,), (50000,), (50000,), (2,)], ValueError),
    "gather": (function([V, "tensor<?xi64>"], f"%r = mindir.gather %a, %b axis = 0 : {V}, tensor<?xi64> -> {V}", V),
               [(4,), np.array([0, 4])], IndexError),
    "gather_below": (function([V, "tensor<?xi64>"], f"%r = mindir.gather %a, %b axis = 0 : {V}, tensor<?xi64> -> {V}",
                              V), [(4,), np.array([-5])], IndexError),
    "gather_from_empty_axis": (function([V, "tensor<?xi64>"], "%r = mindir.gather %a, %b axis = 0 : "
                                        f"{V}, tensor<?xi64> -> {V}", V), [(0,), np.array([0])], IndexError),
    "gather_nothing_at_a_bad_index": (function([M, "tensor<?xi64>"], "%r = mindir.gather %a, %b axis = 1 : "
                                               f"{M}, tensor<?xi64> -> {M}", M), [(0, 5), np.array([9])], IndexError),
    "scatter_add_nothing_at_a_bad_index": (
        function([M, "tensor<?xi64>", M], "%r = mindir.scatter_add %a, %b, %c axis = 1 : "
                 f"{M}, tensor<?xi64>, {M}", M), [(0, 5), np.array([9]), (0, 1)], IndexError),
    "scatter_add": (function([V, "tensor<?xi64>", V], f"%r = mindir.scatter_add %a, %b, %c axis = 0 : "
                             f"{V}, tensor<?xi64>, {V}", V), [(4,), np.array([0, 1]), (90000,)], ValueError),
    "slice": (function([V], f"%r = mindir.slice %a starts = [1] limits = [90000] strides = [1] : {V} -> "
                       "tensor<89999xf32>", "tensor<89999xf32>"), [(4,)], ValueError),
    "dynamic_slice": (function([V, "tensor<i64>"], f"%r = mindir.dynamic_slice %a[%b] : {V} -> tensor<3xf32>",
                               "tensor<3xf32>"), [(4,), np.array(2)], IndexError),
    "dynamic_update_slice": (function([V, V, "tensor<i64>"], f"%r = mindir.dynamic_update_slice %a, %b[%c] : {V}, {V}",
                                      V), [(4,), (90000,), np.array(0)], IndexError),
    "reshape": (function([V, "tensor<0xi64>", "tensor<2xi64>"], sized("c", 2)[0] + "%r = mindir.reshape %a "
                         f"{sized('c', 2)[1]} : {V} -> {M}", M),
                [(4,), np.zeros(0, np.int64), np.array([300, 400])], ValueError),
    "broadcast_to": (function([V, "tensor<0xi64>", "tensor<2xi64>"], sized("c", 2)[0] + "%r = mindir.broadcast_to %a "
                              f"{sized('c', 2)[1]} : {V} -> {M}", M),
                     [(4,), np.zeros(0, np.int64), np.array([300, 4000])], ValueError),
    "reshape_negative": (function([V, "tensor<0xi64>", "tensor<2xi64>"], sized("c", 2)[0] + "%r = mindir.reshape %a "
                                  f"{sized('c', 2)[1]} : {V} -> {M}", M),
                         [(12,), np.zeros(0, np.int64), np.array([-3, -4])], ValueError),
    "broadcast_to_negative": (
        function(["tensor<f32>", "tensor<0xi64>", "tensor<2xi64>"], sized("c", 2)[0] + "%r = mindir.broadcast_to %a "
                 f"{sized('c', 2)[1]} : tensor<f32> -> {M}", M),
        [(), np.zeros(0, np.int64), np.array([-3, -4])], ValueError),
    "iota_negative": (function(["tensor<0xi64>", "tensor<0xi64>", "tensor<2xi64>"], sized("c", 2)[0] +
                               f"%r = mindir.iota axis = 0 {sized('c', 2)[1]} : {M}", M),
                      [np.zeros(0, np.int64), np.zeros(0, np.int64), np.array([3, -4])], ValueError),
    "conv2d_channels": (function([X4, X4], f"%r = mindir.conv2d %a, %b {{{CONVOLUTION}}} : {X4}, {X4} -> {X4}", X4),
                        [(1, 2, 5, 5), (4, 300, 3, 3)], ValueError),
    "conv2d_kernel": (function([X4, X4], f"%r = mindir.conv2d %a, %b {{{CONVOLUTION}}} : {X4}, {X4} -> {X4}", X4),
                      [(1, 2, 2, 5), (4, 2, 3, 3)], ValueError),
    "conv2d_input_grad": (
        function([X4, X4, "tensor<4xi64>"], LINES + f"%r = mindir.conv2d_input_grad %a, %b {SIZES} {{{CONVOLUTION}}} : "
                 f"{X4}, {X4} -> {X4}", X4),
        [(1, 4, 50, 50), (4, 2, 3, 3), np.array([1, 2, 5, 5])], ValueError),
    "conv2d_weight_grad": (
        function([X4, X4, "tensor<4xi64>"], LINES + f"%r = mindir.conv2d_weight_grad %a, %b {SIZES} {{{CONVOLUTION}}} "
                 f": {X4}, {X4} -> {X4}", X4),
        [(1, 2, 5, 5), (1, 4, 50, 50), np.array([4, 2, 3, 3])], ValueError),
    "max_pool2d": (function([X4], f"%r, %i = mindir.max_pool2d %a {{{WINDOW}}} : {X4} -> {X4}, {I4}", X4),
                   [(1, 1, 1, 4)], ValueError),
    "max_pool2d_of_no_pixels": (
        function([X4], f"%r, %i = mindir.max_pool2d %a {{{WINDOW.replace('0, 0, 0, 0', '1, 1, 1, 1')}}} : "
                 f"{X4} -> {X4}, {I4}", X4), [(1, 1, 0, 4)], ValueError),
    "avg_pool2d": (function([X4], f"%r = mindir.avg_pool2d %a {{{WINDOW}}} : {X4} -> {X4}", X4), [(1, 1, 4, 1)],
                   ValueError),
    "avg_pool2d_grad": (
        function([X4, "tensor<0xi64>", "tensor<4xi64>"], LINES + f"%r = mindir.avg_pool2d_grad %a {SIZES} {{{WINDOW}}} "
                 f": {X4} -> {X4}", X4),
        [(1, 1, 90, 90), np.zeros(0, np.int64), np.array([1, 1, 4, 4])], ValueError),
    "pool_gather": (function([X4, I4], f"%r = mindir.pool_gather %a, %b : {X4}, {I4} -> {X4}", X4),
                    [(1, 1, 4, 4), np.zeros((2, 3000, 2, 2), np.int64)], ValueError),
    "pool_gather_position": (function([X4, I4], f"%r = mindir.pool_gather %a, %b : {X4}, {I4} -> {X4}", X4),
                             [(1, 1, 4, 4), np.full((1, 1, 2, 2), 16)], IndexError),
    "pool_scatter": (
        function([X4, I4, "tensor<4xi64>"], LINES + f"%r = mindir.pool_scatter %a, %b {SIZES} : {X4}, {I4} -> {X4}", X4),
        [(1, 1, 90, 90), np.zeros((1, 1, 2, 2), np.int64), np.array([1, 1, 4, 4])], ValueError),
}


def arrays(given):
    return [core.Array.from_numpy(np.ones(x, np.float32) if isinstance(x, tuple) else x) for x in given]


@pytest.mark.parametrize("name", sorted(BAD))
def test_bad_sizes_and_indices(name):
    text, given, error = BAD[name]
    with pytest.raises(error):
        core.run_reference(text, "main", arrays(given))
    executable = core.compile(text, options={"cache_dir": None})
    with pytest.raises(error):
        executable(arrays(given))


@pytest.mark.parametrize("name, count", [("gather", 4), ("gather", 0), ("scatter_add", 4), ("scatter_add", 0)])
def test_no_indices_are_good_indices(name, count):
    """Of an axis of any size, also of none."""
    text = {"gather": BAD["gather"][0], "scatter_add": BAD["scatter_add"][0]}[name]
    given = [(count,), np.zeros(0, np.int64), (0,)][:2 if name == "gather" else 3]
    expected = np.ones(0 if name == "gather" else count, np.float32)
    for run in (lambda: core.run_reference(text, "main", arrays(given)),
                lambda: core.compile(text, options={"cache_dir": None})(arrays(given))):
        np.testing.assert_array_equal(run()[0].numpy(), expected)


def test_a_failing_call_leaves_the_next_one_alone():
    text, given, error = BAD["add"]
    executable = core.compile(text, options={"cache_dir": None})
    for _ in range(3):
        with pytest.raises(error):
            executable(arrays(given))
        np.testing.assert_array_equal(executable(arrays([(5,), (5,)]))[0].numpy(), np.full(5, 2, np.float32))
