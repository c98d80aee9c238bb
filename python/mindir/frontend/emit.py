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
from typing import FrozenSet, List, Optional, Sequence, Type

from . import scopes
from .pieces import Splitter, first_line, has_work
from .plan import Owner, Piece, Run, Table
from .segment import BREAK, CONTINUE, RETURN

DISPATCHER = "\0mindir-dispatcher"
"""The constant that stands for the dispatcher in the compiled code."""

CALLEES = "\0mindir-callees"
"""The constant that stands for `Dispatcher.callees`. It is subscripted, because
the position of a call of an attribute cannot be chosen freely."""

_N, _O = ".n", ".o"
_LOAD, _STORE, _DEL = ast.Load(), ast.Store(), ast.Del()


class _At:
    """Makes nodes on one line; -1: on no line, which in the code means the line
    that was executed before."""

    def __init__(self, line: int):
        column = min(line, 0)
        self._position = dict(lineno=line, end_lineno=line, col_offset=column, end_col_offset=column)

    def load(self, name: str) -> ast.Name:
        return ast.Name(id=name, ctx=_LOAD, **self._position)

    def constant(self, value) -> ast.Constant:
        return ast.Constant(value=value, **self._position)

    def loads(self, names: Sequence[str]) -> ast.Tuple:
        return ast.Tuple(elts=[self.load(n) for n in names], ctx=_LOAD, **self._position)

    def assign(self, name: str, value: ast.expr) -> ast.Assign:
        target = ast.Name(id=name, ctx=_STORE, **self._position)
        return ast.Assign(targets=[target], value=value, type_comment=None, **self._position)

    def unpack(self, names: Sequence[str], value: ast.expr) -> ast.Assign:
        targets = [ast.Name(id=n, ctx=_STORE, **self._position) for n in names]
        target = ast.Tuple(elts=targets, ctx=_STORE, **self._position)
        return ast.Assign(targets=[target], value=value, type_comment=None, **self._position)

    def delete(self, *names: str) -> ast.Delete:
        return ast.Delete(targets=[ast.Name(id=n, ctx=_DEL, **self._position) for n in names],
                          **self._position)

    def dispatcher(self, attribute: str) -> ast.Attribute:
        return ast.Attribute(value=self.constant(DISPATCHER), attr=attribute, ctx=_LOAD,
                             **self._position)

    def call(self, attribute: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(func=self.dispatcher(attribute), args=list(arguments), keywords=[],
                        **self._position)

    def choose(self, test: ast.expr, then: List[ast.stmt], otherwise: List[ast.stmt]) -> ast.If:
        return ast.If(test=test, body=then, orelse=otherwise, **self._position)

    def reached(self, index: int) -> ast.Compare:
        """.n == index"""
        return ast.Compare(left=self.load(_N), ops=[ast.Eq()], comparators=[self.constant(index)],
                           **self._position)

    def restore(self, name: str, position: int) -> ast.If:
        """if .o[position] is not D.missing: name = .o[position]"""
        def item() -> ast.Subscript:
            return ast.Subscript(value=self.load(_O), slice=self.constant(position), ctx=_LOAD,
                                 **self._position)
        known = ast.Compare(left=item(), ops=[ast.IsNot()], comparators=[self.dispatcher("missing")],
                            **self._position)
        return self.choose(known, [self.assign(name, item())], [])

    def simple(self, kind: Type[ast.stmt], **fields) -> ast.stmt:
        return kind(**fields, **self._position)


_NOWHERE = _At(-1)


def _forget(names: Sequence[str]) -> List[ast.stmt]:
    """Unbinds temporaries, each of which may or may not be bound."""
    out: List[ast.stmt] = []
    for n in names:
        out += [_NOWHERE.assign(n, _NOWHERE.constant(None)), _NOWHERE.delete(n)]
    return out


class _Callees(ast.NodeTransformer):
    """Lets the compiler choose what is called: f(x) becomes CALLEES[f](x)."""

    def __init__(self, names: FrozenSet[str]):
        self._names = names  # bound by the user somewhere: not the builtins

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        f = node.func
        if isinstance(f, ast.Name) and hasattr(builtins, f.id) and f.id not in self._names:
            return node
        if isinstance(f, ast.Attribute) and f.end_lineno != node.lineno:
            return node  # CPython gives such a call lines that no other form has
        callees = ast.copy_location(ast.Constant(value=CALLEES), f)
        callees.lineno = first_line(f)
        node.func = ast.copy_location(ast.Subscript(value=callees, slice=f, ctx=_LOAD), f)
        if isinstance(f, ast.Attribute):  # it happens where the evaluation of `f` ended
            node.func.lineno = f.end_lineno
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
            body.insert(0, scopes.clone(node.body[0]))
        self._owner, self._splitter, self._callees = outer
        new = copy.copy(node)
        new.body = body or [ast.copy_location(ast.Pass(), node)]
        return new

    def _declarations(self, node: ast.FunctionDef) -> List[ast.stmt]:
        # They bind no code to their place, and must precede what we insert.
        return [scopes.clone(s) for s in scopes.own_statements(node.body)
                if isinstance(s, (ast.Global, ast.Nonlocal))]

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
        at = _At(members[0].line)
        chain = [self._link(p, run) for p in members]
        full = self._unpack(run, members, at) + [at.delete(_N, _O)]
        return self._attempt(members[0], run) + [at.choose(at.reached(run.end), full, chain)]

    def _attempt(self, p: Piece, run: Run) -> List[ast.stmt]:
        at = _At(p.line)
        site = self._table.sites[p.index]
        if site.direct:
            call = at.call("run", at.constant(p.index), at.loads(site.live_in))
        else:
            call = at.call("run_in_frame", at.constant(p.index), at.call("locals"))
        out: List[ast.stmt] = [at.unpack([_N, _O], call)]
        if any(RETURN in q.exits for q in self._table.pieces[p.index:run.end]):
            leave = at.simple(ast.Return, value=at.load(_O))
            out.append(at.choose(at.reached(RETURN), [leave], []))
        return out

    def _link(self, p: Piece, run: Run) -> ast.stmt:
        """Piece `p` in the run: done by Python, or already done by a segment."""
        at = _At(p.line)
        body = [at.delete(_N, _O)] + self._python(p)
        done: List[ast.stmt] = [at.restore(n, run.names.index(n)) for n in p.outs]
        if p.last:
            done += _forget(p.temporaries)
        if p.index + 1 < run.end:
            body += self._attempt(self._table.pieces[p.index + 1], run)
        else:
            done += self._leave_loop(run, at) + [at.delete(_N, _O)]
        return at.choose(at.reached(p.index), body, done)

    def _leave_loop(self, run: Run, at: _At) -> List[ast.stmt]:
        exits = {e for p in self._table.pieces[run.start:run.end] for e in p.exits}
        return [at.choose(at.reached(status), [at.delete(_N, _O), at.simple(kind)], [])
                for status, kind in ((BREAK, ast.Break), (CONTINUE, ast.Continue))
                if status in exits]

    def _unpack(self, run: Run, members: List[Piece], at: _At) -> List[ast.stmt]:
        names = run.end_names
        if not names:
            return []
        sure = scopes.bind_all([p.node for p in members])
        if all(n in sure for n in names):
            return [at.unpack(names, at.load(_O))]
        return [at.restore(n, i) for i, n in enumerate(names)]

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
        out = [self._callees.visit(scopes.clone(node))]
        if p.last and p.temporaries and not isinstance(node, ast.Return):
            out += _forget(p.temporaries)
        return out

    def _header(self, expression):
        return self._callees.visit(scopes.clone(expression)) if expression is not None else None

    def _write_If(self, node: ast.If, p: Piece) -> List[ast.stmt]:
        drop = _forget(p.temporaries)
        new = ast.If(test=self._header(node.test),
                     body=drop + self._block(node.body, p.bound),
                     orelse=scopes.clone(drop) + self._block(node.orelse, p.bound))
        return [ast.copy_location(new, node)]

    def _write_While(self, node: ast.While, p: Piece) -> List[ast.stmt]:
        bound = p.bound - scopes.deleted(node.body)
        if node.orelse or not has_work(node.test):
            new = ast.While(test=self._header(node.test), body=self._block(node.body, bound),
                            orelse=self._block(node.orelse, bound))
            return [ast.copy_location(new, node)]
        # The test becomes the first statement of the body: it can be in its segment.
        at = _At(node.test.lineno)
        test = ast.copy_location(ast.If(test=node.test, body=[at.simple(ast.Pass)],
                                        orelse=[at.simple(ast.Break)]), node)
        # No line for the jump back: the test has it, once an iteration.
        return [_NOWHERE.simple(ast.While, test=_NOWHERE.constant(True), orelse=[],
                                body=self._block([test] + node.body, bound))]

    def _write_For(self, node: ast.For, p: Piece) -> List[ast.stmt]:
        bound = p.bound - scopes.deleted(node.body)
        inside = bound | scopes.target_names(node.target)
        new = ast.For(target=self._header(node.target), iter=self._header(node.iter),
                      body=self._block(node.body, inside),
                      orelse=self._block(node.orelse, bound), type_comment=None)
        return [ast.copy_location(new, node)]

    def _write_With(self, node: ast.With, p: Piece) -> List[ast.stmt]:
        bound = p.bound.union(*(scopes.target_names(i) for i in node.items))
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
            bound = p.bound | scopes.facts(c.pattern).assigned
            cases.append(ast.match_case(pattern=scopes.clone(c.pattern), guard=self._header(c.guard),
                                        body=self._block(c.body, bound)))
        new = ast.Match(subject=self._header(node.subject), cases=cases)
        return [ast.copy_location(new, node)]

    def _write_FunctionDef(self, node: ast.FunctionDef, p: Piece) -> List[ast.stmt]:
        scope = self._owner.scope
        new = self.function(node, "%s.<locals>.%s" % (self._owner.qualname, node.name),
                            scope.local | scope.free, nested=True)
        return [new]

    def _write_ClassDef(self, node: ast.ClassDef, p: Piece) -> List[ast.stmt]:
        return [scopes.clone(node)]

    _write_AsyncFunctionDef = _write_ClassDef


def _is_docstring(s: ast.stmt, node: ast.FunctionDef) -> bool:
    return (s is node.body[0] and isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
            and isinstance(s.value.value, str))
