#!/usr/bin/env python3
"""Generates docs/Spec.md, docs/Dialects.md and docs/Passes.md from the ODS files.

    tools/dev/generate_docs.py            writes the files
    tools/dev/generate_docs.py --check    exits with 1 if one is out of date

Needs build/bin/op-rules, which says what rules the build has for each op.
"""

import argparse
import json
import pathlib
import re
import shutil
import subprocess
import sys

import op_rules

ROOT = pathlib.Path(__file__).resolve().parents[2]
DIALECT = ROOT / "include/mindir/Dialect/MindIR/IR"
NOTICE = "<!-- Made by tools/dev/generate_docs.py; edit the ODS files instead. -->\n\n"
RULES = """What the build knows of each op, and of what is checked: operand and result types,
and the numbered constraints of the [specification](Spec.md). A folder is there where
something folds. `precision` is the category of `PrecisionOpInterface`.

"""
FAMILIES = ["Elementwise", "Reduction", "Linear", "Normalization", "Movement", "Indexing",
            "Random", "State", "Collective", "ControlFlow", "Schedule"]


def find_program(name):
    """A tablegen program of the LLVM that the project is built with."""
    for candidate in (f"{name}-22", name):
        if path := shutil.which(candidate):
            return path
    sys.exit(f"generate_docs.py: there is no {name}-22 or {name} on PATH; install the "
             "packages that tools/dev/setup lists")


def upstream_include():
    """The folder with MLIR's own ODS files."""
    program = find_program("llvm-config")
    return subprocess.run([program, "--includedir"], capture_output=True, text=True,
                          check=True).stdout.strip()


def tablegen(program, file, *options):
    command = [find_program(program), *options, "-I", str(ROOT / "include"),
               "-I", upstream_include(), str(file)]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"generate_docs.py: {' '.join(command)}\n{result.stderr}")
    return result.stdout


# ------------------------------------------------------------------- records


def read_records():
    return json.loads(tablegen("llvm-tblgen", DIALECT / "MindIR.td", "--dump-json"))


def constraint_names(records):
    """Long generated descriptions of operand types -> the names ODS gives them."""
    names = {}
    for name, record in records.items():
        if name.startswith("MindIR_") and isinstance(record, dict) and record.get("summary"):
            if "TypeConstraint" in record["!superclasses"]:
                names.setdefault(record["summary"], name.removeprefix("MindIR_"))
    return names


def short_type(records, name):
    """A reader's name for an ODS type or attribute constraint."""
    record = records.get(name, {})
    if name.startswith("MindIR_"):
        return name.removeprefix("MindIR_")
    base = record.get("baseType") or record.get("baseAttr")
    if base and "anonymous" in name:
        inner = short_type(records, base["def"])
        kind = "any number of " if "Variadic" in record["!superclasses"] else ""
        return kind + inner
    if "anonymous" in name:
        return record.get("summary") or "attribute"
    return name


def dedent(text):
    lines = (text or "").strip("\n").splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    cut = min(indents, default=0)
    # A description may be joined of a text without and one with indentation.
    return "\n".join(line[cut:] if cut else re.sub(r"^    ", "", line) for line in lines).strip()


# ---------------------------------------------------------------------- Spec


def split_constraints(description):
    """The description without its list of constraints, and the list."""
    items, rest, current = [], [], None
    for line in description.splitlines():
        if match := re.match(r"- \(c(\d+)\) (.*)", line):
            current = [int(match[1]), match[2]]
            items.append(current)
        elif current is not None and line.startswith("  ") and line.strip():
            current[1] += " " + line.strip()
        else:
            current = None
            if line.strip() != "Constraints:":
                rest.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(rest)).strip(), items


def constraints_of(records, record):
    """The description without its list of constraints, and the list; an op may say that
    its constraints are those of another."""
    text, items = split_constraints(dedent(record.get("description")))
    if shared := re.search(r"Constraints: those of `(\w+)`\.\n*", text):
        text = text.replace(shared[0], "").strip()
        other = next(records[name] for name in records["!instanceof"]["MindIR_Op"]
                     if records[name]["opName"] == shared[1])
        items = constraints_of(records, other)[1]
    return text, items


