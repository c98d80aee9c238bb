"""Compiling and running through `mindir._core`: results, ownership, cache, errors."""

import os
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest

from mindir._core import Array, Builder, compile, statistics

LINEAR = """
func.func @main(%x: tensor<?x4xf32>, %w: tensor<4x3xf32>) -> tensor<?x3xf32> {
  %0 = mindir.matmul %x, %w : tensor<?x4xf32>, tensor<4x3xf32> -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}
"""

# A Parameter that is doubled in place, and the sum of its old value.
STEP = """
func.func @main(%w: tensor<4xf32> {mindir.parameter, mindir.donated})
    -> (tensor<f32>, tensor<4xf32> {mindir.updates = 0 : i64}) {
  %0 = mindir.reduce_sum %w axes = [0] : tensor<4xf32> -> tensor<f32>
  %1 = mindir.add %w, %w : tensor<4xf32>
  return %0, %1 : tensor<f32>, tensor<4xf32>
}
"""


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("MINDIR_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


def array(value, dtype=np.float32):
    return Array.from_numpy(np.asarray(value, dtype))


def test_results(cache):
    run = compile(LINEAR)
    assert run.argument_types == [("float32", (None, 4)), ("float32", (4, 3))]
    assert run.result_types == [("float32", (None, 3))]
    rng = np.random.default_rng(0)
    w = rng.random((4, 3), np.float32)
    for rows in (0, 1, 7):
        x = rng.random((rows, 4), np.float32)
        result, = run([array(x), array(w)])
        np.testing.assert_allclose(result.numpy(), x @ w, rtol=1e-6)


def test_compiles_a_builder(cache):
    builder = Builder()
    x, = builder.begin_function("f", [("int32", (3,))])
    y, = builder.op("mindir.mul", [x, x])
    builder.end_function([y])
    result, = compile(builder, entry="f")([array([1, -2, 3], np.int32)])
    np.testing.assert_array_equal(result.numpy(), [1, 4, 9])


@pytest.mark.parametrize("dtype", ["int8", "int16", "int32", "int64", "uint8", "uint16",
                                   "uint32", "uint64", "float16", "float32", "float64"])
def test_dtypes(dtype):
    builder = Builder()
    x, = builder.begin_function("main", [(dtype, (None,))])
    y, = builder.op("mindir.add", [x, x])
    builder.end_function([y])
    value = np.arange(5).astype(dtype)
    result, = compile(builder)([Array.from_numpy(value)])
    assert result.dtype == dtype
    np.testing.assert_array_equal(result.numpy(), value + value)


def test_update_in_place():
    run = compile(STEP)
    assert run.updates == {1: 0}
    w = array([1, 2, 3, 4])
    address = w.data_ptr
    run([w])  # the allocator's pool is warm now
    before = statistics()
    total, none = run([w])
    assert none is None
    assert total.item() == 20
    assert w.data_ptr == address and w.version == 2
    np.testing.assert_array_equal(w.numpy(), [4, 8, 12, 16])
    after = statistics()
    assert after["live_blocks"] - before["live_blocks"] == 1  # the sum


def test_update_of_shared_bytes():
    """A numpy view holds the bytes: the code works on a copy, the view sees the end."""
    run = compile(STEP)
    w = array([1, 2, 3, 4])
    view = w.numpy()
    total, _ = run([w])
    assert total.item() == 10
    np.testing.assert_array_equal(view, [2, 4, 6, 8])


def test_aliasing_arguments():
    run = compile("""
    func.func @main(%w: tensor<4xf32> {mindir.donated}, %x: tensor<4xf32>)
        -> (tensor<4xf32> {mindir.updates = 0 : i64}, tensor<4xf32>) {
      %0 = mindir.add %w, %w : tensor<4xf32>
      %1 = mindir.mul %x, %0 : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    }""")
    w = array([1, 2, 3, 4])
    _, product = run([w, w])
    np.testing.assert_array_equal(w.numpy(), [2, 4, 6, 8])
    np.testing.assert_array_equal(product.numpy(), [2, 8, 18, 32])


def test_update_of_an_argument_that_is_not_donated():
    run = compile(STEP.replace(", mindir.donated", ""))
    w = array([1, 2, 3, 4])
    address = w.data_ptr
    run([w])
    np.testing.assert_array_equal(w.numpy(), [2, 4, 6, 8])
    assert w.data_ptr == address


def test_strided_and_misaligned_arguments():
    run = compile(LINEAR)
    base = np.arange(40, dtype=np.float32)
    w = np.eye(4, 3, dtype=np.float32)
    strided = Array.from_numpy(base).view(1, (4, 4), (1, 5))
    result, = run([strided, array(w)])
    np.testing.assert_array_equal(result.numpy(), strided.numpy() @ w)


def test_donated_view_is_written_through():
    run = compile(STEP)
    base = array(np.zeros((2, 4)))
    base.numpy()[:] = 1
    run([base.view(4, (4,))])
    np.testing.assert_array_equal(base.numpy(), [[1] * 4, [2] * 4])


def test_results_are_the_callers():
    """Returned arguments, constants and equal results get buffers of their own."""
    run = compile("""
    func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
      %c = mindir.constant dense<[7.0, 8.0]> : tensor<2xf32>
      %0 = mindir.neg %x : tensor<2xf32>
      return %x, %c, %0, %0 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
    }""")
    x = array([1, 2])
    results = run([x])
    assert len({r.storage_id for r in results} | {x.storage_id}) == 5
    for result in results:
        result.numpy()[:] = 0
    again = run([x])
    for result, expected in zip(again, ([1, 2], [7, 8], [-1, -2], [-1, -2])):
        np.testing.assert_array_equal(result.numpy(), expected)


def test_no_leak():
    run = compile(LINEAR)
    x, w = array(np.ones((64, 4))), array(np.ones((4, 3)))
    run([x, w])
    before = statistics()["live_bytes"]
    for _ in range(200):
        run([x, w])
    assert statistics()["live_bytes"] == before


def test_names_of_library_functions():
    """A function called `expf` is the user's, not libm's."""
    run = compile("""
    func.func private @expf(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = mindir.neg %x : tensor<2xf32>
      return %0 : tensor<2xf32>
    }
    func.func @exp(%x: tensor<2xf32>) -> tensor<2xf32> {
      %0 = func.call @expf(%x) : (tensor<2xf32>) -> tensor<2xf32>
      %1 = mindir.exp %0 : tensor<2xf32>
      return %1 : tensor<2xf32>
    }""", entry="exp")
    result, = run([array([0, 1])])
    np.testing.assert_allclose(result.numpy(), np.exp([0, -1]), rtol=1e-6)


#===------------------------------------------------------------------------===#
# Errors
#===------------------------------------------------------------------------===#

@pytest.mark.parametrize("arguments, error, text", [
    (lambda: [array(np.ones((2, 4)))], TypeError, "expected 2 arrays, found 1"),
    (lambda: [array(np.ones((2, 5))), array(np.ones((4, 3)))], ValueError,
     r"float32\[\?, 4\] as argument 0, found float32\[2, 5\]"),
    (lambda: [array(np.ones(4)), array(np.ones((4, 3)))], ValueError, r"found float32\[4\]"),
    (lambda: [array(np.ones((2, 4)), np.float64), array(np.ones((4, 3)))], TypeError,
     r"found float64\[2, 4\]"),
    (lambda: [1, 2], RuntimeError, "cast"),
    (lambda: [None, None], TypeError, "None"),
])
def test_wrong_arguments(arguments, error, text):
    with pytest.raises(error, match=text):
        compile(LINEAR)(arguments())


@pytest.mark.parametrize("text, entry, error, match", [
    ("func.func @main(", "main", RuntimeError, "expected"),
    (LINEAR, "other", ValueError, "'other'"),
    ("func.func private @main(tensor<f32>)", "main", ValueError, "with a body"),
    ("func.func @main(%a: tensor<2xf32>, %b: tensor<3xf32>) -> tensor<2xf32> {\n"
     "  %0 = mindir.add %a, %b : tensor<2xf32>\n return %0 : tensor<2xf32> }", "main",
     RuntimeError, "expects different type"),
])
def test_wrong_modules(text, entry, error, match):
    with pytest.raises(error, match=match):
        compile(text, entry=entry)


@pytest.mark.parametrize("options", [{"opt_level": 4}, {"speed": 1}])
def test_wrong_options(options):
    with pytest.raises(ValueError):
        compile(LINEAR, options=options)


#===------------------------------------------------------------------------===#
# Saved graphs
#===------------------------------------------------------------------------===#

def test_save_graphs(tmp_path):
    folder = tmp_path / "graphs" / "deep"
    compile(LINEAR, options={"save_graphs_path": str(folder)})
    names = sorted(os.listdir(folder))
    assert names[0] == "00_parse.mlir"
    assert len(names) >= 4
    assert "mindir.matmul" in (folder / names[0]).read_text()
    assert names[-1].endswith("llvm.ll")


def test_save_graphs_to_a_file(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(RuntimeError, match="file"):
        compile(LINEAR, options={"save_graphs_path": str(tmp_path / "file")})


#===------------------------------------------------------------------------===#
# Cache
#===------------------------------------------------------------------------===#

def entries(cache):
    return sorted(p for p in cache.iterdir() if p.suffix == ".code")


def check(run):
    result, = run([array(np.ones((2, 4))), array(np.ones((4, 3)))])
    np.testing.assert_array_equal(result.numpy(), np.full((2, 3), 4))


def test_cache_hit(cache):
    check(compile(LINEAR))
    entry, = entries(cache)
    stamp = entry.stat().st_ino
    run = compile(LINEAR)
    assert run.argument_types == [("float32", (None, 4)), ("float32", (4, 3))]
    check(run)
    assert [p.stat().st_ino for p in entries(cache)] == [stamp]
    compile(LINEAR, options={"opt_level": 0})
    assert len(entries(cache)) == 2


def test_cache_keeps_updates(cache):
    for _ in range(2):
        w = array([1, 2, 3, 4])
        compile(STEP)([w])
        np.testing.assert_array_equal(w.numpy(), [2, 4, 6, 8])


@pytest.mark.parametrize("damage", [
    lambda data: b"", lambda data: data[:40], lambda data: data[:-1],
    lambda data: data[:-9] + bytes([data[-9] ^ 1]) + data[-8:], lambda data: b"x" * len(data)])
def test_damaged_entry_is_rebuilt(cache, damage):
    compile(LINEAR)
    entry, = entries(cache)
    good = entry.read_bytes()
    entry.write_bytes(damage(good))
    check(compile(LINEAR))
    assert entry.stat().st_size == len(good)


def test_cache_off(cache, monkeypatch):
    check(compile(LINEAR, options={"cache_dir": None}))
    monkeypatch.setenv("MINDIR_DISABLE_CACHE", "1")
    check(compile(LINEAR))
    assert not cache.exists()


def test_cache_is_bounded(cache):
    for size in range(1, 6):
        compile(LINEAR.replace("?", str(size)), options={"cache_bytes": 20000})
    assert sum(p.stat().st_size for p in entries(cache)) <= 20000


def test_unwritable_cache_warns_once(tmp_path):
    script = f"""
import warnings
import numpy as np
from mindir._core import Array, compile
text = '''{LINEAR}'''
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    compile(text)
    run = compile(text)
print(len(caught), str(caught[0].message))
"""
    (tmp_path / "file").write_text("")
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                            env={**os.environ, "MINDIR_CACHE_DIR": str(tmp_path / "file" / "x")})
    assert result.stdout.startswith("1 compiled code cannot be kept on disk"), result


#===------------------------------------------------------------------------===#
# Threads and signals
#===------------------------------------------------------------------------===#

def test_threads_compile_and_run():
    failures = []

    def work(seed):
        try:
            rng = np.random.default_rng(seed)
            run = compile(LINEAR.replace("4x3", "4x%d" % (seed % 3 + 1)).replace("?x3", "?x%d" % (seed % 3 + 1)))
            w = rng.random((4, seed % 3 + 1), np.float32)
            for rows in range(30):
                x = rng.random((rows, 4), np.float32)
                result, = run([array(x), array(w)])
                np.testing.assert_allclose(result.numpy(), x @ w, rtol=1e-5)
        except Exception as error:  # noqa: BLE001 - handed to the main thread
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_updates_from_threads_exclude_each_other():
    run = compile("""
    func.func @main(%w: tensor<1000xf32> {mindir.donated}, %one: tensor<1000xf32>)
        -> (tensor<1000xf32> {mindir.updates = 0 : i64}) {
      %0 = mindir.add %w, %one : tensor<1000xf32>
      return %0 : tensor<1000xf32>
    }""")
    w, one = array(np.zeros(1000)), array(np.ones(1000))
    threads = [threading.Thread(target=lambda: [run([w, one]) for _ in range(100)])
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_array_equal(w.numpy(), np.full(1000, 400))


def test_interrupt_while_compiling():
    big = Builder()
    x, = big.begin_function("main", [("float32", (8, 8))])
    for _ in range(600):
        x, = big.op("mindir.matmul", [x, x])
    big.end_function([x])

    class Stop(Exception):
        pass

    def stop(*_):
        raise Stop

    previous = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Stop):
            compile(big, options={"cache_dir": None})
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    check(compile(LINEAR))


def test_interrupt_of_a_loop_without_end():
    script = """
import os, signal, threading
import numpy as np
# A test run in the background of a shell inherits an ignored SIGINT. The library
# puts itself in front of the handler that it finds.
signal.signal(signal.SIGINT, signal.default_int_handler)
from mindir._core import Array, compile
run = compile('''
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %r = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %z = mindir.compare le, %a, %x : tensor<f32>
    %e = tensor.extract %z[] : tensor<i1>
    scf.condition(%e) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %s = mindir.mul %a, %x : tensor<f32>
    scf.yield %s : tensor<f32>
  }
  return %r : tensor<f32>
}''')
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    run([Array.from_numpy(np.float32(1))])
except KeyboardInterrupt:
    print("interrupted", run([Array.from_numpy(np.float32(2))])[0].item())
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert result.stdout == "interrupted 4.0\n", result
