"""Splits a statement into pieces: nested calls, and the tests of `if` and
`while`, move into temporaries, in the order in which Python evaluates them, so
that one foreign call does not make the whole statement foreign."""

from __future__ import annotations

import ast
import copy
from typing import Callable, FrozenSet, List, Optional, Tuple

from . import scopes

_SUSPEND = (ast.Yield, ast.YieldFrom, ast.Await)
_POINTS = (ast.Call,) + _SUSPEND

Slot = Tuple[str, Optional[int]]  # a field, and the index in it when it is a list


def _slots(e: ast.expr) -> List[Slot]:
    """The operands of `e` that are evaluated unconditionally and before any
    other effect of `e`, in evaluation order. What is left out stays in place."""
    if isinstance(e, ast.BinOp):
        return [("left", None), ("right", None)]
    if isinstance(e, ast.UnaryOp):
        return [("operand", None)]
    if isinstance(e, ast.Compare):
        return [("left", None), ("comparators", 0)]
    if isinstance(e, ast.BoolOp):
        return [("values", 0)]
    if isinstance(e, ast.IfExp):
        return [("test", None)]
    if isinstance(e, ast.Subscript):
        return [("value", None), ("slice", None)]
    if isinstance(e, ast.Slice):
        return [(f, None) for f in ("lower", "upper", "step") if getattr(e, f) is not None]
    if isinstance(e, (ast.Attribute, ast.Starred, ast.FormattedValue, ast.keyword) + _SUSPEND):
        return [("value", None)] if e.value is not None else []
    if isinstance(e, ast.Call):
        every = [("func", None)] + [("args", i) for i in range(len(e.args))]
        every += [("keywords", i) for i in range(len(e.keywords))]
        return _until(e, every, lambda c: isinstance(c, ast.Starred)
                      or (isinstance(c, ast.keyword) and c.arg is None))
    if isinstance(e, (ast.Tuple, ast.List, ast.Set)):
        return _until(e, [("elts", i) for i in range(len(e.elts))],
                      lambda c: isinstance(c, ast.Starred))
    if isinstance(e, ast.JoinedStr):
        return _until(e, [("values", i) for i in range(len(e.values))],
                      lambda c: isinstance(c, ast.FormattedValue))
    if isinstance(e, ast.Dict):
        slots: List[Slot] = []
        for i, key in enumerate(e.keys):
            if key is None:
                return slots + [("values", i)]
            slots += [("keys", i), ("values", i)]
        return slots
    return []


def _until(e: ast.expr, slots: List[Slot], ends: Callable[[ast.AST], bool]) -> List[Slot]:
    """The slots up to the first operand after which `e` itself does something."""
    for i, slot in enumerate(slots):
        if ends(_get(e, slot)):
            return slots[:i + 1]
    return slots


def _get(e: ast.AST, slot: Slot) -> ast.expr:
    value = getattr(e, slot[0])
    return value if slot[1] is None else value[slot[1]]


def _set(e: ast.AST, slot: Slot, new: ast.expr) -> None:
    if slot[1] is None:
        setattr(e, slot[0], new)
    else:
        values = list(getattr(e, slot[0]))
        values[slot[1]] = new
        setattr(e, slot[0], values)


def _has_point(e: ast.AST, user: Optional[ast.AST] = None) -> bool:
    return _is_point(e, user) or any(_has_point(_get(e, s), e) for s in _slots(e))


def _is_point(e: ast.AST, user: Optional[ast.AST]) -> bool:
    """Whether `e`, an operand of `user`, gets a temporary: a call does, and an
    operation that is the argument of a call, which may be a foreign one."""
    if isinstance(e, _POINTS):
        return True
    operation = isinstance(e, ast.BinOp) or (isinstance(e, ast.Compare) and len(e.ops) == 1) \
        or (isinstance(e, ast.UnaryOp) and isinstance(e.op, ast.USub))
    return operation and isinstance(user, (ast.Call, ast.keyword)) and bool(
        scopes.facts(e).reads)


def has_work(node: ast.AST) -> bool:
    """Whether `node` holds an expression that may be a tensor operation."""
    return scopes.facts(node).work


