"""Generated kernels: equal bits with any number of threads, odd sizes, several results."""

import numpy as np
import pytest

from mindir import _core
from mindir._core import Array, compile


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MINDIR_CACHE_DIR", str(tmp_path / "cache"))


@pytest.fixture
def threads():
    count = _core.get_num_threads()
    yield _core.set_num_threads
    _core.set_num_threads(count)


def several_results(rows, columns):
    """A tensor, the sums of its columns, and its whole sum, in one pass."""
    shape = f"{rows}x{columns}xf32"
    return f"""
func.func @main(%x: tensor<{shape}>) -> (tensor<{shape}>, tensor<{columns}xf32>, tensor<f32>) {{
  %n = mindir.neg %x : tensor<{shape}>
  %y = mindir.mul %x, %n : tensor<{shape}>
  %e = mindir.exp %y : tensor<{shape}>
  %c = mindir.reduce_sum %e axes = [0] : tensor<{shape}> -> tensor<{columns}xf32>
  %s = mindir.reduce_sum %e axes = [0, 1] : tensor<{shape}> -> tensor<f32>
  return %e, %c, %s : tensor<{shape}>, tensor<{columns}xf32>, tensor<f32>
}}"""


def reduction(op, shape, axes, result):
    shape = "x".join(map(str, shape)) + "xf32"
    result = "x".join([*map(str, result), "f32"])
    return f"""
func.func @main(%x: tensor<{shape}>) -> tensor<{result}> {{
  %r = mindir.reduce_{op} %x axes = {list(axes)} : tensor<{shape}> -> tensor<{result}>
  return %r : tensor<{result}>
}}"""


@pytest.mark.parametrize("rows, columns", [(1, 16), (3, 17), (1000, 64), (7001, 33),
                                           (513, 1040), (40, 5000)])
def test_several_results(rows, columns):
    run = compile(several_results(rows, columns))
    x = np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32)
    e, c, s = (r.numpy() for r in run([Array.from_numpy(x)]))
    expected = np.exp(-(x.astype(np.float64) ** 2))
    np.testing.assert_allclose(e, expected, rtol=2e-6)
    np.testing.assert_allclose(c, expected.sum(0), rtol=2e-6)
    np.testing.assert_allclose(s, expected.sum(), rtol=2e-6)


@pytest.mark.parametrize("shape, axes", [
    ((1 << 18,), [0]), ((262147,), [0]), ((4099, 65), [0]), ((4099, 65), [1]),
    ((4099, 65), [0, 1]), ((8, 28, 28, 64), [0, 1, 2]), ((8, 64, 28, 28), [0, 2, 3]),
    ((300, 2000), [0]), ((3, 100003), [1]), ((30000, 10), [0])])
def test_bits_do_not_depend_on_threads(threads, shape, axes):
    result = [size for dim, size in enumerate(shape) if dim not in axes]
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32) + 1
    run = compile(reduction("sum", shape, axes, result))
    found = []
    for count in (1, 2, 3):
        threads(count)
        found.append(run([Array.from_numpy(x)])[0].numpy().copy())
    np.testing.assert_allclose(found[0], x.astype(np.float64).sum(tuple(axes)), rtol=2e-5)
    for other in found[1:]:
        assert found[0].tobytes() == other.tobytes()


@pytest.mark.parametrize("op", ["max", "min", "prod"])
def test_nan_reaches_extremes_from_any_place(op):
    x = np.ones((100, 67), np.float32)
    x[63, 66] = np.nan  # behind the last whole vector
    x[5, 3] = np.nan
    run = compile(reduction(op, x.shape, [0], [67]))
    found = run([Array.from_numpy(x)])[0].numpy()
    assert list(np.flatnonzero(np.isnan(found))) == [3, 66]
    run = compile(reduction(op, x.shape, [0, 1], []))
    assert np.isnan(run([Array.from_numpy(x)])[0].numpy())
