"""Budgets that keep the project readable: sizes of files, functions and paths."""

import ast
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_LINES = {".cpp": 800, ".h": 800, ".td": 800, ".py": 800, ".mlir": 800}
MAX_MODULE_LINES = 500  # of the Python package
MAX_FUNCTION_LINES = 60
MAX_MAIN_LINES = 60  # of a tool, whose work is in a library
MAX_PATH = 75


def tracked(*suffixes):
    """Files under version control, or else all files of the source folders."""
    listing = subprocess.run(["git", "-C", str(ROOT), "ls-files"], capture_output=True, text=True)
    names = listing.stdout.split() if listing.returncode == 0 else [
        path.relative_to(ROOT).as_posix()
        for folder in ("include", "lib", "tools", "python", "test", "docs", "cmake")
        for path in (ROOT / folder).rglob("*") if path.is_file()]
    return [ROOT / name for name in names
            if name.endswith(suffixes or "") and (ROOT / name).is_file()]


def relative(path):
    return path.relative_to(ROOT).as_posix()


def count_lines(path):
    return len(path.read_text().splitlines())


def test_files_are_short():
    long = {relative(path): count_lines(path) for path in tracked(*MAX_LINES)
            if count_lines(path) > MAX_LINES[path.suffix]}
    assert not long, f"files of more lines than {MAX_LINES}: {long}"


def test_python_modules_are_short():
    long = {relative(path): count_lines(path) for path in tracked(".py")
            if relative(path).startswith("python/") and count_lines(path) > MAX_MODULE_LINES}
    assert not long, f"modules of more than {MAX_MODULE_LINES} lines: {long}"


def test_tools_are_mains():
    long = {relative(path): count_lines(path) for path in tracked(".cpp")
            if re.match(r"tools/ms-", relative(path)) and count_lines(path) > MAX_MAIN_LINES}
    assert not long, f"mains of more than {MAX_MAIN_LINES} lines: {long}"


def python_functions(path):
    """(name, lines) of each function, without its docstring."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            has_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
            docstring = first.end_lineno - first.lineno + 1 if has_docstring else 0
            yield node.name, node.end_lineno - node.lineno + 1 - docstring


def cpp_functions(path):
    """(first line, lines) of each function defined at the left margin."""
    scope = re.compile(r"(template <.*> )?(namespace|class|struct|enum|union|extern)\b")
    statement, start = "", None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if start is not None and line.startswith("}"):
            yield f"line {start}", number - start + 1
            start = None
        elif start is None and line and line[0] not in " #/}" and (
                not re.match(r"(public|private|protected):", line)):
            statement = line if not statement.startswith("template <") else statement + " " + line
        if start is None and line.endswith("{") and not scope.match(statement):
            if "=" not in statement:
                start = number
        if line.endswith(("{", ";", "}")):
            statement = "" if not scope.match(statement) else statement


@pytest.mark.parametrize("suffix, functions", [(".py", python_functions),
                                               (".cpp", cpp_functions)])
def test_functions_are_short(suffix, functions):
    long = [f"{relative(path)}: {name}: {lines} lines" for path in tracked(suffix)
            for name, lines in functions(path) if lines > MAX_FUNCTION_LINES]
    assert not long, f"functions of more than {MAX_FUNCTION_LINES} lines: {long}"


def test_paths_are_short():
    long = [relative(path) for path in tracked() if len(relative(path)) >= MAX_PATH]
    assert not long, f"paths of {MAX_PATH} characters or more: {long}"


def test_todos_name_an_issue():
    pattern = re.compile(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))")
    found = [f"{relative(path)}:{number}" for path in tracked(".cpp", ".h", ".td", ".py", ".mlir")
             if path != pathlib.Path(__file__)
             for number, line in enumerate(path.read_text().splitlines(), 1)
             if pattern.search(line)]
    assert not found, f"write TODO(#<issue>), or do it: {found}"
