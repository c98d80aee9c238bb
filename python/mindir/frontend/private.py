"""Calls that stay calls: a captured function is one private function of the module
for all calls that agree in code, structure and types.

Its arguments are the tensors of the call; Parameters and other tensors that it
finds elsewhere follow them, and what it writes to those comes back as further
results. A later call shares the function when it reads the same (`reads`). What
cannot be told from outside is captured in line: a write to a local argument, a
change of an outer container.
"""

import ast
import enum
import types

import numpy as np

from ..dtype import DType
from ..nn.cell import Cell
from ..ops.primitive import Primitive
from ..parameter import Parameter
from ..tensor import Tensor
from . import reads as _r
from .errors import Refused, UserError
from .values import DICTS, NO_SAMPLE, ScalarTracer, Storage, TensorTracer

_CONSTANTS = (type(None), bool, int, float, complex, str, bytes, type(Ellipsis), range)
_OBJECTS = (types.FunctionType, types.BuiltinFunctionType, type, types.ModuleType, DType, Primitive,
            enum.Enum, np.dtype, np.generic)


class Arguments:
    """The arguments of a call, taken apart.

    key: what the code depends on, hashable. explicit: traced tensors and numbers
    that are passed. roots: objects from outside that another call may replace by
    their like. `inner(irs)` gives the arguments as the function's body sees them;
    `copies` are the lists and dicts in them, which it must leave alone.
    """

    def __init__(self, reader, bound):
        self._reader, self._bound = reader, bound
        self.explicit, self.roots, self.copies, self._numbers = [], [], [], {}
        self.key = tuple((name, self._form(v)) for name, v in bound.items())

    def _form(self, v):
        if isinstance(v, TensorTracer):
            return self._tensor(v)
        if type(v) is ScalarTracer:
            known = None if v.sample is NO_SAMPLE else (repr(v.sample), tuple(map(id, v.roots)))
            return "number", v.kind, known, self._number(v)
        if type(v) in _CONSTANTS:
            return type(v), repr(v)
        if isinstance(v, Cell) or id(v) in self._reader.by_copy:
            self.roots.append(v)
            return "like", type(v)
        if isinstance(v, (tuple, list)) and (type(v) in (tuple, list) or hasattr(v, "_fields")):
            return type(v), tuple(map(self._form, v))
        if type(v) in DICTS:
            return type(v), tuple(v), tuple(map(self._form, v.values()))
        if type(v) is slice:
            return slice, tuple(map(self._form, (v.start, v.stop, v.step)))
        if type(v) is types.MethodType:
            return "method", v.__func__, self._form(v.__self__)
        if isinstance(v, _OBJECTS):
            return "object", id(v)
        raise Refused("an argument that only captured code knows")

    def _tensor(self, v):
        if (isinstance(v, Parameter) or v.requires_grad) and not v._views:      # stays one inside
            self.roots.append(v)
            return "outer", type(v), *v.type, v.requires_grad
        return "tensor", *v.type, bool(v._views), self._number(v)

    def _number(self, v):
        number = self._numbers.setdefault(id(v), len(self.explicit))
        if number == len(self.explicit):
            self.explicit.append(v)
        return number

    def types(self):
        """The (dtype, shape) of the explicit arguments."""
        return [(v.ir.dtype, tuple(v.ir.shape)) for v in self.explicit]

    def inner(self, session, irs):
        self._inner = []
        for v, ir in zip(self.explicit, irs):
            ir.origin = v.ir
            self._inner.append(ScalarTracer(v.kind, ir, v.sample, v.roots) if type(v) is ScalarTracer else
                               TensorTracer(session, Storage(ir)))
        return {name: self._within(v) for name, v in self._bound.items()}

    def _within(self, v):
        if id(v) in self._numbers:
            return self._inner[self._numbers[id(v)]]
        if id(v) in self._reader.by_copy:
            return v
        if isinstance(v, tuple):
            items = [self._within(x) for x in v]
            return type(v)(*items) if hasattr(v, "_fields") else tuple(items)
        if type(v) is slice:
            return slice(*map(self._within, (v.start, v.stop, v.step)))
        if type(v) is list or type(v) in DICTS:
            copy = [self._within(x) for x in v] if type(v) is list else \
                type(v)((k, self._within(x)) for k, x in v.items())
            self.copies.append(copy)
            return copy
        return v

    def place_of(self, storage):
        """The number of the explicit argument that is in the storage, or None."""
        return next((i for i, v in enumerate(self._inner) if isinstance(v, Tensor) and v._storage is storage), None)

    def fits(self, first, matching):
        """Whether the roots of this call can stand for those of the first one."""
        return len(self.roots) == len(first.roots) and all(map(matching.match, first.roots, self.roots))


