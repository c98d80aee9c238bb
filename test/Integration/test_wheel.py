"""`pip install .` into a fresh environment: what it installs works elsewhere, alone.

Compiles everything, so that it belongs to the slow tier. By hand:

    python3 -m venv /tmp/fresh && /tmp/fresh/bin/pip install .
    cd /tmp && /tmp/fresh/bin/python -m mindir script.py && /tmp/fresh/bin/ms-opt --version
"""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import numpy as np
import mindspore as ms
from mindspore import Tensor, ops

@ms.jit
def f(x):
    while x.sum() < 100.0:
        x = ops.matmul(x, x) + 1
    return x

a = Tensor(np.ones((300, 300), np.float32))
assert (a @ a)[0, 0] == 300
print(f(Tensor(np.ones((2, 2), np.float32))).tolist())
"""

PROGRAM = """
#include "f.h"
#include <stdio.h>
int main(void) {
  float x[4] = {1, 1, 1, 1}, y[4];
  if (f(x, y) != 0)
    return 1;
  printf("%g\\n", y[3]);
  return 0;
}
"""


@pytest.mark.slow
def test_an_installed_wheel(tmp_path):
    def run(*command):
        return subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)}).stdout

    fresh = tmp_path / "fresh"
    subprocess.run([sys.executable, "-m", "venv", fresh], check=True)
    # A build folder of the checkout can use the compiler cache.
    subprocess.run([fresh / "bin/pip", "install", "-q", ".", "-C", "build-dir=build-wheel"], cwd=ROOT, check=True)
    (tmp_path / "script.py").write_text(SCRIPT)
    assert run(fresh / "bin/python", "-m", "mindir", "script.py") == "[[723.0, 723.0], [723.0, 723.0]]\n"
    assert "LLVM version 22" in run(fresh / "bin/ms-opt", "--version")
    run(fresh / "bin/ms-compile", "script.py:f", "-o", "f.o", "--input=float32[2,2]")
    folder = run(fresh / "bin/python", "-c", "import mindir; print(*mindir.__path__)").strip()
    (tmp_path / "main.c").write_text(PROGRAM)
    run("cc", "main.c", "f.o", f"-I{folder}/include", f"-L{folder}", "-lmindrt", f"-Wl,-rpath,{folder}", "-o", "main")
    assert run(tmp_path / "main") == "723\n"
