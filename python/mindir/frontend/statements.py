"""Capture of statements: one `visit_X` per node, each gives a `Flow`."""

import ast

from ..parameter import Parameter
from ..tensor import Tensor
from . import operators as _o
from .errors import Refused, UserError
from .flow import Exit, Flow, NORMAL, leave, without
from .scope import Frame
from .values import CONTAINERS, DICTS, Poison, ScalarTracer, TensorTracer, UNSET



class Statements:
    """The part of the interpreter that executes statements."""

    # -- blocks ---------------------------------------------------------------------------

    def block(self, statements):
        """Captures a list of statements; what follows a statement by which only some
        paths leave is captured under the condition that none did."""
        for i, statement in enumerate(statements):
            flow = self.statement(statement)
            if not flow.exits:
                continue
            rest = statements[i + 1:]
            if not flow.normal or not rest:
                return flow
            return self.unless_left(flow, lambda: self.block(rest))
        return NORMAL

    def unless_left(self, flow, body):
        """Captures `body()` on the paths of a mixed flow that go on."""
        s = self.session
        going = s.compare("eq", s.local(flow.status), s.status(0))
        left = Flow(False, flow.exits, flow.status)
        return self.branches().run(going, body, lambda: left)

    def statement(self, node):
        """Captures one statement, and the raises of calls in it."""
        self.at(node)
        outer, self.frame.pending[:] = list(self.frame.pending), []
        try:
            flow = self.visit(node) or NORMAL
            pending = list(self.frame.pending)
        finally:
            self.frame.pending[:] = outer
        for each in pending:
            flow = self._add_raise(flow, each)
        return flow

    def _add_raise(self, flow, raised):
        """The flow of a statement in which a call may have raised first."""
        s = self.session
        exits = dict(raised.exits, **{}) | flow.exits
        own = s.local(flow.status) if flow.status is not None else \
            s.status(0 if flow.normal else next(iter(flow.exits)))
        status = s.local(raised.status)
        passed = s.compare("eq", status, s.status(0))
        joined = s.one("mindir.select", [passed, own, status], result_types=[("int32", ())])
        return Flow(flow.normal, exits, s.here(joined))

    def add_pending(self, flow):
        """Notes that a call in the present statement raises on some paths."""
        if flow.exits:
            if flow.status is None:
                error = next(iter(flow.exits.values())).value
                raise UserError(error)
            self.frame.pending.append(flow)

    # -- simple statements --------------------------------------------------------------------

    def visit_Expr(self, node):
        self.visit(node.value)

    def visit_Pass(self, node):
        return NORMAL

    def visit_Global(self, node):
        return NORMAL

    visit_Nonlocal = visit_Global

    def visit_Return(self, node):
        value = self.visit(node.value) if node.value else None
        if type(value).__name__ == "Union":
            return self._return_union(value)
        return leave(Exit(self.new_code(), "return", self.frozen(value), node))

    def _return_union(self, union):
        return Flow(False, union.exits, union.status)

    def frozen(self, value):
        """The value as it is now: later in-place writes to local tensors do not reach it."""
        if isinstance(value, TensorTracer) and value._storage.real is None and not value._views:
            return value
        return value

    def visit_Break(self, node):
        return leave(Exit(self.frame.loops[-1][0], "break", None, node))

    def visit_Continue(self, node):
        return leave(Exit(self.frame.loops[-1][1], "continue", None, node))

    def visit_Assert(self, node):
        known = self.test(node.test)
        if known is True:
            return NORMAL

        def fail():
            arguments = (self.session.concretize(self.visit(node.msg)),) if node.msg else ()
            return leave(Exit(self.new_code(), "raise", AssertionError(*arguments), node))
        if known is False:
            raise UserError(fail().exits.popitem()[1].value)
        return self.branches().run(known, lambda: NORMAL, fail)

    def visit_Raise(self, node):
        if node.exc is None:
            raise Refused("a raise without an exception")
        error = self.visit(node.exc)
        if isinstance(error, type) and issubclass(error, BaseException):
            error = _o.native(error)
        if not isinstance(error, BaseException):
            raise UserError(TypeError("exceptions must derive from BaseException"))
        if node.cause is not None:
            error.__cause__ = self.visit(node.cause)
        raise UserError(error)

    def visit_Import(self, node):
        import sys
        for alias in node.names:
            if alias.name not in sys.modules:
                raise Refused("an import that runs a module")
            module = sys.modules[alias.name]
            self.frame.store(alias.asname or alias.name.split(".")[0],
                             module if alias.asname else sys.modules[alias.name.split(".")[0]])

    def visit_ImportFrom(self, node):
        import sys
        name = "." * node.level + (node.module or "")
        import importlib.util
        full = importlib.util.resolve_name(name, self.frame.namespace.get("__package__") or "") \
            if node.level else name
        if full not in sys.modules:
            raise Refused("an import that runs a module")
        for alias in node.names:
            if not hasattr(sys.modules[full], alias.name):
                raise Refused("an import that runs a module")
            value = self.reader.read_attribute(sys.modules[full], alias.name)
            self.frame.store(alias.asname or alias.name, value)

    def visit_FunctionDef(self, node):
        if node.decorator_list:
            raise Refused("a decorated function inside a captured one")
        self.frame.store(node.name, self.closure(node, node.name))

    def visit_Try(self, node):
        """A try whose body raises always or never (as far as capture can see)."""
        if node.finalbody:
            raise Refused("try with finally")
        try:
            flow = self.block(node.body)
        except UserError as e:
            return self._handle(node, e)
        if any(x.kind == "raise" for x in flow.exits.values()):
            raise Refused("an exception inside try that depends on tensors")
        if node.orelse:
            return self.unless_left(flow, lambda: self.block(node.orelse)) if flow.mixed else \
                self.block(node.orelse) if flow.normal else flow
        return flow

    def _handle(self, node, raised):
        for handler in node.handlers:
            wanted = self.visit(handler.type) if handler.type else BaseException
            if isinstance(raised.error, wanted):
                if handler.name:
                    self.frame.store(handler.name, raised.error)
                flow = self.block(handler.body)
                if handler.name and handler.name in self.frame.scope:
                    self.frame.delete(handler.name)
                return flow
        raise raised

    def visit_Delete(self, node):
        for target in node.targets:
            if isinstance(target, ast.Name):
                self.frame.delete(target.id)
            elif isinstance(target, ast.Subscript):
                value, index = self.visit(target.value), self.known(self.visit(target.slice))
                if type(value) is not list and type(value) not in DICTS:
                    raise Refused("del of an item of such an object")
                self.session.journal.touch(value)
                _o.native(value.__delitem__, index)
            else:
                raise Refused("del of an attribute")

    def generic_visit(self, node):
        raise Refused(f"{_NAMES.get(type(node).__name__, type(node).__name__)}")

    # -- assignment -------------------------------------------------------------------------------

    def visit_Assign(self, node):
        value = self.visit(node.value)
        for target in node.targets:
            self.assign(target, value)

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.assign(node.target, self.visit(node.value))

    def assign(self, target, value):
        """Binds a target of an assignment or loop."""
        if type(value).__name__ == "Union":
            raise Refused("a call that returns different types on different paths")
        if isinstance(target, ast.Name):
            self.frame.store(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target, value)
        elif isinstance(target, ast.Attribute):
            self.set_attribute(self.visit(target.value), self.mangled(target.attr), value)
        elif isinstance(target, ast.Subscript):
            base, index = self.visit(target.value), self.visit(target.slice)
            self.at(target)
            self.set_item(base, index, value)
        else:
            self.assign(target.value, value)

    def _unpack(self, target, value):
        items = self.iterate(value)
        star = next((i for i, t in enumerate(target.elts) if isinstance(t, ast.Starred)), None)
        count = len(target.elts)
        if star is None:
            if len(items) != count:
                what = (f"too many values to unpack (expected {count})" if len(items) > count else
                        f"not enough values to unpack (expected {count}, got {len(items)})")
                raise UserError(ValueError(what))
            pairs = zip(target.elts, items)
        else:
            after = count - star - 1
            if len(items) < count - 1:
                raise UserError(ValueError("not enough values to unpack (expected at least "
                                           f"{count - 1}, got {len(items)})"))
            middle = self.session.journal.note(list(items[star:len(items) - after]))
            pairs = zip(target.elts, items[:star] + [middle] + items[len(items) - after:])
        for t, v in pairs:
            self.assign(t, v)

    def set_item(self, base, index, value):
        """`base[index] = value`."""
        if isinstance(base, Tensor):
            _o.native(type(base).__setitem__, base, self.tensor_index(index), self.session.weak(value))
        elif type(base) is list or type(base) in DICTS:
            self.session.journal.touch(base)
            _o.native(base.__setitem__, self.known(index), value)
        else:
            setter = getattr(type(base), "__setitem__", None)
            if setter is None:
                raise UserError(TypeError(f"'{type(base).__name__}' object does not support item assignment"))
            self.call(setter, (base, index, value), {})

    def set_attribute(self, base, name, value):
        """`base.name = value`: on a Cell's Parameter an in-place write, else an effect."""
        if isinstance(base, Tensor):
            raise Refused("an attribute set on a tensor")
        if self.made_here(base):
            raise Refused("an attribute set on such an object")
        read = lambda: self.reader.read_attribute(base, name) if hasattr(base, name) else UNSET
        old = getattr(base, name, None)
        if isinstance(old, Parameter) and isinstance(value, Tensor):
            if read() is not value:
                self.session.write(read(), value)
            return
        if isinstance(getattr(type(base), name, None), property):
            raise Refused("a property set")
        self.reader.write_place("attribute", base, name, value, read)

    def visit_AugAssign(self, node):
        function, target = _o.INPLACE[type(node.op)], node.target
        if isinstance(target, ast.Name):
            old = self.frame.lookup(target.id)
            put = lambda v: self.frame.store(target.id, v)
        elif isinstance(target, ast.Attribute):
            base, name = self.visit(target.value), self.mangled(target.attr)
            old = self.attribute(base, name)
            put = lambda v: self.set_attribute(base, name, v)
        else:
            base, index = self.visit(target.value), self.visit(target.slice)
            old = self.subscript(base, index)
            put = lambda v: self.set_item(base, index, v)
        value = self.visit(node.value)
        self.at(node)
        if type(old) in CONTAINERS:
            self.session.journal.touch(self.opened(old))
        put(_o.binary(self.session, function, old, value))

    # -- branches -----------------------------------------------------------------------------------

    def visit_If(self, node):
        known = self.test(node.test)
        if isinstance(known, bool):
            return self.block(node.body if known else node.orelse)
        return self.branches().run(known, lambda: self.block(node.body), lambda: self.block(node.orelse))

    def visit_Match(self, node):
        subject = self.visit(node.subject)
        for case in node.cases:
            bindings = self.matches(case.pattern, subject)
            if bindings is None:
                continue
            for name, value in bindings.items():
                self.frame.store(name, value)
            if case.guard is not None:
                known = _o.truth(self.session, self.visit(case.guard))
                if not isinstance(known, bool):
                    raise Refused("a match guard that depends on tensors")
                if not known:
                    continue
            return self.block(case.body)
        return NORMAL

    def matches(self, pattern, subject):
        """The bindings of a pattern that matches, or None."""
        if isinstance(pattern, ast.MatchAs):
            bindings = {} if pattern.pattern is None else self.matches(pattern.pattern, subject)
            if bindings is None or pattern.name is None:
                return bindings
            return dict(bindings, **{pattern.name: subject})
        if isinstance(pattern, ast.MatchOr):
            return next((b for b in (self.matches(p, subject) for p in pattern.patterns) if b is not None), None)
        if isinstance(pattern, ast.MatchSingleton):
            return {} if subject is pattern.value else None
        if isinstance(pattern, ast.MatchValue):
            known = _o.truth(self.session, _o.compare(
                self.session, _o.COMPARE[ast.Eq], subject, self.visit(pattern.value)))
            if not isinstance(known, bool):
                raise Refused("a match that depends on tensors")
            return {} if known else None
        if isinstance(pattern, ast.MatchSequence):
            return self._match_sequence(pattern.patterns, subject)
        raise Refused("this kind of pattern")

    def _match_sequence(self, patterns, subject):
        if type(subject) not in (list, tuple) or any(isinstance(p, ast.MatchStar) for p in patterns):
            if type(subject) in (list, tuple):
                raise Refused("a starred pattern")
            return None
        if len(subject) != len(patterns):
            return None
        bindings = {}
        for p, v in zip(patterns, subject):
            found = self.matches(p, v)
            if found is None:
                return None
            bindings.update(found)
        return bindings


_NAMES = {"With": "a with statement", "AsyncWith": "an async with", "ClassDef": "a class definition",
          "AsyncFunctionDef": "an async function", "AsyncFor": "an async for", "TryStar": "except*"}