class Result:
    """The form of a function's value: which parts are new, which were there before.

    slots: the `IR`s of what is new, each a result of the function.
    """

    def __init__(self, arguments, value):
        self._arguments, self.slots, self._phi, self._places = arguments, [], [], {}
        self.form = self._form(value)

    def _form(self, v):
        if isinstance(v, TensorTracer):
            return self._tensor(v)
        if type(v) is ScalarTracer:
            if v.sample is not NO_SAMPLE:
                raise Refused("a number of the caller's that is handed back")
            self.slots.append(v.ir)
            self._phi.append(False)
            return "number", len(self.slots) - 1, v.kind
        if type(v) in _CONSTANTS or isinstance(v, _OBJECTS):
            return "constant", v
        if isinstance(v, Cell):
            return "like", v
        if any(v is copy for copy in self._arguments.copies):
            raise Refused("a container that is handed back")
        if type(v) in (tuple, list):
            return "sequence", type(v), [self._form(x) for x in v]
        if type(v) in DICTS:
            return "mapping", (type(v), list(v)), [self._form(x) for x in v.values()]
        raise Refused(f"a {type(v).__name__} that is handed back")

    def _tensor(self, v):
        storage, place = v._storage, self._arguments.place_of(v._storage)
        if place is not None:
            if v._views and self._arguments.explicit[place]._views:
                raise Refused("a view of a view that is handed back")
            return "argument", place, v._views
        if storage.real is not None:
            return "outer", storage, v._views
        if id(storage) not in self._places:
            self._places[id(storage)] = len(self.slots)
            self.slots.append(storage.ir)
            self._phi.append(storage.phi)
        return "new", self._places[id(storage)], v._views

    def make(self, session, arguments, matching, values):
        """The value of a call from the builder Values of its results."""
        irs = [session.here(v) for v in values]
        storages = [session.storage(ir, phi) for ir, phi in zip(irs, self._phi)]

        def build(form):
            kind = form[0]
            if kind == "new":
                return TensorTracer(session, storages[form[1]], form[2])
            if kind == "number":
                return ScalarTracer(form[2], irs[form[1]])
            if kind == "argument":
                given = arguments.explicit[form[1]]
                return TensorTracer(session, given._storage, given._views + form[2]) if form[2] else given
            if kind == "outer":
                storage = matching(form[1])
                tracer = session.external(storage.real)
                return TensorTracer(session, storage, form[2]) if form[2] else tracer
            if kind == "sequence":
                return form[1](map(build, form[2]))
            if kind == "mapping":
                cls, keys = form[1]
                return cls(zip(keys, map(build, form[2])))
            return matching(form[1]) if kind == "like" else form[1]
        return build(self.form)


class Private:
    """A private function of the module and what a call of it needs.

    imports: for each argument after the explicit ones, the Storage of a tensor
    from outside, or the `IR` of an input. changes: the Storages it writes, whose
    new values are results after those of its value; raised: the flows of its
    exceptions, whose status is a result each. reads: what it depends on besides.
    """

    def __init__(self, name, arguments, result, imports, changes, raised, reads, operations):
        self.name, self.arguments, self.result, self.imports = name, arguments, result, imports
        self.changes, self.raised, self.reads, self.operations = changes, raised, reads, operations

    def matching(self, reader, arguments):
        """How this call corresponds to the first one; None when it needs other code."""
        matching = _r.Matching()
        if not arguments.fits(self.arguments, matching) or not _r.repeat(self.reads, reader, matching):
            return None
        written = [matching(storage) for storage in self.changes]
        if any(isinstance(v, Tensor) and v._storage in written for v in arguments.explicit):
            return None
        return matching

    def call(self, interpreter, arguments, matching):
        """Emits the call; gives its value, and writes what it changes."""
        session = interpreter.session
        if self.changes and session.pending():
            raise Refused("a write in the statement whose call may raise")
        values = []
        if self.result.slots or self.changes or self.raised:
            operands = [session.local(v.ir) for v in arguments.explicit]
            operands += [session.local(matching(x).ir if type(x) is Storage else x) for x in self.imports]
            values = session.builder.call(self.name, operands, None, session.location)
        count = len(self.result.slots)
        for storage, value in zip(map(matching, self.changes), values[count:]):
            session.journal.touch(storage)
            storage.ir = session.here(value)
        interpreter.raise_as(self.raised, values[count + len(self.changes):])
        return self.result.make(session, arguments, matching, values[:count])


