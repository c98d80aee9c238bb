"""The syntax tree of a function object: of a def by `source`, of a lambda by its place."""

import ast
import inspect
import linecache
import types

from . import source as _source
from .errors import Refused

_definitions = {}


def definition(function):
    """The `ast.FunctionDef` or `ast.Lambda` of a function; Refused when there is no text."""
    code = function.__code__
    if code not in _definitions:
        _definitions[code] = _lambda(code) if code.co_name == "<lambda>" else _def(function)
    found = _definitions[code]
    if isinstance(found, str):
        raise Refused(found)
    return found


def _def(function):
    if function.__code__.co_flags & inspect.CO_GENERATOR:
        return "a generator"
    try:
        return _source.function_ast(function)
    except _source.NoSource as e:
        return str(e)


def _lambda(code):
    """The lambda whose first instruction lies at the place that the code names."""
    lines = linecache.getlines(code.co_filename)
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError):
        tree = None
    if not lines or tree is None:
        return "a lambda without source text"
    places = {p[:1] + p[2:3] for p in code.co_positions() if p[0] is not None and p[2] is not None}
    names = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    for node in ast.walk(tree):
        if isinstance(node, ast.Lambda) and _holds(node, code, names, places):
            return node
    return "a lambda without source text"


def _holds(node, code, names, places):
    if node.lineno > code.co_firstlineno or (node.end_lineno or 0) < code.co_firstlineno:
        return False
    a = node.args
    if tuple(x.arg for x in a.posonlyargs + a.args + a.kwonlyargs) != names:
        return False
    return (node.body.lineno, node.body.col_offset) in places or \
        any((n.lineno, n.col_offset) in places for n in ast.walk(node.body) if hasattr(n, "lineno"))
