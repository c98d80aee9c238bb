#!/usr/bin/env python3
"""Writes the example program after each phase into docs/Architecture.md.

    tools/dev/generate_architecture.py            writes the file
    tools/dev/generate_architecture.py --check    exits with 1 if it is out of date

Needs build/bin/ms-opt.
"""

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs/Architecture.md"
PROGRAM = ROOT / "docs/Tutorial/training-step.mlir"
# What follows, code generation, is long and holds nothing to read.
PHASES = ["simplify", "autodiff", "layout", "decompose", "linalg", "fusion", "memory"]


def after(phase):
    """The program's IR after a phase."""
    result = subprocess.run([ROOT / "build/bin/ms-opt", PROGRAM,
                             f"--mindir-cpu-pipeline=compile-to={phase}"],
                            capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"generate_architecture.py: {result.stderr}")
    return result.stdout.strip()


def sections():
    """Each phase with its IR; a phase that changed nothing says so."""
    before, parts = None, []
    for phase in PHASES:
        text = after(phase)
        shown = "Nothing changes here.\n" if text == before else f"```mlir\n{text}\n```\n"
        parts.append(f"### {phase}\n\n{shown}\n")
        before = text
    return "".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if the file is out of date")
    options = parser.parse_args()
    old = DOCUMENT.read_text()
    new = re.sub(r"(<!-- phases -->\n).*(<!-- end of phases -->)",
                 lambda match: match[1] + "\n" + sections() + match[2], old, flags=re.S)
    if new == old:
        return 0
    if options.check:
        print("docs/Architecture.md is out of date: run tools/dev/generate_architecture.py")
        return 1
    DOCUMENT.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
