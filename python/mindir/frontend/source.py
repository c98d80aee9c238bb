"""The source text of a function object as an AST that carries the user's file
lines and columns, checked against the code object that the function runs."""

from __future__ import annotations

import __future__
import ast
import dis
import inspect
import linecache
import types
import warnings
from typing import List, Optional

_FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    _FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag


class NoSource(Exception):
    """The text of the function cannot be had or does not belong to its code."""


def function_ast(function: types.FunctionType) -> ast.FunctionDef:
    """Returns the definition of `function`; a `None` stands for its decorators, so
    that the code compiled from it begins at the line where the user's begins. Line and column numbers are those of the user's file. The text comes from
    `inspect`, else from what is registered in `linecache` (notebooks, exec with
    a registered text). Raises `NoSource` for a lambda, a coroutine, a function
    without text, or a text that is not (any more) that of the code.
    """
    code = function.__code__
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise NoSource("a coroutine is not rewritten")
    node = _definition(_block(function), code)
    if node.decorator_list:
        first = node.decorator_list[0]
        node.decorator_list = [ast.copy_location(ast.Constant(value=None), first)]
    if not _belongs(node, function):
        raise NoSource("the text in %s is not that of the running code of %s"
                       % (code.co_filename, code.co_qualname))
    return node


def _block(function: types.FunctionType) -> List[str]:
    code = function.__code__
    try:
        return inspect.getsourcelines(code)[0]
    except (OSError, TypeError, IndexError, SyntaxError):
        pass
    lines = linecache.getlines(code.co_filename, function.__globals__)[code.co_firstlineno - 1:]
    try:
        if lines:
            return inspect.getblock(lines)
    except (IndexError, SyntaxError):
        pass
    raise NoSource("no source text for %s" % code.co_qualname)


def _definition(lines: List[str], code: types.CodeType) -> ast.FunctionDef:
    # An indented block is parsed under a header of its own: dedenting the text
    # would change the strings and the columns in it.
    indented = bool(lines) and lines[0][:1] in (" ", "\t")
    text = ("if 1:\n" if indented else "") + "".join(lines)
    try:
        tree = ast.parse(text, filename=code.co_filename)
    except (SyntaxError, ValueError):
        raise NoSource("the text of %s cannot be parsed alone" % code.co_qualname) from None
    ast.increment_lineno(tree, code.co_firstlineno - (2 if indented else 1))
    body = tree.body[0].body if indented else tree.body
    if len(body) != 1 or not isinstance(body[0], ast.FunctionDef) or body[0].name != code.co_name:
        raise NoSource("%s is not defined by a def statement" % code.co_qualname)
    return body[0]


def _belongs(node: ast.FunctionDef, function: types.FunctionType) -> bool:
    """Whether compiling `node` gives the running code. A text with `assert` may
    have been rewritten by a test runner, and a function nested in a residual one
    was rewritten by us; then only the interface is compared."""
    code = function.__code__
    mine = compile_function(node, function)
    same_interface = (mine.co_varnames[:_argument_count(mine)] == code.co_varnames[:_argument_count(code)]
                      and set(mine.co_freevars) <= set(code.co_freevars))
    if is_residual(code) or any(isinstance(n, ast.Assert) for n in ast.walk(node)):
        return same_interface
    return same_interface and _equal(mine, code)


def is_residual(code: types.CodeType) -> bool:
    """Whether `code` is residual Python: it holds its dispatcher as a constant."""
    return any(getattr(type(c), "belongs_to_residual_code", False) for c in code.co_consts)


def _equal(a: types.CodeType, b: types.CodeType) -> bool:
    """Whether two code objects do the same on the same lines."""
    return (a.co_firstlineno == b.co_firstlineno and len(a.co_consts) == len(b.co_consts)
            and (a.co_code == b.co_code and a.co_names == b.co_names
                 or _instructions(a) == _instructions(b))
            and all(_equal(x, y) if isinstance(x, types.CodeType) and isinstance(y, types.CodeType)
                    else repr(x) == repr(y) for x, y in zip(a.co_consts, b.co_consts)))


