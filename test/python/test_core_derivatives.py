"""`mindir._core.differentiate` and `run_reference`."""

import numpy as np
import pytest

from mindir._core import Array, compile, differentiate, run_reference

PRODUCT = """
func.func @f(%x: tensor<?xf32>, %w: tensor<?xf32>) -> (tensor<f32>, tensor<?xf32>) {
  %0 = mindir.exp %x : tensor<?xf32>
  %1 = mindir.mul %0, %w : tensor<?xf32>
  %2 = mindir.reduce_sum %1 axes = [0] : tensor<?xf32> -> tensor<f32>
  return %2, %0 : tensor<f32>, tensor<?xf32>
}
"""


def array(value, dtype=np.float32):
    return Array.from_numpy(np.asarray(value, dtype))


def run_compiled(text, entry, arrays):
    return compile(text, entry=entry, options={"cache_dir": None})(arrays)


@pytest.mark.parametrize("run", [run_compiled, run_reference])
@pytest.mark.parametrize("wrt", [[0], [1], [0, 1]])
def test_forward_and_backward(run, wrt):
    split = differentiate(PRODUCT, "f", wrt)
    x, w = np.array([0.0, 0.5, 1.0], np.float32), np.array([2.0, 3.0, 5.0], np.float32)
    arguments = [array(x), array(w)]
    outputs = run(split["forward"], "f.fwd", arguments)
    assert len(outputs) == 2 + split["num_residuals"]
    np.testing.assert_allclose(outputs[0].numpy(), np.sum(np.exp(x) * w), rtol=1e-6)
    assert split["cotangents"] == [0, 1]
    saved = [{"argument": arguments, "result": outputs}[kind][k] for kind, k in split["saved"]]
    cotangents = [array(1.0), array([0, 0, 10])]
    gradients = run(split["backward"], "f.bwd", saved + cotangents)
    expected = {0: np.exp(x) * (w + [0, 0, 10]), 1: np.exp(x)}
    assert len(gradients) == len(wrt)
    for index, gradient in zip(wrt, gradients):
        np.testing.assert_allclose(gradient.numpy(), expected[index], rtol=1e-6)


def test_modules_hold_only_what_they_need():
    split = differentiate(PRODUCT, "f", [1])
    assert "@f.bwd" not in split["forward"] and "@f.fwd" not in split["backward"]


def test_compile_resolves_derivatives():
    run = compile(PRODUCT.replace("func.func @f", "func.func private @f") + """
    func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32>, %d: tensor<f32>, %e: tensor<?xf32>)
        -> tensor<?xf32> {
      %y, %z, %dx = mindir.vjp @f(%x, %w, %d, %e) wrt = [0]
          : (tensor<?xf32>, tensor<?xf32>, tensor<f32>, tensor<?xf32>)
          -> (tensor<f32>, tensor<?xf32>, tensor<?xf32>)
      return %dx : tensor<?xf32>
    }""", options={"cache_dir": None})
    result, = run([array([0, 1]), array([2, 3]), array(1), array([0, 1])])
    np.testing.assert_allclose(result.numpy(), np.exp([0, 1]) * [2, 4], rtol=1e-6)


@pytest.mark.parametrize("entry, wrt, text", [
    ("g", [0], "'g'"), ("f", [2], "argument numbers below 2"), ("f", [-1], "found -1")])
def test_errors_of_differentiate(entry, wrt, text):
    with pytest.raises(ValueError, match=text):
        differentiate(PRODUCT, entry, wrt)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float64"])
def test_reference_dtypes(dtype):
    value = np.array([[1, 0, 1]]).astype(dtype)
    text = f"""func.func @f(%x: TYPE) -> TYPE {{ return %x : TYPE }}""".replace(
        "TYPE", "tensor<1x3x%s>" % {"bool": "i1", "int8": "i8", "uint64": "ui64",
                                    "float16": "f16", "float64": "f64"}[dtype])
    result, = run_reference(text, "f", [Array.from_numpy(value)])
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.numpy(), value)


def test_reference_prints(capsys):
    result, = run_reference("""func.func @f(%x: tensor<f32>) -> !mindir.token {
      %t = mindir.token
      %u = mindir.print %t, "x is {}" (%x : tensor<f32>)
      return %u : !mindir.token
    }""", "f", [array(2)])
    assert result is None
    assert "x is 2" in capsys.readouterr().out


def test_errors_of_the_reference():
    text = """func.func @f(%x: tensor<3xf32>, %i: tensor<1xi64>) -> tensor<1xf32> {
      %0 = mindir.gather %x, %i axis = 0 : tensor<3xf32>, tensor<1xi64> -> tensor<1xf32>
      return %0 : tensor<1xf32>
    }"""
    with pytest.raises(IndexError, match="gather"):
        run_reference(text, "f", [array([1, 2, 3]), array([3], np.int64)])
    with pytest.raises(RuntimeError):
        run_reference("nonsense", "f", [])
    with pytest.raises(ValueError, match="g"):
        run_reference(text, "g", [])
