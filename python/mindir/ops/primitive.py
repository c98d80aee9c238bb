"""What an op of `mindir.ops` is: a body of straight-line Python that emits ops.

    @primitive(scalars=("x", "y"))
    def add(x, y):
        x, y = same_operands("Add", x, y)
        return emit("add", [x, y])

The body sees Values in place of tensors. The same body serves every caller:
under an emitter (a capture) it runs there and then; else the call is executed
by `runtime.eager`, which traces the body once per signature into a module of
its own. A body may call other primitives; they become part of it.
"""

import functools
import inspect

from .._native import core
from . import emitter as _e
from .emitter import state

REGISTRY = {}


class Updates:
    """What the body of a mutating primitive returns.

    `values`: the new value of each tensor in the `mutates` arguments, in order.
    `result`: what the call gives besides; None gives the mutated tensors.
    """

    __slots__ = ("values", "result")

    def __init__(self, values, result=None):
        self.values, self.result = list(values), result


class Primitive(core.OpBase):
    """A callable op. Eager calls with a known signature are served in C++. Attributes:

    `name`; `body`, the function over Values; `scalars`, the parameters whose
    Python numbers are run-time inputs (others are part of the signature);
    `mutates`, the parameters whose tensors are written: their body returns
    `Updates`; `view`, a function (array, *arguments) -> array that shares
    storage, or None where that is not possible; `host`, a numpy function of the
    arguments that replaces the body in eager calls of ops without tensors.
    """

    def __init__(self, body, scalars=(), mutates=(), view=None, host=None):
        functools.update_wrapper(self, body)
        self.name, self.body, self.view, self.host = body.__name__, body, view, host
        self.signature = inspect.signature(body)
        names = list(self.signature.parameters)
        self.parameter_names = names
        self.scalars = frozenset(names.index(n) for n in scalars)
        self.mutates = tuple(names.index(n) for n in mutates)
        self._positional = sum(p.kind is not p.KEYWORD_ONLY for p in self.signature.parameters.values())
        self._required = sum(p.default is p.empty for p in self.signature.parameters.values())
        REGISTRY[self.name] = self
        self._configure(self.signature.parameters.values())

    def _configure(self, parameters):
        defaults = tuple(p.default for p in parameters if p.default is not p.empty)
        first = len(parameters) - len(defaults)
        fits = all((p.default is p.empty) == (i < first) and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)
                   for i, p in enumerate(parameters))
        core.configure_op(self, tuple(self.parameter_names), defaults, self._positional, sorted(self.scalars),
                          self.view, fits and self.host is None, bool(self.mutates))

    def _call(self, *args, **kwargs):
        """A call that C++ does not serve: a first one, one in captured code, one with other arguments."""
        if state.emitter is None:
            return _dispatch(self, args, kwargs)
        if state.in_body:
            return self.body(*args, **kwargs)
        return self._emit(args, kwargs)

    def __get__(self, instance, owner):
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self):
        return f"<op mindir.ops.{self.name}>"

    def bind(self, args, kwargs):
        """All arguments in the order of the parameters; TypeError names the op."""
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"For '{self.name}', {error}.") from None
        bound.apply_defaults()
        return tuple(bound.arguments.values())

    def apply(self, values, function=None):
        """What the body (or a function of its signature) gives for the leading arguments `values`."""
        function, count = function or self.body, self._positional
        if len(values) <= count:
            return function(*values)
        return function(*values[:count], **dict(zip(self.parameter_names[count:], values[count:])))

    def _emit(self, args, kwargs):
        emitter = state.emitter
        args = self.bind(args, kwargs)
        values = tuple(map_tensors(a, emitter.unwrap) for a in args)
        state.in_body = True
        try:
            result = self.apply(values)
        finally:
            state.in_body = False
        if not self.mutates:
            result = map_values(result, emitter.wrap)
            as_view = getattr(emitter, "as_view", None) if self.view is not None else None
            return result if as_view is None else as_view(self, args, result)
        targets = [t for i in self.mutates for t in tensors_in(args[i])]
        for target, value in zip(targets, result.values):
            target.assign_value(emitter.wrap(value))
        if result.result is not None:
            return map_values(result.result, emitter.wrap)
        return targets[0] if len(targets) == 1 else tuple(targets)


def _dispatch(prim, args, kwargs):
    global _dispatch
    from ..runtime.eager import dispatch as _dispatch
    return _dispatch(prim, args, kwargs)


def primitive(body=None, *, scalars=(), mutates=(), view=None, host=None):
    """Makes an op of a body; see `Primitive` for the options."""
    if body is None:
        return functools.partial(primitive, scalars=scalars, mutates=mutates, view=view,
                                 host=host)
    return Primitive(body, scalars, mutates, view, host)


def tensors_in(structure):
    """The Tensors in nested tuples, lists and dicts, in order."""
    found = []
    map_tensors(structure, found.append)
    return found


def map_tensors(structure, fn):
    """The structure with `fn(t)` for each Tensor t in its tuples, lists and dicts."""
    from ..tensor import Tensor
    return _map(structure, Tensor, fn)


def map_values(structure, fn):
    """The structure with `fn(v)` for each Value v in its tuples, lists and dicts."""
    return _map(structure, core.Value, fn)


def _map(thing, cls, fn):
    if isinstance(thing, cls):
        return fn(thing)
    if isinstance(thing, list):
        return [_map(t, cls, fn) for t in thing]
    if isinstance(thing, tuple):
        made = [_map(t, cls, fn) for t in thing]
        return type(thing)(*made) if hasattr(thing, "_fields") else tuple(made)
    if isinstance(thing, dict):
        return {k: _map(v, cls, fn) for k, v in thing.items()}
    return thing