def _instructions(code: types.CodeType) -> list:
    """The instructions without what depends on the rest of the module: a call of
    an attribute of an imported name is compiled unlike other method calls."""
    out = []
    for i in dis.get_instructions(code):
        if i.opname in ("PUSH_NULL", "EXTENDED_ARG"):
            continue
        name = "LOAD_ATTR" if i.opname == "LOAD_METHOD" else i.opname
        jump = i.opcode in dis.hasjrel or i.opcode in dis.hasjabs
        local = jump or isinstance(i.argval, types.CodeType)
        out.append((name, None if local else repr(i.argval)))
    return out


def _argument_count(code: types.CodeType) -> int:
    varargs = bool(code.co_flags & inspect.CO_VARARGS) + bool(code.co_flags & inspect.CO_VARKEYWORDS)
    return code.co_argcount + code.co_kwonlyargcount + varargs


def compile_function(node: ast.FunctionDef, function: types.FunctionType) -> types.CodeType:
    """Compiles `node` in the scope of `function`: its free variables, the class
    whose private names it mangles, its `from __future__` imports. Name, qualified
    name and first line are the function's own. `node` is not changed."""
    code = function.__code__
    bare = ast.copy_location(ast.FunctionDef(
        name=node.name, args=_without_defaults(node.args), body=node.body, returns=None,
        decorator_list=node.decorator_list, type_comment=None), node)
    if "type_params" in ast.FunctionDef._fields:
        bare.type_params = []
    tree = ast.Module(body=[_in_scope(bare, function)], type_ignores=[])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        module = compile(tree, code.co_filename, "exec", flags=code.co_flags & _FUTURE_FLAGS,
                         dont_inherit=True)
    found = _find(module, node.name)
    return _requalify(found, found.co_qualname, code.co_qualname)


def _without_defaults(args: ast.arguments) -> ast.arguments:
    """The same parameters; default values stay on the function object."""
    def plain(a: Optional[ast.arg]):
        return a and ast.copy_location(ast.arg(arg=a.arg, annotation=None), a)
    return ast.arguments(posonlyargs=[plain(a) for a in args.posonlyargs],
                         args=[plain(a) for a in args.args], vararg=plain(args.vararg),
                         kwonlyargs=[plain(a) for a in args.kwonlyargs],
                         kw_defaults=[None] * len(args.kwonlyargs),
                         kwarg=plain(args.kwarg), defaults=[])


def class_name(function: types.FunctionType) -> Optional[str]:
    """The innermost class around the definition of `function`, or None."""
    parts = function.__code__.co_qualname.split(".")
    while len(parts) > 1:
        if parts[-2] != "<locals>":
            return parts[-2]
        parts = parts[:-2]
    return None


def _in_scope(node: ast.FunctionDef, function: types.FunctionType) -> ast.stmt:
    """Wraps `node` so that its free variables are free and `__x` is mangled. The
    class is outermost: inside it, its name is global, as it was for the user."""
    inner: ast.stmt = node
    free = function.__code__.co_freevars
    if free:
        names = [ast.copy_location(ast.arg(arg=n, annotation=None), node) for n in free]
        inner = ast.FunctionDef(
            name="<scope>", body=[inner], decorator_list=[], returns=None, type_comment=None,
            args=ast.arguments(posonlyargs=[], args=names, vararg=None, kwonlyargs=[],
                               kw_defaults=[], kwarg=None, defaults=[]))
        ast.copy_location(inner, node)
    owner = class_name(function)
    if owner is not None:
        inner = ast.copy_location(ast.ClassDef(
            name=owner, bases=[], keywords=[], body=[inner], decorator_list=[]), node)
    for scope in ast.walk(inner) if inner is not node else ():
        if scope is node:
            break
        if "type_params" in scope._fields:
            scope.type_params = []
    return inner


def _find(code: types.CodeType, name: str) -> Optional[types.CodeType]:
    """The code object of the definition: the outermost one with its name that
    is a function (CO_NEWLOCALS and CO_OPTIMIZED)."""
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            optimized = const.co_flags & inspect.CO_OPTIMIZED
            if optimized and const.co_name == name:
                return const
            found = _find(const, name)
            if found is not None:
                return found
    return None


def _requalify(code: types.CodeType, old: str, new: str) -> types.CodeType:
    consts = tuple(_requalify(c, old, new) if isinstance(c, types.CodeType) else c
                   for c in code.co_consts)
    qualname = code.co_qualname
    if qualname.startswith(old):
        qualname = new + qualname[len(old):]
    return code.replace(co_consts=consts, co_qualname=qualname)