class Splitter:
    """Splits the statements of one function. Temporaries are named `.t0`, `.t1`...

    Nodes that had to change are shallow copies whose `origin` is the user's
    node; all others are the user's own.
    """

    def __init__(self, scope: scopes.Scope):
        self._scope = scope
        self._count = 0
        self._bound: FrozenSet[str] = frozenset()
        self._out: List[ast.stmt] = []
        self._temporaries: List[str] = []

    def split(self, statement: ast.stmt, bound: FrozenSet[str]) -> Tuple[List[ast.stmt], List[str]]:
        """Returns the pieces of `statement` and the temporaries that they use.

        The last piece is `statement` itself when nothing is split off. A piece
        may be a compound statement, whose blocks are not split here. bound: the
        names certainly bound before the statement.
        """
        self._bound, self._out, self._temporaries = bound, [], []
        if scopes.facts(statement).walrus or not self._scope.splittable:
            return [statement], []
        last = self._rest(statement)
        return self._out + [last], self._temporaries

    def _rest(self, s: ast.stmt) -> ast.stmt:
        if isinstance(s, ast.If):
            test = s.test
            if not has_work(test):
                return s
            flat = self._decide(test)
            return s if flat is test else self._replace(s, "test", flat)
        value = getattr(s, "value", None)
        if not isinstance(value, ast.expr) or not self._may_split(s):
            return s
        flat = self._flatten(value)
        if isinstance(s, ast.Assign) and has_work(value) and any(
                not isinstance(t, ast.Name) for t in s.targets):
            flat = self._hoist(flat, value)  # the write may be foreign, its value is not
        return s if flat is value else self._replace(s, "value", flat)

    def _decide(self, test: ast.expr) -> ast.expr:
        """`test` with what is evaluated first of it in a temporary, such that
        the truth of a value is asked for no more often than in the original."""
        if isinstance(test, ast.BoolOp):
            slot: Slot = ("values", 0)
        elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            slot = ("operand", None)
        elif isinstance(test, ast.IfExp) or (isinstance(test, ast.Compare) and len(test.ops) > 1):
            return self._flatten(test)
        else:
            return self._hoist(self._flatten(test), test) if has_work(test) else test
        new = self._copy(test)
        _set(new, slot, self._decide(_get(test, slot)))
        return new

    def _may_split(self, s: ast.stmt) -> bool:
        if isinstance(s, ast.AugAssign):
            return isinstance(s.target, ast.Name) and self._stable(
                ast.Name(id=s.target.id, ctx=ast.Load()))
        if isinstance(s, ast.AnnAssign):
            return isinstance(s.target, ast.Name)
        return isinstance(s, (ast.Assign, ast.Return, ast.Expr))

    def _flatten(self, e: ast.expr) -> ast.expr:
        """Moves the calls inside `e` (not `e` itself) into temporaries, and with
        them all that is evaluated before them."""
        slots = _slots(e)
        points = [i for i, s in enumerate(slots) if _has_point(_get(e, s), e)]
        if not points:
            return e
        new = self._copy(e)
        for i, slot in enumerate(slots[:points[-1] + 1]):
            operand = _get(e, slot)
            if i < points[-1]:
                changed = self._settle(operand, e)
            elif _is_point(operand, e):
                changed = self._hoist(self._flatten(operand), e)
            else:
                changed = self._flatten(operand)
            _set(new, slot, changed)
        return new

    def _settle(self, e: ast.expr, user: ast.expr) -> ast.expr:
        """`e`, evaluated now: itself when later code cannot change it."""
        if isinstance(e, ast.keyword):
            return self._replace(e, "value", self._settle(e.value, user))
        if isinstance(e, ast.Slice):  # not a value of its own
            new = self._copy(e)
            for slot in _slots(e):
                _set(new, slot, self._settle(_get(e, slot), user))
            return new
        if self._stable(e):
            return e
        return self._hoist(self._flatten(e), user)

    def _stable(self, e: ast.expr) -> bool:
        if isinstance(e, ast.Name):
            s = self._scope
            return e.id.startswith(".") or (e.id in s.local and e.id not in s.cells
                                            and e.id in self._bound)
        return isinstance(e, ast.Constant)

    def _hoist(self, e: ast.expr, user: ast.expr) -> ast.expr:
        """Moves `e` to a temporary; returns its load, on the line of its user."""
        name = ".t%d" % self._count
        self._count += 1
        self._temporaries.append(name)
        target = ast.copy_location(ast.Name(id=name, ctx=ast.Store()), e)
        last = e.func if isinstance(e, ast.Call) else e
        if isinstance(last, ast.Attribute):  # executed on the line of its name
            target.lineno = last.end_lineno
            target.end_lineno = max(last.end_lineno, target.end_lineno)
        self._out.append(ast.copy_location(ast.Assign(targets=[target], value=e, type_comment=None), e))
        load = ast.copy_location(ast.Name(id=name, ctx=ast.Load()), user)
        if isinstance(user, ast.Attribute):
            load.lineno = user.end_lineno
        return load

    def _copy(self, node: ast.AST) -> ast.AST:
        new = copy.copy(node)
        new.__dict__.pop("facts", None)
        new.__dict__.pop("gain", None)
        new.origin = getattr(node, "origin", node)
        return new

    def _replace(self, node: ast.AST, field: str, value: ast.AST) -> ast.AST:
        new = self._copy(node)
        setattr(new, field, value)
        return new


def first_line(s: ast.AST) -> int:
    """The line of the first instruction that Python executes for `s`."""
    if isinstance(s, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and s.decorator_list:
        return first_line(s.decorator_list[0])
    if isinstance(s, (ast.Assign, ast.AnnAssign, ast.Return, ast.Expr)) and s.value is not None:
        return first_line(s.value)
    if isinstance(s, ast.AugAssign):
        return first_line(s.target)
    if isinstance(s, (ast.If, ast.While)):
        return first_line(s.test)
    if isinstance(s, ast.For):
        return first_line(s.iter)
    if isinstance(s, ast.expr):
        slots = _slots(s)
        if slots and not isinstance(_get(s, slots[0]), ast.Constant):
            return first_line(_get(s, slots[0]))
    return s.lineno
