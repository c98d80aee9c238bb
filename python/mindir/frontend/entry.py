"""What a capture becomes: a compiled module with its guards, its inputs, and the
recipe by which the call's result and side effects are made of its results."""

import copy

from .._native import core
from ..parameter import Parameter
from ..runtime.callable import ModuleCallable, call as call_module
from ..runtime.eager import _scalar
from ..tensor import Tensor
from . import guards as _g
from . import join as _j
from .errors import Refused
from .transforms import Pullback
from .values import DICTS, Closure, Poison, ScalarTracer, TensorTracer, UNSET, Union


class Rerun(Exception):
    """The compiled call has to raise and did nothing yet: Python raises it, at the user's line."""


class Recipe:
    """A tree that makes a Python value of the module's results and the caller's objects.

    kind: "slot" (a Tensor), "number", "object" (one of the caller's), "constant",
    "sequence" or "mapping".
    """

    __slots__ = ("kind", "data", "parts")

    def __init__(self, kind, data=None, parts=()):
        self.kind, self.data, self.parts = kind, data, parts

    def make(self, results, objects):
        kind = self.kind
        if kind == "slot":
            return results[self.data]
        if kind == "constant":
            return self.data
        if kind == "object":
            return objects[self.data]
        if kind == "number":
            cls, slot = self.data
            return cls(results[slot].asnumpy().item())
        if kind == "sequence":
            items = [p.make(results, objects) for p in self.parts]
            return self.data(*items) if hasattr(self.data, "_fields") else self.data(items)
        cls, keys = self.data
        return cls(zip(keys, [p.make(results, objects) for p in self.parts]))


class Outcome:
    """One way in which a compiled call ends. kind: as of `flow.Exit`, or "normal"."""

    __slots__ = ("kind", "recipe")

    def __init__(self, kind, recipe):
        self.kind, self.recipe = kind, recipe


class Finisher:
    """Ends the main function of a session and builds its `Entry`."""

    def __init__(self, interpreter):
        self.interpreter, self.session = interpreter, interpreter.session
        self.reader = interpreter.reader
        self.results, self.objects, self._slots = [], [], {}

    def finish(self, flow, normal_value=UNSET):
        """flow: of the whole. normal_value: what the call hands on when it ends normally."""
        s = self.session
        outcomes, has_status = {}, flow.status is not None and len(flow.exits) + flow.normal > 1
        if has_status:
            self.results.append(s.local(flow.status))
        if flow.normal:
            outcomes[0] = Outcome("normal", self.recipe(normal_value))
        for code, e in flow.exits.items():
            value = normal_value if e.kind in ("break", "continue") else e.value
            outcomes[code] = Outcome(e.kind, self.recipe(value))
        effects = [(kind, target, name, self.recipe(value)) for kind, target, name, value in self._effects()]
        updates = self._updates()
        attributes = [{} for _ in range(len(self.results) - len(updates))]
        attributes += [{"mindir.updates": position} for position in updates]
        s.builder.end_function(self.results, attributes)
        first = len(self.results) - len(updates)
        return Entry(s, outcomes, has_status, effects, self.objects,
                     {first + i: position for i, position in enumerate(updates)})

    def _effects(self):
        for effect in self.reader.effects():
            if effect[0] in ("append", "content"):
                yield effect[0], effect[1], None, _plain(effect[2])
            else:
                yield effect

    def _updates(self):
        """Appends the new values of the tensors of the caller's that were written."""
        s, positions = self.session, []
        root = s.functions[0]
        written = [(t, ir) for t, ir, _ in s.externals if t._storage.ir is not ir]
        if written:
            self._guard_aliasing(written)
        for tracer, ir in written:
            new = s.cast_shape(s.local(tracer._storage.ir), ir.shape)
            root.argument(s.builder, ir)
            positions.append(root.position(ir))
            self.results.append(new)
        return positions

    def _guard_aliasing(self, written):
        s = self.session
        tensors = [t._storage.real for t, _, _ in s.externals]
        groups = core.storage_groups(tuple(tensors))
        changed = {id(t._storage.real) for t, _ in written}
        for i, group in enumerate(groups):
            shared = [t for t, g in zip(tensors, groups) if g == group]
            if len(shared) > 1 and any(id(t) in changed for t in shared):
                raise Refused("a write to a tensor that shares storage with another")
        s.guards.aliasing([t._storage.source for t, _, _ in s.externals], groups)

    # -- recipes ------------------------------------------------------------------------

    def recipe(self, value):
        """The recipe of a captured value."""
        s = self.session
        if isinstance(value, TensorTracer):
            return self._tensor(value)
        if type(value) is ScalarTracer:
            if value.ir.owner is None and value.ir.source is not None:
                return self._object(value.ir.source)
            return Recipe("number", (ScalarTracer.CLASSES[value.kind], self._slot(value.ir)))
        if isinstance(value, (Closure, Poison, Union, Pullback)):
            made = isinstance(value, (Closure, Pullback))
            raise Refused("a function made by captured code leaves it" if made else
                          getattr(value, "reason", "a value of several types"))
        if id(value) in self.reader.by_copy:
            return self._object(self.reader.by_copy[id(value)].source)
        if isinstance(value, (list, tuple)) and (type(value) in (list, tuple) or hasattr(value, "_fields")):
            return Recipe("sequence", type(value), [self.recipe(v) for v in value])
        if type(value) in DICTS:
            return Recipe("mapping", (type(value), list(value)), [self.recipe(v) for v in value.values()])
        if isinstance(value, Tensor):
            return self._tensor(self.interpreter.lift(value)) if value is not None else None
        if type(value) is set:
            return Recipe("sequence", set, [self.recipe(v) for v in value])
        return Recipe("constant", value)

    def _tensor(self, tracer):
        storage = tracer._storage
        if storage.real is not None and not tracer._views:
            return self._object(storage.source)
        return Recipe("slot", self._slot(tracer.ir))

    def _slot(self, ir):
        if ir.stamp not in self._slots:
            self._slots[ir.stamp] = len(self.results)
            self.results.append(self.session.local(ir))
        return self._slots[ir.stamp]

    def _object(self, source):
        self.objects.append(source)
        return Recipe("object", len(self.objects) - 1)