class PrivateCalls:
    """The part of the interpreter that makes private functions and calls them."""

    def call_private(self, function, node, bound, body):
        """`body(bound)`, as a call of a private function where that is possible.

        body: captures the function with its parameters `bound`, which are {name: value}.
        """
        if isinstance(node, ast.Lambda) or not any(map(_matters, bound.values())):
            return body(bound)
        try:
            arguments = Arguments(self.reader, bound)
            key = (function, arguments.key)
            known = self.privates.setdefault(key, [])
        except (Refused, TypeError):
            return body(bound)
        if known is None:
            return body(bound)
        for each in known:
            matching = each.matching(self.reader, arguments)
            if matching is not None:
                self.session.operations += each.operations
                return each.call(self, arguments, matching)
        try:
            made = self._make_private(function, node, arguments, body)
        except (Refused, UserError):
            # In line, what it did before it raised stays.
            self.privates[key] = None
            return body(bound)
        known.append(made)
        return made.call(self, arguments, _r.Matching())

    def _make_private(self, function, node, arguments, body):
        s, first = self.session, len(self.reader.log)
        mark, operations = s.mark(), s.operations
        held = {t._storage.ir.stamp: t._storage for t in s.tensors()}
        try:
            name = s.unique_name(function.__qualname__.replace("<locals>.", ""))
            s.location = [(function.__code__.co_filename, node.lineno, node.col_offset, function.__name__)]
            inner = arguments.inner(s, s.begin_function(name, arguments.types(), private=True))
            s.location = []
            s.journal.push()
            with self.own_raises() as raised:
                value = body(inner)
            result = Result(arguments, value)
            delta = s.journal.pop()
            changes = _changes(s, delta, arguments)
            if changes and raised:
                raise Refused("a function that writes and may raise")
            values = [s.local(ir) for ir in result.slots + [delta.after[id(c)] for c in changes] +
                      [flow.status for flow in raised]]
            imports = _imports(s, held)
            if values:
                s.end_function(values)
            reads = self.reader.log[first:]
            return Private(name, arguments, result, imports, changes, raised, reads, s.operations - operations)
        except BaseException:
            s.operations = operations
            raise
        finally:
            # A function without results is dropped: there is nothing to call.
            s.unwind(mark)


def _matters(v):
    """Whether a parameter makes a call worth a function: a tensor or what may hold some."""
    if isinstance(v, (tuple, list)):
        return any(map(_matters, v))
    return isinstance(v, (Tensor, Cell))


def _changes(s, delta, arguments):
    """The Storages from outside that the body wrote; Refused: other changes that last."""
    changes = []
    for key, obj in delta.objects.items():
        if not delta.changed(key):
            continue
        if type(obj) is not Storage:
            raise Refused("a container or attribute changed by a function")
        if obj.real is not None:
            changes.append(obj)
        elif arguments.place_of(obj) is not None or delta.before[key].owner is not s.functions[-1]:
            raise Refused("a write to an argument of a function")
    if any(isinstance(v, Tensor) and v._storage in changes for v in arguments.explicit):
        raise Refused("a write to a tensor of which an argument is a view")
    return changes


def _imports(s, held):
    """What the arguments after the explicit ones stand for."""
    storages = {ir.stamp: t._storage for t, ir, _ in s.externals} | held
    imports = []
    for ir in s.functions[-1].imports:
        storage = storages.get(ir.stamp)
        if storage is None and ir.owner is not None:
            raise Refused("a local value of the caller's in a function")
        imports.append(ir if storage is None else storage)
    return imports
