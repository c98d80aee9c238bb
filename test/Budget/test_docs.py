"""Generated documents are up to date, every constraint has its verifier and its test, and
every op has its rules."""

import pathlib
import re
import subprocess
import sys

from mindir.knobs import KNOBS

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools/dev/generate_docs.py"
sys.path.insert(0, str(SCRIPT.parent))

import generate_docs  # noqa: E402

# Constraints on what types do not know, checked when run; and what upstream's
# DestinationStyleOpInterface checks.
CHECKED_ELSEWHERE = {"broadcast_to_c4", "launch_c2"}


def test_generated_docs_are_up_to_date():
    result = subprocess.run([sys.executable, str(SCRIPT), "--check"], capture_output=True,
                            text=True)
    assert result.returncode == 0, (
        f"{result.stdout}{result.stderr}run tools/dev/generate_docs.py and commit the result")


def _shared_ids(constraint):
    """`reduce_sum_c1` may stand in a verifier as `reduce_c1`, which ops share."""
    op, number = constraint.rsplit("_c", 1)
    words = op.split("_")
    return {"_".join(words[:count]) + f"_c{number}" for count in range(1, len(words) + 1)}


def _constraints():
    spec = (ROOT / "docs/Spec.md").read_text()
    constraints = set(re.findall(r"^\| ([a-z_0-9]+_c\d+) \|", spec, re.MULTILINE))
    assert len(constraints) > 60
    return constraints


def test_every_constraint_has_a_verifier():
    constraints = _constraints()
    named = set()
    for path in (ROOT / "lib").rglob("*.cpp"):
        # Also `reshape_c1, _c2`.
        for op, numbers in re.findall(r"\b([a-z_0-9]+?)((?:(?:, )?_c\d+)+)\b", path.read_text()):
            named |= {f"{op}_c{number}" for number in re.findall(r"_c(\d+)", numbers)}
    missing = [name for name in sorted(constraints - CHECKED_ELSEWHERE)
               if not named & _shared_ids(name)]
    assert not missing, f"constraints that no source names: {missing}"


def test_every_constraint_has_a_test():
    """Each is broken by a function of its name in a file of invalid IR, or, when it is
    checked in a run, named by a test of that."""
    named = set()
    for folder in ("test/Dialect/MindIR/verify", "test/Interpreter"):
        for path in (ROOT / folder).glob("*.mlir"):
            # Also `@matmul_c1_dtype`, a second way to break it.
            named |= set(re.findall(r"^func\.func @(\w+?_c\d+)(?:_[a-z]+)*\(", path.read_text(),
                                    re.MULTILINE))
    missing = sorted(_constraints() - named)
    assert not missing, f"constraints that no test names: {missing}"
    unknown = sorted(named - _constraints())
    assert not unknown, f"tests of constraints that the specification has not: {unknown}"


def test_every_op_has_its_rules():
    """Or says in its definition, by `without`, why it has none."""
    gaps = {op.name: op.gaps() for op in generate_docs.read_rules(generate_docs.read_records())
            if op.gaps()}
    assert not gaps


def test_every_environment_variable_is_documented():
    named = set(KNOBS)
    for folder in ("lib", "tools"):
        for file in (ROOT / folder).rglob("*.cpp"):
            named |= set(re.findall(r'getenv\("(MINDIR_\w+)"\)', file.read_text()))
    assert named == set(KNOBS), "read in C++ but not in knobs.py"
    rows = set(re.findall(r"^\| `(MINDIR_\w+)` \|", (ROOT / "README.md").read_text(), re.M))
    assert rows == named
