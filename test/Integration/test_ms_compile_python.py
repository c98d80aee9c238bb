"""ms-compile of file.py:function: C programs give the numbers that Python gives."""

import os
import subprocess
import sys

import numpy as np
import pytest

from test_ms_compile import BUILD, ROOT, RUNTIMES, link, run

NET = """
import numpy as np
import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops

ms.set_seed(1)

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3)

    def construct(self, x):
        return ops.tanh(self.fc(x))

net = Net()
seen = Parameter(Tensor(np.zeros(4, np.float32)), name="seen")
example_inputs = (Tensor(np.ones((2, 4), np.float32)), 2.0)

@ms.jit
def predict(x, factor=0.5):
    while (x * x).sum() > 1.0:
        x = x * factor
    return net(x), x.sum()

def count(x):
    ops.assign_add(seen, x.sum(0))
    return {"twice": x * 2, "seen": seen + 0}

def scale(x, factor):
    return x * factor

def raises(x):
    if x.sum() > 0:
        raise ValueError("positive")
    return x

def foreign(x):
    print(open("/dev/null").read())
    return x

def wrong(x):
    return ops.matmul(x, x)
"""

PREDICT = """
#include "net.h"
#include "mindir-c/Runtime.h"
#include <stdio.h>

int main(void) {
  float x[12], *y, sum;
  int64_t sizes[2] = {3, 4}, found[2];
  for (int i = 0; i < 12; ++i)
    x[i] = 0.25f * i;
  if (net(x, sizes, &y, found, &sum) != 0)
    return 1;
  for (int i = 0; i < found[0] * found[1]; ++i)
    printf("%.9g\\n", y[i]);
  printf("%.9g\\n", sum);
  mindrt_free(y);
  return 0;
}
"""

COUNT = """
#include "net.h"
#include <stdio.h>

int main(void) {
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, seen[4] = {0}, twice[8], sum[4];
  if (net(x, seen, twice, sum) || net(x, seen, twice, sum))
    return 1;
  printf("%g %g %g\\n", seen[0], twice[7], sum[3]);
  return 0;
}
"""


def compile_function(tmp_path, name, *options):
    (tmp_path / "net.py").write_text(NET)
    return subprocess.run([BUILD / "bin/ms-compile", f"net.py:{name}", "-o", "net.o", f"--python={sys.executable}",
                           *options], cwd=tmp_path, capture_output=True, text=True)


def in_python(tmp_path, text):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    script = NET + "\n" + text
    (tmp_path / "script.py").write_text(script)
    done = subprocess.run([sys.executable, "-m", "mindir", "script.py"], check=True, capture_output=True, text=True,
                          cwd=tmp_path, env=environment)
    return [float(v) for v in done.stdout.split()]


@pytest.mark.parametrize("runtime", ["shared", "static"])
def test_a_function_of_a_cell(tmp_path, runtime):
    """An open size, a loop on data, baked Parameters; no Python, no LLVM."""
    result = compile_function(tmp_path, "predict", "--input=float32[?,4]")
    assert result.returncode == 0, result.stderr
    assert "constants, with the values at compilation: the Parameter fc.weight" in (tmp_path / "net.h").read_text()
    link(tmp_path, PREDICT, [tmp_path / "net.o", *RUNTIMES[runtime]])
    expected = in_python(tmp_path, """
x = Tensor((0.25 * np.arange(12)).astype(np.float32).reshape(3, 4))
y, total = predict(x)
print(*y.asnumpy().ravel(), total.item())
""")
    np.testing.assert_allclose([float(v) for v in run(tmp_path).split()], expected, rtol=1e-5)
    needed = subprocess.run(["ldd", tmp_path / "program"], capture_output=True, text=True).stdout
    assert "LLVM" not in needed and "python" not in needed and "MLIR" not in needed


def test_what_is_written_is_an_argument(tmp_path):
    result = compile_function(tmp_path, "count", "--input=float32[2,4]")
    assert result.returncode == 0, result.stderr
    assert "input1: the Parameter seen, updated" in (tmp_path / "net.h").read_text()
    link(tmp_path, COUNT, [tmp_path / "net.o", *RUNTIMES["static"]])
    assert run(tmp_path) == "12 16 24\n"


def test_parameters_as_arguments_and_the_order_of_arguments(tmp_path):
    result = compile_function(tmp_path, "net", "--input=float32[2,4]", "--parameters=arguments")
    assert result.returncode == 0, result.stderr
    header = (tmp_path / "net.h").read_text()
    assert [line.split(": ")[1].removesuffix(" */") for line in header.splitlines() if line.strip().startswith("input")] == \
        ["x", "the Parameter fc.weight", "the Parameter fc.bias"]
    assert "const float *input1, /**< float32[3, 4] */" in header


def test_the_files_own_example(tmp_path):
    """Tensors are arguments, numbers constants."""
    result = compile_function(tmp_path, "scale")
    assert result.returncode == 0, result.stderr
    header = (tmp_path / "net.h").read_text()
    assert "const float *input0, /**< float32[2, 4] */" in header and "input1" not in header


@pytest.mark.parametrize("name, options, text", [
    ("missing", ["--input=float32[2]"], "expected a function or Cell 'missing' in"),
    ("wrong", ["--input=float32[2,3]"], "net.py\", line"),
    ("foreign", ["--input=float32[2]"], "print(open(\"/dev/null\").read())"),
    ("raises", ["--input=float32[2]"], "may raise"),
    ("scale", ["--input=float32[2]"], "factor"),
    ("scale", ["--input=float31[2]"], "expected a type such as float32[2,?]"),
    ("scale", ["--example=nothing"], "named nothing"),
    ("scale", ["--python=no-such-python"], "found no 'no-such-python'"),
])
def test_errors(tmp_path, name, options, text):
    result = compile_function(tmp_path, name, *options)
    assert result.returncode == 1
    assert text in result.stderr and "Traceback (most recent call last):\n  File \"<" not in result.stderr


def test_options_that_are_for_python_only(tmp_path):
    (tmp_path / "net.mlir").write_text("func.func @main() { return }")
    result = subprocess.run([BUILD / "bin/ms-compile", "net.mlir", "-o", "net.o", "--input=float32[2]"], cwd=tmp_path,
                            capture_output=True, text=True)
    assert result.returncode == 1 and "--input" in result.stderr
