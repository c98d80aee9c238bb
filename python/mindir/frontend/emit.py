"""Writes the residual function: the user's statements in their places, each
reachable alone, and before them attempts to run as many as possible at once as
a compiled segment.

For a run of pieces 3, 4, 5 the text is, with `D` the dispatcher:

    .n, .o = D.run(3, (a, b))           # how far a segment went, and its values
    if .n == 6:                         # all of it
        x, y = .o; del .n, .o
    else:
        if .n == 3:                     # not even this one: it is Python's
            del .n, .o
            <piece 3>
            .n, .o = D.run(4, (a, x))   # the rest, with the real values
        else:
            x = .o[0]                   # a segment did piece 3
        if .n == 4: ...

`.n` and `.o` never exist while a statement of the user runs. Every line number
of such code is that of the piece that follows, so tracers see the user's lines.
"""

from __future__ import annotations

import ast
import builtins
import copy
from typing import FrozenSet, List, Optional, Sequence

from . import scopes
from .pieces import Splitter, has_work
from .plan import Owner, Piece, Run, Table
from .segment import BREAK, CONTINUE, RETURN

DISPATCHER = "\0mindir-dispatcher"
"""The constant that stands for the dispatcher in the compiled code."""

_N, _O = ".n", ".o"


def _load(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Load())


def _store(name: str) -> ast.Name:
    return ast.Name(id=name, ctx=ast.Store())


def _delete(names: Sequence[str]) -> ast.Delete:
    return ast.Delete(targets=[ast.Name(id=n, ctx=ast.Del()) for n in names])


def _forget(names: Sequence[str]) -> List[ast.stmt]:
    """Unbinds temporaries, each of which may or may not be bound."""
    out: List[ast.stmt] = []
    for n in names:
        out += [_assign(_store(n), ast.Constant(value=None)), _delete([n])]
    return _nowhere(out)


def _dispatcher(attribute: str) -> ast.Attribute:
    return ast.Attribute(value=ast.Constant(value=DISPATCHER), attr=attribute, ctx=ast.Load())


def _compare(left: ast.expr, op: ast.cmpop, right: ast.expr) -> ast.Compare:
    return ast.Compare(left=left, ops=[op], comparators=[right])


def _reached(index: int) -> ast.Compare:
    return _compare(_load(_N), ast.Eq(), ast.Constant(value=index))


def _assign(target: ast.expr, value: ast.expr) -> ast.Assign:
    return ast.Assign(targets=[target], value=value, type_comment=None)


def _at(statements: List[ast.stmt], line: int) -> List[ast.stmt]:
    """Gives every node without a position the given line."""
    for s in statements:
        for n in ast.walk(s):
            if "lineno" in n._attributes and getattr(n, "lineno", None) is None:
                n.lineno = n.end_lineno = line
                n.col_offset = n.end_col_offset = 0
    return statements


def _nowhere(statements: List[ast.stmt]) -> List[ast.stmt]:
    """Gives every node without a position none in the code either: it belongs
    to the line that was executed before it."""
    for s in statements:
        for n in ast.walk(s):
            if "lineno" in n._attributes and getattr(n, "lineno", None) is None:
                n.lineno = n.end_lineno = n.col_offset = n.end_col_offset = -1
    return statements


class _Callees(ast.NodeTransformer):
    """Lets the dispatcher choose what is called: f(x) becomes D.callee(f)(x)."""

    def __init__(self, names: FrozenSet[str]):
        self._names = names  # bound by the user somewhere: not the builtins

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        f = node.func
        if isinstance(f, ast.Name) and hasattr(builtins, f.id) and f.id not in self._names:
            return node
        node.func = ast.copy_location(ast.Call(func=_dispatcher("callee"), args=[f], keywords=[]), f)
        _at([node.func], f.lineno)
        return node


