"""Frames of captured functions: their variables and where other names are found."""

import ast
import builtins

from . import scopes as _scopes
from .errors import Refused, UserError
from .values import Poison, UNSET


class Frame:
    """One activation of a captured function.

    scope: its variables. parent: the frame of the captured function it is nested
    in. closure: free variable -> cell of an ordinary function. local_names: names
    that assignment makes local. codes of its exits are unique in the session.
    """

    def __init__(self, session, reader, node, name, filename, namespace, closure=None, parent=None,
                 local_names=None, declared=None):
        self.session, self.reader, self.node, self.name = session, reader, node, name
        self.filename, self.namespace = filename, namespace
        self.closure, self.parent = closure or {}, parent
        self.scope = session.journal.note({})
        self.declared = _declared(node) if declared is None else dict(declared)
        self.local_names = _local_names(node) - set(self.declared) if local_names is None else local_names
        self.loops, self.pending, self.first_argument = [], [], None
        self.is_comprehension = False
        self.call_location = None

    # -- reading ---------------------------------------------------------------------

    def lookup(self, name):
        """The value of a name; UserError(NameError) when it has none."""
        value = self._find(name)
        if value is UNSET:
            kind = UnboundLocalError if name in self.local_names else NameError
            text = (f"cannot access local variable '{name}' where it is not associated with a value"
                    if kind is UnboundLocalError else f"name '{name}' is not defined")
            raise UserError(kind(text))
        if type(value) is Poison:
            raise Refused(f"'{name}' holds {value.reason}")
        return value

    def _find(self, name):
        if name in self.local_names and name not in self.declared:
            return self.scope.get(name, UNSET)
        if self.declared.get(name) != "global":
            found = self._enclosing(name)
            if found is not None:
                return found[0]()
        value = self.reader.read_global(self.namespace, name)
        if value is UNSET:
            value = getattr(builtins, name, UNSET)
        return value

    def _enclosing(self, name):
        """(reader, writer) of a free variable, or None."""
        frame = self.parent
        while frame is not None:
            if name in frame.local_names:
                return (lambda: frame.scope.get(name, UNSET)), (lambda v: frame.store_local(name, v))
            if name in frame.closure:
                return frame._cell(name)
            frame = frame.parent
        return self._cell(name) if name in self.closure else None

    def _cell(self, name):
        cell = self.closure[name]
        read = lambda: self.reader.read_cell(cell, name)
        return read, lambda v: self.reader.write_place("free", cell, "cell_contents", v, read)

    # -- writing -----------------------------------------------------------------------

    def store(self, name, value):
        """Binds a name as an assignment would."""
        where = self.declared.get(name)
        if self.is_comprehension and name not in self.local_names:
            return self.parent.store(name, value)
        if where == "global":
            read = lambda: self.reader.read_global(self.namespace, name)
            return self.reader.write_place("global", self.namespace, name, value, read)
        if where == "nonlocal":
            return self._enclosing(name)[1](value)
        return self.store_local(name, value)

    def store_local(self, name, value):
        self.session.journal.touch(self.scope)
        self.scope[name] = value

    def delete(self, name):
        """`del name`."""
        self.lookup(name)
        self.session.journal.touch(self.scope)
        self.scope.pop(name, None)

    def class_cell(self):
        """The class around a method, for `super()`; None outside of one."""
        frame = self
        while frame is not None:
            if "__class__" in frame.closure:
                return frame.closure["__class__"].cell_contents
            frame = frame.parent
        return None

    def reads_outside(self, name, loop):
        """Whether code of the function outside the loop statement reads the name."""
        inside = {id(n) for n in ast.walk(loop)}
        node = self.node
        nodes = ast.walk(node) if isinstance(node, ast.AST) else (x for n in node for x in ast.walk(n))
        outer = any(isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Load)
                    and id(n) not in inside for n in nodes)
        return outer or name in getattr(self, "live_out", ())


def _declared(node):
    found = {}
    if isinstance(node, ast.Lambda):
        return found
    for s in _scopes.own_statements(getattr(node, "body", node)):
        if isinstance(s, ast.Global):
            found.update(dict.fromkeys(s.names, "global"))
        elif isinstance(s, ast.Nonlocal):
            found.update(dict.fromkeys(s.names, "nonlocal"))
    return found


def _local_names(node):
    a = node.args
    every = a.posonlyargs + a.args + a.kwonlyargs + [x for x in (a.vararg, a.kwarg) if x]
    names = {x.arg for x in every}
    for part in [node.body] if isinstance(node, ast.Lambda) else node.body:
        names |= _scopes.facts(part).assigned
    return names
