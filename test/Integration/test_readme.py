"""The README's examples do what it says."""

import os
import pathlib
import re
import subprocess
import sys

import numpy as np

ROOT = pathlib.Path(__file__).parents[2]


def _block(language, word):
    """The first fenced block of a language that contains a word."""
    blocks = re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    return next(block for block in blocks if word in block)


def _run(command, folder):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    return subprocess.run(command, cwd=folder, env=environment, check=True, timeout=120,
                          capture_output=True, text=True).stdout


def test_python_example(tmp_path):
    script = tmp_path / "example.py"
    script.write_text(_block("python", "newton_sqrt"))
    value, gradient = _run([sys.executable, str(script)], tmp_path).strip().splitlines()
    np.testing.assert_allclose(np.fromstring(value.strip("[]"), sep=" "), [2 ** 0.5, 3], rtol=1e-6)
    np.testing.assert_allclose(np.fromstring(gradient.strip("[]"), sep=" "), [0.5 / 2 ** 0.5, 1 / 6],
                               rtol=1e-4)


def test_command_line_example(tmp_path):
    commands = _block("sh", "ms-opt").replace("build/bin", str(ROOT / "build/bin"))
    output = _run(["bash", "-e", "-c", commands], tmp_path)
    assert "mindir.vjp" not in output
    assert "mindir.mul %arg1, %arg0" in output