class Entry:
    """A compiled capture. `check(a)` gives its inputs for the flattened call `a`, or None;
    `run(inputs, a)` runs it and gives (kind, value) of the way it ended.

    operations: the tensor operations of one run. restartable: nothing of the
    caller's changes before the end, so that a raise can be left to Python.
    argument_types: (dtype, shape) of each input, None for a size left open.
    """

    def __init__(self, session, outcomes, has_status, effects, objects, updates):
        root = session.functions[0]
        session.guards.inputs = [ir.source for ir in root.imports]
        self.argument_types = [(ir.dtype, tuple(ir.shape)) for ir in root.imports]
        self.operations = session.operations
        self.outcomes, self.has_status, self.effects, self.updates = outcomes, has_status, effects, updates
        self.restartable = not effects and not updates
        self._objects = [s.code(session.guards.pool) for s in objects]
        targets = [t.code(session.guards.pool) if isinstance(t, _g.Source) else None for _, t, _, _ in effects]
        self.check, self.failed = session.guards.compile()
        names = self.check.__globals__
        self._fetch = eval(compile(f"lambda a: [{', '.join(self._objects)}]", "<mindir objects>", "eval"), names)
        self._targets = eval(compile(f"lambda a: [{', '.join(t or 'None' for t in targets)}]",
                                     "<mindir effects>", "eval"), names)
        self.builder = session.builder
        self._module = None
        self._kept = session._kept

    def module(self, options=None):
        """The module as something to call; compiled at its first call."""
        if self._module is None:
            text = self.builder.text()
            executable = core.compile(text, entry="main", options=options or {})
            self._module = ModuleCallable(text, "main", executable=executable, updates=self.updates)
            self.builder = None
        return self._module

    def _results(self, tensors):
        """What the module gives; `Rerun` for an error that Python can raise where it arises."""
        try:
            return call_module(self._module, tensors)
        except (ArithmeticError, LookupError, TypeError, ValueError):
            if not self.restartable:
                raise
        raise Rerun()

    def run(self, inputs, a):
        """Runs on inputs that `check` gave; raises `Rerun` where Python has to raise."""
        tensors = [v if isinstance(v, Tensor) else _scalar(v) for v in inputs]
        objects = self._fetch(a) if self._objects else ()
        targets = self._targets(a) if self.effects else ()
        results = self._results(tensors)
        code = int(results[0].asnumpy()) if self.has_status else next(iter(self.outcomes))
        outcome = self.outcomes[code]
        if outcome.kind == "raise" and self.restartable:
            raise Rerun()
        values = [(e, t, e[3].make(results, objects)) for e, t in zip(self.effects, targets)]
        for (kind, obj, name, _), target, value in values:
            _perform(kind, obj if target is None else target, name, value)
        value = outcome.recipe.make(results, objects)
        if outcome.kind == "raise":
            raise copy.copy(value)
        return outcome.kind, value


def _plain(container):
    """A copy, which the recipe does not take for the caller's own container."""
    return container.copy()


def _perform(kind, target, name, value):
    """Does one side effect to the caller's objects."""
    if kind == "attribute":
        setattr(target, name, value)
    elif kind == "global":
        target[name] = value
    elif kind == "free":
        target.cell_contents = value
    elif kind == "append":
        target.extend(value)
    elif isinstance(target, list):
        target[:] = value
    else:
        target.clear()
        target.update(value)
