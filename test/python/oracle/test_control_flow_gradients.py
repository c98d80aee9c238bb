"""Derivatives through branches, loops, recursion and tapes, nested in every order.

Programs are run by the reference interpreter in f64; their derivatives up to the
third are compared with central differences of the derivative one order below.
"""

import pathlib
import subprocess

import numpy as np
import pytest

from oracle import engines

STEP = 1e-5
PROGRAMS = pathlib.Path(__file__).parent / "Inputs"

# Each program is a function @f(x: tensor<2xf64>, n: tensor<i64>) -> tensor<f64>.
TRANSFORMATIONS = """
func.func @g(%x: tensor<2xf64>, %n: tensor<i64>) -> (tensor<f64>, tensor<2xf64>) {
  %one = mindir.constant dense<1.0> : tensor<f64>
  %y, %g = mindir.vjp @f(%x, %n, %one) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<f64>) -> (tensor<f64>, tensor<2xf64>)
  return %y, %g : tensor<f64>, tensor<2xf64>
}
func.func @jvp(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>) -> tensor<f64> {
  %y, %t = mindir.jvp @f(%x, %n, %v) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<2xf64>) -> (tensor<f64>, tensor<f64>)
  return %t : tensor<f64>
}
func.func @reverse_reverse(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>) -> tensor<2xf64> {
  %zero = mindir.constant dense<0.0> : tensor<f64>
  %y, %g, %h = mindir.vjp @g(%x, %n, %zero, %v) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<f64>, tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<2xf64>)
  return %h : tensor<2xf64>
}
func.func @forward_reverse(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>) -> tensor<2xf64> {
  %y, %g, %t, %h = mindir.jvp @g(%x, %n, %v) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<2xf64>) -> (tensor<f64>, tensor<2xf64>, tensor<f64>, tensor<2xf64>)
  return %h : tensor<2xf64>
}
func.func @reverse_forward(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>) -> tensor<2xf64> {
  %one = mindir.constant dense<1.0> : tensor<f64>
  %t, %h = mindir.vjp @jvp(%x, %n, %v, %one) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<2xf64>, tensor<f64>) -> (tensor<f64>, tensor<2xf64>)
  return %h : tensor<2xf64>
}
func.func @forward_forward(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>) -> tensor<f64> {
  %t, %h = mindir.jvp @jvp(%x, %n, %v, %v) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<f64>, tensor<f64>)
  return %h : tensor<f64>
}
func.func @third(%x: tensor<2xf64>, %n: tensor<i64>, %v: tensor<2xf64>, %w: tensor<2xf64>) -> tensor<2xf64> {
  %h, %k = mindir.vjp @reverse_reverse(%x, %n, %v, %w) wrt = [0]
    : (tensor<2xf64>, tensor<i64>, tensor<2xf64>, tensor<2xf64>) -> (tensor<2xf64>, tensor<2xf64>)
  return %k : tensor<2xf64>
}
"""


class Program:
    """The resolved module of a program, whose functions can be run."""

    def __init__(self, name, folder):
        self.folder = folder
        self.count = 0
        source = folder / "in.mlir"
        source.write_text((PROGRAMS / f"{name}.mlir").read_text() + TRANSFORMATIONS)
        self.module = folder / "module.mlir"
        self._run([engines.tool("ms-opt"), "--mindir-autodiff-pipeline", str(source),
                   "-o", str(self.module)])

    def _run(self, command):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-4000:]

    def __call__(self, function, *arrays):
        """The last result of a function."""
        self.count += 1
        folder = self.folder / str(self.count)
        folder.mkdir()
        command = [engines.tool("ms-run"), "--reference", f"--entry={function}",
                   f"--output-directory={folder}", str(self.module)]
        for i, array in enumerate(arrays):
            np.save(folder / f"in{i}.npy", array)
            command.append(f"--input={folder}/in{i}.npy")
        self._run(command)
        return np.load(max(folder.glob(f"{function}.*.npy")))

    def difference(self, function, x, direction, *rest):
        return (self(function, x + STEP * direction, *rest)
                - self(function, x - STEP * direction, *rest)) / (2 * STEP)


@pytest.mark.parametrize("name", sorted(path.stem for path in PROGRAMS.glob("*.mlir")))
@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_derivatives_of_program(name, count, tmp_path):
    f = Program(name, tmp_path)
    x, v, w = np.array([0.7, 1.1]), np.array([0.3, -0.8]), np.array([-0.2, 0.5])
    n = np.array(count)
    near = {"rtol": 1e-5, "atol": 1e-7}
    slope = f("jvp", x, n, v)
    np.testing.assert_allclose(slope, f.difference("f", x, v, n), **near)
    np.testing.assert_allclose(f("g", x, n) @ v, slope, rtol=1e-10, atol=1e-12)
    curvature = f.difference("g", x, v, n)
    second = f("reverse_reverse", x, n, v)
    np.testing.assert_allclose(second, curvature, **near)
    for order in ("forward_reverse", "reverse_forward"):
        np.testing.assert_allclose(f(order, x, n, v), second, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(f("forward_forward", x, n, v), second @ v, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(f("third", x, n, v, w),
                               f.difference("reverse_reverse", x, w, n, v), **near)
