"""Which names a statement of a function reads, assigns and deletes, which it
certainly binds, and how control can leave it: the analyses under the
partition of a function into segments."""

from __future__ import annotations

import ast
import dataclasses
from typing import FrozenSet, Iterable, Iterator, Set

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
SCOPES = _FUNCTIONS + (ast.ClassDef,)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """`node` and all below it that belong to the same function scope: of nested
    functions and classes only the statement itself and what it evaluates."""
    yield node
    if isinstance(node, _FUNCTIONS):
        children: Iterable[ast.AST] = list(node.args.defaults) + [d for d in node.args.kw_defaults if d]
        children = list(children) + list(getattr(node, "decorator_list", []))
    elif isinstance(node, ast.ClassDef):
        children = list(node.bases) + list(node.keywords) + list(node.decorator_list)
    else:
        children = ast.iter_child_nodes(node)
    for child in children:
        yield from own_nodes(child)


def reads(node: ast.AST) -> Set[str]:
    """Names that are loaded in `node`, by nested scopes too (a superset: a
    parameter of a nested function with the same name counts)."""
    out = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    out |= {n.target.id for n in own_nodes(node)
            if isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name)}
    if any(isinstance(n, ast.Name) and n.id == "super" for n in ast.walk(node)):
        out.add("__class__")
    return out


def assigned(node: ast.AST) -> Set[str]:
    """Names of the function's scope that `node` may bind or delete."""
    out: Set[str] = set()
    _collect_assigned(node, out)
    return out


def _collect_assigned(node: ast.AST, out: Set[str]) -> None:
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, (ast.Store, ast.Del)):
            out.add(node.id)
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        out.add(node.name)
    elif isinstance(node, ast.alias):
        out.add((node.asname or node.name).split(".")[0])
    elif isinstance(node, (ast.MatchAs, ast.MatchStar, ast.ExceptHandler)) and node.name:
        out.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        out.add(node.rest)
    if isinstance(node, _COMPREHENSIONS):
        out |= {n.target.id for n in ast.walk(node) if isinstance(n, ast.NamedExpr)}
        return
    if isinstance(node, SCOPES):
        children = list(own_nodes(node))[1:]
    else:
        children = list(ast.iter_child_nodes(node))
    for child in children:
        _collect_assigned(child, out)


def deleted(nodes: Iterable[ast.AST]) -> Set[str]:
    """Names that may be unbound by the statements: `del` and `except as`."""
    out: Set[str] = set()
    for top in nodes:
        for n in own_nodes(top):
            if isinstance(n, ast.Delete):
                out |= {t.id for d in n.targets for t in ast.walk(d) if isinstance(t, ast.Name)
                        and isinstance(t.ctx, ast.Del)}
            elif isinstance(n, ast.ExceptHandler) and n.name:
                out.add(n.name)
    return out


def _target_names(node: ast.AST) -> Set[str]:
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def bind(statement: ast.stmt, bound: FrozenSet[str]) -> FrozenSet[str]:
    """The names certainly bound after `statement` ends normally, if `bound` are
    certainly bound before it."""
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            return bound
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return bound.union(*(_target_names(t) for t in targets))
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return bound | {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return bound | {n for n in assigned(statement) if n != "*"}
    if isinstance(statement, ast.Delete):
        return bound - deleted([statement])
    if isinstance(statement, ast.If):
        return bind_all(statement.body, bound) & bind_all(statement.orelse, bound)
    if isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar":
        return _bind_try(statement, bound)
    # Loops may run no iteration, a context manager may swallow an exception, a
    # match may match nothing: nothing gained, what they delete is lost.
    return bound - deleted([statement])


def _bind_try(statement: ast.Try, bound: FrozenSet[str]) -> FrozenSet[str]:
    lost = deleted([statement])
    ends = [bind_all(statement.orelse, bind_all(statement.body, bound))]
    ends += [bind_all(h.body, bound - lost) for h in statement.handlers]
    out = frozenset.intersection(*ends) - lost
    return bind_all(statement.finalbody, out)


def bind_all(statements: Iterable[ast.stmt], bound: FrozenSet[str]) -> FrozenSet[str]:
    """`bind` over a list, up to a statement that leaves it."""
    for s in statements:
        if isinstance(s, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            return bound
        bound = bind(s, bound)
    return bound


def exits(node: ast.AST, inside_loop: bool = False) -> Set[type]:
    """The subset of {Return, Break, Continue} by which control can leave `node`."""
    if isinstance(node, ast.Return):
        return {ast.Return}
    if isinstance(node, (ast.Break, ast.Continue)):
        return set() if inside_loop else {type(node)}
    if isinstance(node, SCOPES) or isinstance(node, ast.expr):
        return set()
    out: Set[type] = set()
    for field, value in ast.iter_fields(node):
        nested = inside_loop or (isinstance(node, _LOOPS) and field == "body")
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                out |= exits(child, nested)
    return out


def suspends(node: ast.AST) -> bool:
    """Whether `node` holds a yield or an await of its own scope."""
    return any(isinstance(n, (ast.Yield, ast.YieldFrom, ast.Await)) for n in own_nodes(node))


@dataclasses.dataclass(frozen=True)
class Scope:
    """The names of one function.

    local: parameters and assigned names, without those declared elsewhere.
    free: local names of the enclosing rewritten functions that this one sees;
        empty for the outermost one, whose free variables are in its closure.
    declared: names declared global or nonlocal.
    cells: local names that nested functions use.
    parameters: bound at entry.
    splittable: calls may be moved to temporaries: nothing looks at the frame.
    """

    local: FrozenSet[str]
    free: FrozenSet[str]
    declared: FrozenSet[str]
    cells: FrozenSet[str]
    parameters: FrozenSet[str]
    splittable: bool


_FRAME_READERS = {"locals", "vars", "dir", "eval", "exec", "breakpoint", "_getframe", "currentframe"}


def scope_of(node: ast.FunctionDef, enclosing: FrozenSet[str] = frozenset()) -> Scope:
    """`enclosing`: the local names of the rewritten functions around `node`."""
    a = node.args
    every = a.posonlyargs + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x]
    parameters = {x.arg for x in every}
    declared: Set[str] = set()
    global_names: Set[str] = set()
    bound: Set[str] = set(parameters)
    nested: Set[str] = set()
    for s in node.body:
        bound |= assigned(s)
        for n in own_nodes(s):
            if isinstance(n, (ast.Global, ast.Nonlocal)):
                declared |= set(n.names)
            if isinstance(n, ast.Global):
                global_names |= set(n.names)
            if isinstance(n, SCOPES + _COMPREHENSIONS):
                nested |= _names_inside(n)
    local = bound - declared
    mentioned = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    mentioned |= {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return Scope(frozenset(local), enclosing - local - global_names, frozenset(declared),
                 frozenset(local & nested), frozenset(parameters),
                 not mentioned & _FRAME_READERS)


def _names_inside(node: ast.AST) -> Set[str]:
    out: Set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, ast.Name):
            out.add(n.id)
        elif isinstance(n, (ast.Global, ast.Nonlocal)):
            out |= set(n.names)
    return out
