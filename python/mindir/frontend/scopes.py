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
_SUSPEND = (ast.Yield, ast.YieldFrom, ast.Await)
_WORK = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.Call, ast.Subscript, ast.BoolOp, ast.IfExp)
SCOPES = _FUNCTIONS + (ast.ClassDef,)

# Statements that are Python's in every case: they define, import, declare.
_PYTHON_ONLY = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom,
                ast.Global, ast.Nonlocal, ast.AsyncFor, ast.AsyncWith)


@dataclasses.dataclass
class Facts:
    """What a node and all below it do in the function's own scope.

    reads: names loaded, by nested scopes too (a superset: a parameter of a
        nested function with the same name counts).
    assigned: names that may be bound or deleted; deleted: that may be unbound.
    exits: the subset of {Return, Break, Continue} by which control may leave.
    work: an expression that may be a tensor operation.
    python_only: a statement that no graph can hold, or a suspension.
    suspends: a yield or an await; walrus: an assignment expression.
    """

    reads: Set[str] = dataclasses.field(default_factory=set)
    assigned: Set[str] = dataclasses.field(default_factory=set)
    deleted: Set[str] = dataclasses.field(default_factory=set)
    exits: Set[type] = dataclasses.field(default_factory=set)
    work: bool = False
    python_only: bool = False
    suspends: bool = False
    walrus: bool = False

    def add(self, other: Facts, inside_loop: bool) -> None:
        """Joins the facts of a part; exits of a loop's own body end in the loop."""
        self.reads |= other.reads
        self.assigned |= other.assigned
        self.deleted |= other.deleted
        self.exits |= (other.exits & {ast.Return}) if inside_loop else other.exits
        self.work |= other.work
        self.python_only |= other.python_only
        self.suspends |= other.suspends
        self.walrus |= other.walrus


def facts(node: ast.AST) -> Facts:
    """The facts of `node`; kept on it, as the tree of a function never changes."""
    kept = node.__dict__.get("facts")
    if kept is None:
        kept = Facts()
        _own(node, kept)
        for field, value in ast.iter_fields(node):
            if not _evaluated(node, field):
                continue
            inside_loop = isinstance(node, _LOOPS) and field == "body"
            for child in value if isinstance(value, list) else (value,):
                if isinstance(child, ast.AST) and not isinstance(child, (
                        ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)):
                    kept.add(facts(child), inside_loop)
        if isinstance(node, SCOPES + _COMPREHENSIONS):
            _nested(node, kept)
        node.facts = kept
    return kept


def _evaluated(node: ast.AST, field: str) -> bool:
    """Whether the function's own scope executes this part of `node`."""
    if isinstance(node, SCOPES):
        return field in ("args", "decorator_list", "bases", "keywords")
    if isinstance(node, ast.arguments):
        return field in ("defaults", "kw_defaults")
    if isinstance(node, _COMPREHENSIONS):
        return False
    return True


def _own(node: ast.AST, out: Facts) -> None:
    if isinstance(node, ast.Name):
        (out.reads if isinstance(node.ctx, ast.Load) else out.assigned).add(node.id)
        if isinstance(node.ctx, ast.Del):
            out.deleted.add(node.id)
            out.python_only = True
        if node.id == "super":
            out.reads.add("__class__")
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        out.assigned.add(node.name)
    elif isinstance(node, ast.alias):
        out.assigned.add((node.asname or node.name).split(".")[0])
    elif isinstance(node, ast.ExceptHandler) and node.name:
        out.assigned.add(node.name)
        out.deleted.add(node.name)
    elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
        out.assigned.add(node.name)
    elif isinstance(node, ast.MatchMapping) and node.rest:
        out.assigned.add(node.rest)
    elif isinstance(node, (ast.Return, ast.Break, ast.Continue)):
        out.exits.add(type(node))
    elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        out.reads.add(node.target.id)
    out.work |= isinstance(node, _WORK + (ast.AugAssign,))
    out.suspends |= isinstance(node, _SUSPEND)
    out.python_only |= isinstance(node, _PYTHON_ONLY + _SUSPEND)
    out.walrus |= isinstance(node, ast.NamedExpr)


