"""ms-compile: a C program of twenty lines runs the code without Python and LLVM."""

import os
import subprocess
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("MINDIR_BUILD_DIR", ROOT / "build"))

NET = """
func.func @main(%x: tensor<2x4xf32>, %w: tensor<4x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  %0 = mindir.matmul %x, %w : tensor<2x4xf32>, tensor<4x3xf32> -> tensor<2x3xf32>
  %1 = mindir.broadcast_to %b : tensor<3xf32> -> tensor<2x3xf32>
  %2 = mindir.add %0, %1 : tensor<2x3xf32>
  %3 = mindir.tanh %2 : tensor<2x3xf32>
  return %3 : tensor<2x3xf32>
}
"""

NET_PROGRAM = """
#include "net.h"
#include <stdio.h>

int main(void) {
  float x[8], w[12], b[3] = {0.5f, -0.5f, 0.25f}, y[6];
  for (int i = 0; i < 8; ++i)
    x[i] = 0.1f * i;
  for (int i = 0; i < 12; ++i)
    w[i] = 0.05f * (i - 6);
  if (net(x, w, b, y) != 0)
    return 1;
  for (int i = 0; i < 6; ++i)
    printf("%.9g\\n", y[i]);
  return 0;
}
"""

STEP = """
func.func @step(%w: tensor<3xf32> {mindir.parameter, mindir.donated}, %x: tensor<?x3xf32>)
    -> (tensor<?x3xf32>, tensor<3xf32> {mindir.updates = 0 : i64}) {
  %0 = mindir.mul %x, %x : tensor<?x3xf32>
  %1 = mindir.reduce_sum %x axes = [0] : tensor<?x3xf32> -> tensor<3xf32>
  %2 = mindir.add %w, %1 : tensor<3xf32>
  return %0, %2 : tensor<?x3xf32>, tensor<3xf32>
}
"""

STEP_PROGRAM = """
#include "step.h"
#include "mindir-c/Runtime.h"
#include <stdio.h>

int main(void) {
  float w[3] = {1, 2, 3}, x[6] = {1, 2, 3, 4, 5, 6}, *y;
  int64_t sizes[2] = {2, 3}, bad[2] = {2, 4}, found[2];
  if (step(w, x, sizes, &y, found) != 0)
    return 1;
  printf("%g %g %g\\n%ld %ld %g\\n", w[0], w[1], w[2], (long)found[0], (long)found[1], y[5]);
  mindrt_free(y);
  printf("%d %s\\n", step(w, x, bad, &y, found), mindrt_last_error_message());
  return 0;
}
"""

RUNTIMES = {
    "shared": [f"-L{BUILD}/lib", "-lmindrt", f"-Wl,-rpath,{BUILD}/lib", "-lm"],
    "static": [str(BUILD / "lib/libmindrt_static.a"), "-lstdc++", "-lgomp", "-lm"],
}


def compile_module(tmp_path, text, name, *options, suffix=".o"):
    (tmp_path / f"{name}.mlir").write_text(text)
    subprocess.run([BUILD / "bin/ms-compile", tmp_path / f"{name}.mlir", "-o",
                    tmp_path / (name + suffix), *options], check=True)


def link(tmp_path, program, inputs):
    (tmp_path / "program.c").write_text(program)
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-std=c11", "-O1", "-o", tmp_path / "program",
                    tmp_path / "program.c", f"-I{ROOT}/include", f"-I{tmp_path}", *inputs], check=True)


def run(tmp_path):
    return subprocess.run([tmp_path / "program"], check=True, capture_output=True, text=True,
                          env={"PATH": "/usr/bin:/bin"}).stdout


def expected():
    x = (0.1 * np.arange(8)).astype(np.float32).reshape(2, 4)
    w = (0.05 * (np.arange(12) - 6)).astype(np.float32).reshape(4, 3)
    return np.tanh(x @ w + np.array([0.5, -0.5, 0.25], np.float32)).ravel()


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_object(tmp_path, runtime):
    compile_module(tmp_path, NET, "net")
    link(tmp_path, NET_PROGRAM, [tmp_path / "net.o", *RUNTIMES[runtime]])
    np.testing.assert_allclose([float(v) for v in run(tmp_path).split()], expected(), rtol=2e-6)
    needed = subprocess.run(["ldd", tmp_path / "program"], capture_output=True, text=True).stdout
    assert "LLVM" not in needed and "python" not in needed and "MLIR" not in needed


@pytest.mark.parametrize("options, code", [((), 0), (("--libraries=onednn",), 4)])
def test_library_calls(tmp_path, options, code):
    """Only when asked for; a runtime without the library says so."""
    compile_module(tmp_path, """
    func.func @main(%x: tensor<256x256xf32>) -> tensor<256x256xf32> {
      %0 = mindir.matmul %x, %x : tensor<256x256xf32>, tensor<256x256xf32> -> tensor<256x256xf32>
      return %0 : tensor<256x256xf32>
    }""", "big", *options)
    link(tmp_path, """
    #include "big.h"
    static float x[65536], y[65536];
    int main(void) { return big(x, y); }
    """, [tmp_path / "big.o", *RUNTIMES["static"]])
    assert subprocess.run([tmp_path / "program"]).returncode == code


def test_shared_library(tmp_path):
    compile_module(tmp_path, NET, "net", suffix=".so")
    link(tmp_path, NET_PROGRAM, [tmp_path / "net.so", f"-Wl,-rpath,{tmp_path}"])
    np.testing.assert_allclose([float(v) for v in run(tmp_path).split()], expected(), rtol=2e-6)


def test_dynamic_sizes_updates_and_errors(tmp_path):
    compile_module(tmp_path, STEP, "step", "--entry=step")
    link(tmp_path, STEP_PROGRAM, [tmp_path / "step.o", *RUNTIMES["static"]])
    lines = run(tmp_path).splitlines()
    assert lines[:2] == ["6 9 12", "2 3 36"]
    assert lines[2].startswith("2 expected size 3 in dimension 1 of argument 1, found 4")


def test_only_the_entry_is_visible(tmp_path):
    compile_module(tmp_path, NET, "net", "--symbol=predict")
    symbols = subprocess.run(["nm", "-g", "--defined-only", tmp_path / "net.o"],
                             capture_output=True, text=True).stdout.split()
    assert symbols[2::3] == ["predict"]
    assert "int predict(" in (tmp_path / "net.h").read_text()


def test_another_target(tmp_path):
    compile_module(tmp_path, NET, "net", "--target=aarch64-linux-gnu")
    assert (tmp_path / "net.o").read_bytes()[18] == 183  # EM_AARCH64


@pytest.mark.parametrize("arguments, text", [
    (["missing.mlir", "-o", "x.o"], "missing.mlir"),
    (["net.mlir", "-o", "x.o", "--entry=other"], "'other'"),
    (["net.mlir", "-o", "x.o", "--target=nonsense"], "nonsense"),
    (["net.mlir", "-o", "no/such/folder/x.o"], "no/such/folder"),
    (["net.mlir", "-o", "x.so", "--linker=no-such-linker"], "no-such-linker"),
    (["net.mlir", "-o", "x.o", "--symbol=mindrt_call"], "another C name"),
    (["net.mlir", "-o", "x.o", "--symbol=exp"], "another C name"),
    (["net.mlir"], "-o"),
])
def test_errors(tmp_path, arguments, text):
    (tmp_path / "net.mlir").write_text(NET)
    result = subprocess.run([BUILD / "bin/ms-compile", *arguments], cwd=tmp_path,
                            capture_output=True, text=True)
    assert result.returncode == 1
    assert text in result.stderr
