"""Which rules each op of the dialect has: what the build knows (build/bin/op-rules) joined
with what the ODS files say, among it why an op does without a rule."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
KINDS = ["inference", "derivative", "batching", "sharding", "reference", "lowering"]
COLUMNS = {"inference": "inference", "derivative": "VJP, JVP", "batching": "batching",
           "sharding": "sharding", "reference": "reference", "lowering": "lowering"}


@dataclasses.dataclass
class Op:
    """One op: its name, whether it is documented, the rules that it has, the reasons of
    those that it does without (kind -> text), and what else the table shows."""
    name: str
    documented: bool
    has: dict
    without: dict
    verifier: str
    folder: bool
    precision: str

    def gaps(self):
        """What is missing, or declared as missing although it is there."""
        found = [] if self.documented else ["documentation"]
        found += [kind for kind in KINDS if not self.has[kind] and kind not in self.without]
        return found + [f"{kind}, which it has, declared as missing" for kind in self.without
                        if self.has.get(kind, True)]


def query():
    """Op name -> what the build knows of it."""
    build = pathlib.Path(os.environ.get("MINDIR_BUILD_DIR", ROOT / "build"))
    program = build / "bin/op-rules"
    if not program.exists():
        sys.exit(f"op_rules.py: expected the program {program}; build the target op-rules first")
    return json.loads(subprocess.run([program], capture_output=True, text=True,
                                     check=True).stdout)


def collect(records, built, count_constraints):
    """Every op of the ODS `records`, in their order; `count_constraints` gives the number
    of an op's own constraints. Fails if the build has other ops."""
    ops = [records[name] for name in records["!instanceof"]["MindIR_Op"]]
    ops.sort(key=lambda record: int(record["!locs"][0].split(":")[1]))
    named = {record["opName"] for record in ops}
    if named != set(built):
        sys.exit(f"op_rules.py: the ODS files and build/bin/op-rules differ in the ops "
                 f"{sorted(named ^ set(built))}; build the target op-rules again")
    found = []
    for record in ops:
        known = built[record["opName"]]
        reasons = [records[entry["def"]] for entry in record["without"]]
        count = count_constraints(record)
        found.append(Op(record["opName"], bool(record.get("summary")),
                        {kind: known[kind] for kind in KINDS},
                        {reason["kind"]: reason["reason"] for reason in reasons},
                        f"types, c1–c{count}" if count > 1 else "types, c1" if count else "types",
                        bool(record["hasFolder"] or record["hasCanonicalizeMethod"]
                             or record["hasCanonicalizer"]), known["precision"] or "–"))
    return found


def table(ops):
    """The table of all ops, and under it why some do without a rule."""
    reasons = {}
    for op in ops:
        for kind, text in op.without.items():
            reasons.setdefault((COLUMNS[kind], text), []).append(op.name)
    numbers = {key: i for i, key in enumerate(sorted(reasons), 1)}
    head = ["op", "inference", "verifier", "folder", "VJP, JVP", "batching", "sharding",
            "precision", "reference", "lowering"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for op in ops:
        cells = {COLUMNS[kind]: "yes" if op.has[kind] else
                 f"– ({numbers[COLUMNS[kind], op.without[kind]]})" if kind in op.without
                 else "**missing**" for kind in KINDS}
        cells |= {"op": f"`{op.name}`", "verifier": op.verifier,
                  "folder": "yes" if op.folder else "–", "precision": op.precision}
        lines.append("| " + " | ".join(cells[name] for name in head) + " |")
    lines += ["", "Ops do without a rule where none makes sense:", ""]
    lines += [f"{numbers[key]}. {key[0]}: {key[1]} ({', '.join(f'`{n}`' for n in reasons[key])})."
              for key in sorted(reasons)]
    return "\n".join(lines)