def _nested(node: ast.AST, out: Facts) -> None:
    """What a nested scope reads, and what a comprehension binds outside of it."""
    comprehension = isinstance(node, _COMPREHENSIONS)
    for n in ast.walk(node):
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
            out.reads.add(n.id)
            if n.id == "super":
                out.reads.add("__class__")
        elif comprehension and isinstance(n, ast.NamedExpr):
            out.assigned.add(n.target.id)
            out.walrus = True
        elif comprehension and isinstance(n, _WORK):
            out.work = True


def target_names(node: ast.AST) -> Set[str]:
    """The names that an assignment to the target `node` binds."""
    return {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


def deleted(nodes: Iterable[ast.AST]) -> Set[str]:
    """Names that may be unbound by the statements: `del` and `except as`."""
    return set().union(*(facts(n).deleted for n in nodes))


def bind(statement: ast.stmt, bound: FrozenSet[str]) -> FrozenSet[str]:
    """The names certainly bound after `statement` ends normally, if `bound` are
    certainly bound before it."""
    return (bound - facts(statement).deleted) | gain(statement)


def gain(statement: ast.stmt) -> FrozenSet[str]:
    """The names that `statement` certainly binds when it ends normally."""
    kept = statement.__dict__.get("gain")
    if kept is None:
        kept = statement.gain = frozenset(_gain(statement))
    return kept


def _gain(statement: ast.stmt) -> Iterable[str]:
    if isinstance(statement, (ast.Assign, ast.AugAssign, ast.AnnAssign)):
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            return ()
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return set().union(*(target_names(t) for t in targets))
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return {statement.name}
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return facts(statement).assigned - {"*"}
    if isinstance(statement, ast.If):
        return bind_all(statement.body) & bind_all(statement.orelse)
    if isinstance(statement, ast.Try) or type(statement).__name__ == "TryStar":
        ends = [bind_all(statement.orelse, bind_all(statement.body))]
        ends += [bind_all(h.body) - {h.name} for h in statement.handlers]
        return bind_all(statement.finalbody, frozenset.intersection(*ends))
    # Loops may run no iteration, a context manager may swallow an exception, a
    # match may match nothing.
    return ()


def bind_all(statements: Iterable[ast.stmt], bound: FrozenSet[str] = frozenset()) -> FrozenSet[str]:
    """`bind` over a list, up to a statement that leaves it."""
    for s in statements:
        if isinstance(s, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
            break
        bound = bind(s, bound)
    return bound


def own_statements(statements: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements and those nested in them, those of nested scopes left out."""
    for s in statements:
        yield s
        if isinstance(s, SCOPES):
            continue
        for field in ("body", "orelse", "finalbody"):
            yield from own_statements(getattr(s, field, ()))
        for part in list(getattr(s, "handlers", ())) + list(getattr(s, "cases", ())):
            yield from own_statements(part.body)


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
    for s in own_statements(node.body):
        if isinstance(s, (ast.Global, ast.Nonlocal)):
            declared |= set(s.names)
            if isinstance(s, ast.Global):
                global_names |= set(s.names)
    bound = parameters.union(*(facts(s).assigned for s in node.body))
    local = bound - declared
    nested: Set[str] = set()
    mentioned: Set[str] = set()
    for n in ast.walk(node):
        if isinstance(n, SCOPES + _COMPREHENSIONS) and n is not node:
            nested |= {m.id for m in ast.walk(n) if isinstance(m, ast.Name)}
        elif isinstance(n, (ast.Name, ast.Attribute)):
            mentioned.add(n.id if isinstance(n, ast.Name) else n.attr)
    return Scope(frozenset(local), enclosing - local - global_names, frozenset(declared),
                 frozenset(local & nested), frozenset(parameters),
                 not mentioned & _FRAME_READERS)


def clone(node):
    """A copy of a tree that shares no node with it."""
    if isinstance(node, list):
        return [clone(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    new = type(node)(**{f: clone(getattr(node, f)) for f in node._fields if hasattr(node, f)})
    return ast.copy_location(new, node)