def describe_op(records, record):
    name = record["opName"]
    text, constraints = constraints_of(records, record)
    lines = [f"### {name}", "", record.get("summary", ""), ""]
    if text:
        lines += [text, ""]
    lines += ["| id | value | type |", "| --- | --- | --- |"]
    for i, (entry, argument) in enumerate(record["arguments"]["args"], 1):
        lines.append(f"| {name}_i{i} | `{argument}` | {short_type(records, entry['def'])} |")
    for i, (entry, result) in enumerate(record["results"]["args"], 1):
        lines.append(f"| {name}_o{i} | `{result}` | {short_type(records, entry['def'])} |")
    lines.append("")
    if constraints:
        lines += ["| id | constraint |", "| --- | --- |"]
        lines += [f"| {name}_c{number} | {text} |" for number, text in constraints]
        lines.append("")
    return "\n".join(lines)


def make_spec(records):
    ops = [records[name] for name in records["!instanceof"]["MindIR_Op"]]
    ops.sort(key=lambda record: int(record["!locs"][0].split(":")[1]))
    parts = [NOTICE + "# Specification of the ops\n\n"
             "Inputs (`_i`), results (`_o`) and constraints (`_c`) are numbered; the id of a "
             "constraint stands in its verifier and its tests. What the types say is checked "
             "by the definition itself. Ops that share a verifier share the id there "
             "(`reduce_c1`). A constraint on sizes that types do not know is checked when "
             "run.\n"]
    for family in FAMILIES:
        parts.append(f"## {family}\n")
        mine = [op for op in ops if f"{family}Ops.td" in op["!locs"][-1]
                or f"{family}Ops.td" in op["!locs"][0]]
        parts += [describe_op(records, op) for op in mine]
    return "\n".join(parts).rstrip() + "\n"


# ------------------------------------------------------- Dialects and Passes


def make_dialects(records):
    text = tablegen("mlir-tblgen", DIALECT / "MindIR.td", "-gen-dialect-doc", "-dialect=mindir")
    names = constraint_names(records)
    for summary in sorted(names, key=len, reverse=True):
        text = text.replace(f"| {summary} |", f"| {names[summary]} |")
        text = text.replace(f"| variadic of {summary} |", f"| variadic of {names[summary]} |")
    text = re.sub(r"<!--.*?-->\n*", "", text).replace("[TOC]\n\n", "")
    legend = "\n".join(f"- {name}: {summary}" for summary, name in sorted(
        names.items(), key=lambda item: item[1]) if "Tensor" in name)
    return (NOTICE + text.strip() + "\n\n## Operand types\n\n" + legend +
            "\n\n## Rules of each op\n\n" + RULES + op_rules.table(read_rules(records)) + "\n")


def read_rules(records):
    """What each op has, as op_rules.Op."""
    return op_rules.collect(records, op_rules.query(),
                            lambda record: len(constraints_of(records, record)[1]))


def make_passes(_records):
    parts = [NOTICE + "# Passes\n"]
    for file in sorted((ROOT / "include/mindir").rglob("Passes.td")):
        group = file.parent.relative_to(ROOT / "include/mindir").as_posix()
        text = re.sub(r"<!--.*?-->\n*", "", tablegen("mlir-tblgen", file, "-gen-pass-doc"))
        parts.append(f"## {group}\n\n{text.strip()}\n")
    return "\n".join(parts)


DOCS = {"Spec.md": make_spec, "Dialects.md": make_dialects, "Passes.md": make_passes}


def generate():
    """File name -> contents, for every generated document."""
    records = read_records()
    return {name: make(records) for name, make in DOCS.items()}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true",
                        help="write nothing; fail if a file is out of date")
    options = parser.parse_args()
    stale = []
    for name, text in generate().items():
        path = ROOT / "docs" / name
        if path.exists() and path.read_text() == text:
            continue
        stale.append(path.relative_to(ROOT).as_posix())
        if not options.check:
            path.write_text(text)
    if stale:
        print(("out of date: " if options.check else "wrote ") + ", ".join(stale))
    return int(bool(stale) and options.check)


if __name__ == "__main__":
    sys.exit(main())
