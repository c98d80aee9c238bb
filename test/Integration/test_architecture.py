"""docs/Architecture.md shows what the phases really make of its program."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).parents[2]


def test_phases_shown_are_current():
    result = subprocess.run([sys.executable, ROOT / "tools/dev/generate_architecture.py", "--check"],
                            capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
