"""The quickstart's program, cut short: both modes train, and jit compiles the whole step."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_digits(tmp_path):
    command = [sys.executable, "-m", "mindir", "--explain", str(ROOT / "docs/Tutorial/digits.py"),
               "--seeds", "1", "--epochs", "1"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    done = subprocess.run(command, cwd=tmp_path, env=environment, timeout=280, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told = done.stdout + done.stderr
    jit, eager = re.findall(r"^residual net, (?:jit|eager) .*?([\d.]+)%$", done.stdout.replace(")", ""), re.M)
    assert jit == eager and float(jit) > 25, told
    assert "all of 2 jitted functions" in told and "(100.0 %)" in told.splitlines()[-1], told
    assert "fallback" not in told, told
    dumped = sorted(p.name for p in (tmp_path / "digits-ir").glob("*.mlir"))
    step = (tmp_path / "digits-ir" / dumped[0]).read_text()
    assert dumped[0] == "00_parse.mlir" and "mindir.vjp" in step and "mindir.updates" in step