class Emitter:
    """Writes one version of one function, the functions nested in it included."""

    def __init__(self, table: Table, global_names: FrozenSet[str]):
        """global_names: names that hide builtins."""
        self._table = table
        self._hidden = global_names
        self._owner: Optional[Owner] = None
        self._splitter: Optional[Splitter] = None
        self._callees = _Callees(global_names)
        self._parent: Optional[int] = None

    def function(self, node: ast.FunctionDef, qualname: str,
                 enclosing: FrozenSet[str] = frozenset(), nested: bool = False) -> ast.FunctionDef:
        """Returns the residual definition of `node`, which is not changed."""
        scope = scopes.scope_of(node, enclosing)
        outer = self._owner, self._splitter, self._callees
        self._owner = Owner(node, qualname, scope, nested)
        self._splitter = Splitter(scope)
        hides = self._hidden | scope.local | scope.free | scope.declared
        self._callees = _Callees(hides)
        body = self._declarations(node) + self._block(
            [s for s in node.body if not _is_docstring(s, node)], scope.parameters)
        if node.body and _is_docstring(node.body[0], node):
            body.insert(0, copy.deepcopy(node.body[0]))
        self._owner, self._splitter, self._callees = outer
        new = copy.copy(node)
        new.body = body or [ast.copy_location(ast.Pass(), node)]
        return new

    def _declarations(self, node: ast.FunctionDef) -> List[ast.stmt]:
        # They bind no code to their place, and must precede what we insert.
        return [copy.deepcopy(n) for s in node.body for n in scopes.own_nodes(s)
                if isinstance(n, (ast.Global, ast.Nonlocal))]

    def _block(self, statements: List[ast.stmt], bound: FrozenSet[str]) -> List[ast.stmt]:
        block = self._table.add_block(statements, bound, self._owner, self._splitter,
                                      self._parent)
        out: List[ast.stmt] = []
        for part in self._table.runs(block):
            if isinstance(part, Piece):
                out += self._python(part)
            else:
                out += self._run(part)
        return out

    # --- runs

    def _run(self, run: Run) -> List[ast.stmt]:
        members = self._table.pieces[run.start:run.end]
        line = members[0].line
        chain: List[ast.stmt] = []
        for p in members:
            chain.append(self._link(p, run))
        full = self._unpack(run, members) + [_delete([_N, _O])]
        choice = ast.If(test=_reached(run.end), body=full, orelse=chain)
        return _at(self._attempt(members[0], run) + [choice], line)

    def _attempt(self, p: Piece, run: Run) -> List[ast.stmt]:
        site = self._table.sites[p.index]
        index = ast.Constant(value=p.index)
        if site.direct:
            values = ast.Tuple(elts=[_load(n) for n in site.live_in], ctx=ast.Load())
            call = ast.Call(func=_dispatcher("run"), args=[index, values], keywords=[])
        else:
            frame = ast.Call(func=_dispatcher("locals"), args=[], keywords=[])
            call = ast.Call(func=_dispatcher("run_in_frame"), args=[index, frame], keywords=[])
        out = [_assign(ast.Tuple(elts=[_store(_N), _store(_O)], ctx=ast.Store()), call)]
        if any(RETURN in q.exits for q in self._table.pieces[p.index:run.end]):
            out.append(ast.If(test=_reached(RETURN), body=[ast.Return(value=_load(_O))], orelse=[]))
        return _at(out, p.line)

    def _link(self, p: Piece, run: Run) -> ast.stmt:
        """Piece `p` in the run: done by Python, or already done by a segment."""
        body = [_delete([_N, _O])] + self._python(p)
        done: List[ast.stmt] = []
        for n in p.outs:
            done.append(self._restore(n, run.names.index(n)))
        if p.last:
            done += _forget(p.temporaries)
        if p.index + 1 < run.end:
            body += self._attempt(self._table.pieces[p.index + 1], run)
        else:
            done += self._leave_loop(run) + [_delete([_N, _O])]
        return _at([ast.If(test=_reached(p.index), body=body, orelse=done or [ast.Pass()])], p.line)[0]

    def _restore(self, name: str, position: int) -> ast.stmt:
        item = ast.Subscript(value=_load(_O), slice=ast.Constant(value=position), ctx=ast.Load())
        known = _compare(item, ast.IsNot(), _dispatcher("missing"))
        return ast.If(test=known, body=[_assign(_store(name), copy.deepcopy(item))], orelse=[])

    def _leave_loop(self, run: Run) -> List[ast.stmt]:
        exits = {e for p in self._table.pieces[run.start:run.end] for e in p.exits}
        return [ast.If(test=_reached(status), body=[_delete([_N, _O]), statement()], orelse=[])
                for status, statement in ((BREAK, ast.Break), (CONTINUE, ast.Continue))
                if status in exits]

    def _unpack(self, run: Run, members: List[Piece]) -> List[ast.stmt]:
        sure = scopes.bind_all([p.node for p in members], frozenset())
        names = run.end_names
        if not names:
            return []
        if all(n in sure for n in names):
            return [_assign(ast.Tuple(elts=[_store(n) for n in names], ctx=ast.Store()), _load(_O))]
        return [self._restore(n, i) for i, n in enumerate(names)]

    # --- pieces as Python

    def _python(self, p: Piece) -> List[ast.stmt]:
        node = p.node
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            return []
        write = getattr(self, "_write_" + type(node).__name__, None)
        if write is not None:
            outer, self._parent = self._parent, p.index
            written = write(node, p)
            self._parent = outer
            return written
        out = [self._callees.visit(copy.deepcopy(node))]
        if p.last and p.temporaries and not isinstance(node, ast.Return):
            out += _forget(p.temporaries)
        return out

    def _header(self, expression):
        return self._callees.visit(copy.deepcopy(expression)) if expression is not None else None

    def _write_If(self, node: ast.If, p: Piece) -> List[ast.stmt]:
        drop = _forget(p.temporaries)
        new = ast.If(test=self._header(node.test),
                     body=drop + self._block(node.body, p.bound),
                     orelse=copy.deepcopy(drop) + self._block(node.orelse, p.bound))
        return [ast.copy_location(new, node)]

    def _write_While(self, node: ast.While, p: Piece) -> List[ast.stmt]:
        bound = p.bound - scopes.deleted(node.body)
        if node.orelse or not has_work(node.test):
            new = ast.While(test=self._header(node.test), body=self._block(node.body, bound),
                            orelse=self._block(node.orelse, bound))
            return [ast.copy_location(new, node)]
        # The test becomes the first statement of the body: it can be in its segment.
        test = ast.If(test=node.test, body=[ast.Pass()], orelse=[ast.Break()])
        ast.copy_location(test, node)
        _at([test], node.test.lineno)
        # No line for the jump back: the test has it, once an iteration.
        return _nowhere([ast.While(test=ast.Constant(value=True), orelse=[],
                                   body=self._block([test] + node.body, bound))])

    def _write_For(self, node: ast.For, p: Piece) -> List[ast.stmt]:
        bound = p.bound - scopes.deleted(node.body)
        inside = bound | scopes._target_names(node.target)
        new = ast.For(target=self._header(node.target), iter=self._header(node.iter),
                      body=self._block(node.body, inside),
                      orelse=self._block(node.orelse, bound), type_comment=None)
        return [ast.copy_location(new, node)]

    def _write_With(self, node: ast.With, p: Piece) -> List[ast.stmt]:
        bound = p.bound.union(*(scopes._target_names(i) for i in node.items))
        new = ast.With(items=[self._header(i) for i in node.items],
                       body=self._block(node.body, bound), type_comment=None)
        return [ast.copy_location(new, node)]

    def _write_Try(self, node: ast.Try, p: Piece) -> List[ast.stmt]:
        bound = p.bound - scopes.deleted(node.body)
        handlers = []
        body = self._block(node.body, p.bound)
        for h in node.handlers:
            new = copy.copy(h)
            new.type = self._header(h.type)
            new.body = self._block(h.body, bound | ({h.name} if h.name else set()))
            handlers.append(new)
        made = type(node)(body=body, handlers=handlers,
                          orelse=self._block(node.orelse, bound),
                          finalbody=self._block(node.finalbody, bound - scopes.deleted([node])))
        return [ast.copy_location(made, node)]

    _write_TryStar = _write_Try

    def _write_Match(self, node: ast.Match, p: Piece) -> List[ast.stmt]:
        cases = []
        for c in node.cases:
            bound = p.bound | scopes.assigned(c.pattern)
            cases.append(ast.match_case(pattern=copy.deepcopy(c.pattern), guard=self._header(c.guard),
                                        body=self._block(c.body, bound)))
        new = ast.Match(subject=self._header(node.subject), cases=cases)
        return [ast.copy_location(new, node)]

    def _write_FunctionDef(self, node: ast.FunctionDef, p: Piece) -> List[ast.stmt]:
        scope = self._owner.scope
        new = self.function(node, "%s.<locals>.%s" % (self._owner.qualname, node.name),
                            scope.local | scope.free, nested=True)
        return [new]

    def _write_ClassDef(self, node: ast.ClassDef, p: Piece) -> List[ast.stmt]:
        return [copy.deepcopy(node)]

    _write_AsyncFunctionDef = _write_ClassDef


def _is_docstring(s: ast.stmt, node: ast.FunctionDef) -> bool:
    return (s is node.body[0] and isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
            and isinstance(s.value.value, str))
