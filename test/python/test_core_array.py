"""`mindir._core.Array`: numpy and dlpack exchange, views, assignment, lifetime."""

import gc
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from mindir._core import Array, get_num_threads, set_num_threads, statistics

DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
          "uint64", "float16", "float32", "float64"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3, 4)])
def test_round_trip(dtype, shape):
    value = np.arange(np.prod(shape, dtype=int)).reshape(shape).astype(dtype)
    for copy in (True, False):
        array = Array.from_numpy(value, copy=copy)
        assert (array.dtype, array.shape) == (dtype, shape)
        back = array.numpy()
        assert back.dtype == value.dtype and back.shape == shape
        np.testing.assert_array_equal(back, value)


def test_copy_or_share():
    value = np.zeros(4, np.float32)
    shared, own = Array.from_numpy(value, copy=False), Array.from_numpy(value)
    value[1] = 5
    assert shared.numpy()[1] == 5 and own.numpy()[1] == 0
    assert own.data_ptr % 64 == 0


@pytest.mark.parametrize("layout", [
    lambda a: a.T, lambda a: a[::-1], lambda a: a[:, ::2], lambda a: a[1:, 1:],
    lambda a: np.broadcast_to(a[0], (3, 4)), lambda a: a.astype(">f4")])
@pytest.mark.parametrize("copy", [True, False])
def test_layouts(layout, copy):
    value = layout(np.arange(12, dtype=np.float32).reshape(3, 4))
    array = Array.from_numpy(value, copy=copy)
    np.testing.assert_array_equal(array.numpy(), value)
    np.testing.assert_array_equal(array.copy().numpy(), value)
    assert array.copy().is_contiguous


def test_read_only_memory_is_copied():
    value = np.zeros(3, np.float32)
    value.flags.writeable = False
    array = Array.from_numpy(value, copy=False)
    array.numpy()[0] = 1
    assert value[0] == 0


def test_numpy_view_keeps_the_bytes():
    view = Array.from_numpy(np.arange(1000.0)).numpy()
    gc.collect()
    np.testing.assert_array_equal(view, np.arange(1000.0))


def test_shared_numpy_memory_is_released():
    import weakref
    class Owner(np.ndarray):
        pass
    value = np.zeros(8, np.float32).view(Owner)
    gone = weakref.ref(value)
    array = Array.from_numpy(value, copy=False)
    del value
    gc.collect()
    array.numpy()[0] = 1
    del array
    gc.collect()
    assert gone() is None


def test_views_share():
    array = Array.from_numpy(np.arange(12, dtype=np.int32).reshape(3, 4))
    row = array.view(4, (4,))
    column = array.view(1, (3,), (4,))
    assert row.storage_id == column.storage_id == array.storage_id
    assert row.offset == 4
    assert not column.is_contiguous
    np.testing.assert_array_equal(column.numpy(), [1, 5, 9])
    column.assign(Array.from_numpy(np.array([-1, -2, -3], np.int32)))
    np.testing.assert_array_equal(array.numpy()[:, 1], [-1, -2, -3])
    assert array.version == 1


def test_assign_to_an_overlapping_view():
    array = Array.from_numpy(np.arange(6.0))
    array.view(1, (5,)).assign(array.view(0, (5,)))
    np.testing.assert_array_equal(array.numpy(), [0, 0, 1, 2, 3, 4])


@pytest.mark.parametrize("size", [1000, 1003])
def test_large_transposed_copy(size):
    value = np.random.default_rng(0).random((size, 700)).astype(np.float32)
    transposed = Array.from_numpy(value, copy=False).view(0, (700, size), (1, 700))
    np.testing.assert_array_equal(transposed.copy().numpy(), value.T)


def test_item():
    assert Array.from_numpy(np.float32(2.5)).item() == 2.5
    assert Array.from_numpy(np.array([[True]])).item() is True
    assert Array.from_numpy(np.int64(-7)).item() == -7
    with pytest.raises(ValueError, match="one element"):
        Array.from_numpy(np.zeros(2)).item()


def test_bfloat16():
    array = Array.empty("bfloat16", (2,))
    bits = array.numpy().view(np.uint16)
    bits[:] = [0x3FC0, 0xC000]
    assert array.dtype == "bfloat16"
    assert array.view(0, ()).item() == 1.5 and array.view(1, ()).item() == -2.0


def test_dlpack():
    array = Array.from_numpy(np.arange(6, dtype=np.float32).reshape(2, 3))
    other = np.from_dlpack(array)
    assert other.ctypes.data == array.data_ptr
    np.testing.assert_array_equal(np.from_dlpack(array.view(0, (3, 2), (1, 3))),
                                  array.numpy().T)
    del array
    gc.collect()
    np.testing.assert_array_equal(other, [[0, 1, 2], [3, 4, 5]])
    unconsumed = Array.empty("bool", (2,)).__dlpack__()
    del unconsumed


def test_errors():
    array = Array.from_numpy(np.zeros(4, np.float32))
    with pytest.raises(ValueError, match="buffer of 4"):
        array.view(1, (4,))
    with pytest.raises(ValueError, match="reaches elements -1"):
        array.view(0, (2,), (-1,))
    with pytest.raises(ValueError, match="one stride per dimension"):
        array.view(0, (2,), (1, 1))
    with pytest.raises(ValueError, match=r"float32\[4\] to assign, found float32\[3\]"):
        array.assign(array.view(0, (3,)))
    with pytest.raises(TypeError, match=r"float32\[4\] to assign, found int32\[4\]"):
        array.assign(Array.empty("int32", (4,)))
    with pytest.raises(TypeError, match="expected a dtype"):
        Array.from_numpy(np.array(["a"]))
    with pytest.raises(MemoryError):
        Array.empty("float64", (2**62,))
    with pytest.raises(ValueError, match="size"):
        Array.empty("float64", (-1,))


def test_memory_returns():
    before = statistics()["live_bytes"]
    arrays = [Array.empty("float32", (1000,)) for _ in range(10)]
    assert statistics()["live_bytes"] - before >= 40000
    views = [a.view(0, (1,)) for a in arrays]
    del arrays, views
    assert statistics()["live_bytes"] == before


def test_threads():
    count = get_num_threads()
    set_num_threads(1)
    assert get_num_threads() == 1
    set_num_threads(count)
    with pytest.raises(ValueError):
        set_num_threads(0)


def test_the_environment_sets_the_threads():
    script = "from mindir._native import core; print(core.get_num_threads())"
    path = str(pathlib.Path(__file__).parents[2] / "python")
    environment = {**os.environ, "PYTHONPATH": path}

    def threads(text):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True,
                              env={**environment, "MINDIR_NUM_THREADS": text})
        return done.stdout.strip()
    assert threads("3") == "3" and threads("1") == "1"
    assert threads("many") == threads("0") == threads("")
