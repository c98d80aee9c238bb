"""What Python's own functions do on captured values. `BUILTINS` maps a function to
`handler(interpreter, *args, **kwargs)`; types and modules whose functions only
compute run as they are, on values that are known."""

import builtins
import functools
import math
import operator
import types
from collections import OrderedDict

from ..nn.cell import Cell
from ..nn.container import _Sequence
from ..ops.elementwise import maximum, minimum
from ..parameter import Parameter
from ..tensor import Tensor
from . import operators as _o
from .errors import Refused, UserError
from .values import Closure, ParameterTracer, ScalarTracer, TensorTracer, UNSET, kind_of

MUTATING = {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort", "update",
            "setdefault", "popitem", "move_to_end", "add", "discard", "__setitem__", "__delitem__",
            "difference_update", "intersection_update", "symmetric_difference_update"}
PURE_MODULES = {"math", "operator", "itertools", "functools", "_operator", "_functools", "cmath",
                "string", "re", "_struct"}
PURE_TYPES = {int, float, complex, bool, str, bytes, list, tuple, dict, OrderedDict, set, frozenset, range, slice,
              zip, enumerate, reversed, map, filter, object, type(None)}
BUILTINS = {}


def handles(*functions):
    def register(handler):
        for f in functions:
            BUILTINS[f] = handler
        return handler
    return register


@handles(len)
def _len(interpreter, value):
    if isinstance(value, Tensor):
        if not value.ndim:
            raise UserError(TypeError("len() of a 0-d tensor"))
        return interpreter.session.dim(value, 0)
    if isinstance(value, ScalarTracer):
        raise UserError(TypeError(f"object of type '{value.kind}' has no len()"))
    length = getattr(type(value), "__len__", None)
    if isinstance(length, types.FunctionType) and not type(value).__module__.startswith("mindir"):
        return interpreter.call(length, (value,), {})
    if isinstance(value, Cell):
        return len(interpreter.children(value)) if isinstance(value, _Sequence) else _o.native(len, value)
    return _o.native(len, value)


@handles(range)
def _range(interpreter, *bounds):
    from .loops import RuntimeRange
    s = interpreter.session
    bounds = [_o.as_number(s, b, "int") if isinstance(b, Tensor) else b for b in bounds]
    if all(type(b) is not ScalarTracer or b.sample is not UNSET and not _is_size(b) for b in bounds):
        return _o.native(range, *[s.concretize(b) for b in bounds])
    start, stop, step = {1: lambda b: (0, b, 1), 2: lambda a, b: (a, b, 1), 3: lambda a, b, c: (a, b, c)}[
        len(bounds)](*bounds)
    return RuntimeRange(start, stop, step)


def _is_size(v):
    return any(type(r.source).__name__ == "DimOf" for r in v.roots)


@handles(isinstance)
def _isinstance(interpreter, value, classes):
    if type(value) is ScalarTracer:
        value = ScalarTracer.CLASSES[value.kind]()
    if isinstance(value, Closure):
        value = lambda: None
    return _o.native(isinstance, value, classes)


@handles(issubclass)
def _issubclass(interpreter, cls, classes):
    return _o.native(issubclass, cls, classes)


@handles(type)
def _type(interpreter, value, *rest):
    if rest:
        raise Refused("a class made by type()")
    if type(value) is ScalarTracer:
        return ScalarTracer.CLASSES[value.kind]
    if isinstance(value, TensorTracer):
        return Parameter if isinstance(value, Parameter) else Tensor
    return types.FunctionType if isinstance(value, Closure) else type(value)


def _number(kind):
    cls = ScalarTracer.CLASSES[kind]

    def convert(interpreter, value=UNSET, *rest, **kwargs):
        if value is UNSET:
            return cls()
        if kind == "bool":
            known = _o.truth(interpreter.session, value)
            return known if isinstance(known, bool) else ScalarTracer("bool", interpreter.session.here(known))
        if isinstance(value, Tensor):
            return _o.as_number(interpreter.session, value, kind)
        if type(value) is ScalarTracer and (value.kind == kind or value.sample is UNSET):
            return value if value.kind == kind else _o.as_number(interpreter.session, value, kind)
        return _o.native(cls, interpreter.session.concretize(value), *rest, **kwargs)
    return convert


for _kind in ("bool", "int", "float"):
    BUILTINS[ScalarTracer.CLASSES[_kind]] = _number(_kind)


@handles(list)
def _list(interpreter, value=()):
    return list(interpreter.iterate(value))


@handles(tuple)
def _tuple(interpreter, value=()):
    return tuple(interpreter.iterate(value))


@handles(dict)
def _dict(interpreter, *args, **kwargs):
    if args and not isinstance(args[0], dict):
        args = ([tuple(interpreter.iterate(p)) for p in interpreter.iterate(args[0])],)
    return _o.native(dict, *args, **kwargs)


@handles(set, frozenset)
def _set(interpreter, value=()):
    return {interpreter.session.concretize(v) for v in interpreter.iterate(value)}


@handles(zip)
def _zip(interpreter, *values, strict=False):
    return _o.native(list, zip(*[interpreter.iterate(v) for v in values], strict=strict))


@handles(enumerate)
def _enumerate(interpreter, value, start=0):
    return list(enumerate(interpreter.iterate(value), interpreter.session.concretize(start)))


@handles(reversed)
def _reversed(interpreter, value):
    return list(reversed(interpreter.iterate(value)))


@handles(map)
def _map(interpreter, function, *values):
    return [interpreter.call(function, items, {}) for items in zip(*map(interpreter.iterate, values))]


@handles(filter)
def _filter(interpreter, function, values):
    kept = []
    for v in interpreter.iterate(values):
        known = _o.truth(interpreter.session, interpreter.call(function, (v,), {}) if function else v)
        if not isinstance(known, bool):
            raise Refused("a filter whose length depends on tensors")
        if known:
            kept.append(v)
    return kept


@handles(functools.reduce)
def _reduce(interpreter, function, values, *initial):
    items = list(initial) + interpreter.iterate(values)
    if not items:
        raise UserError(TypeError("reduce() of empty iterable with no initial value"))
    result = items[0]
    for v in items[1:]:
        result = interpreter.call(function, (result, v), {})
    return result


@handles(sum)
def _sum(interpreter, values, start=0):
    if isinstance(values, Tensor) and values.shape and values.shape[0] is None:
        return values.sum(0)
    for v in interpreter.iterate(values):
        start = _o.binary(interpreter.session, operator.add, start, v)
    return start


def _extreme(function, op, better):
    def handler(interpreter, *values, **kwargs):
        items = interpreter.iterate(values[0]) if len(values) == 1 else list(values)
        traced = any(isinstance(v, Tensor) or type(v) is ScalarTracer for v in items)
        if not traced:
            if "key" in kwargs and isinstance(kwargs["key"], Closure):
                raise Refused(f"{function.__name__} with a key")
            return _o.native(function, items, **kwargs)
        if kwargs:
            raise Refused(f"{function.__name__} with a key or default")
        result = items[0]
        for v in items[1:]:
            held = result
            result = interpreter.choose(_o.compare(interpreter.session, better, v, held),
                                        lambda v=v: v, lambda held=held: held)
        return result
    return handler


BUILTINS[max] = _extreme(max, maximum, operator.gt)
BUILTINS[min] = _extreme(min, minimum, operator.lt)


@handles(abs)
def _abs(interpreter, value):
    if type(value) is ScalarTracer:
        return interpreter.choose(_o.compare(interpreter.session, operator.lt, value, 0),
                                  lambda: _o.unary(interpreter.session, operator.neg, value), lambda: value)
    return _o.native(abs, value)


def _known(function):
    def handler(interpreter, *args, **kwargs):
        return _o.native(function, *interpreter.known(args), **interpreter.known(kwargs))
    return handler


for _f in (round, pow, divmod, str, repr, ord, chr, hex, bin, format, callable, slice, hash, complex,
           bytes, object, ascii, oct):
    BUILTINS[_f] = _known(_f)


def _text(function):
    def handler(interpreter, value="", *rest, **kwargs):
        if isinstance(value, (Tensor, Closure)):
            raise Refused("the text of a tensor, which is known only when run")
        return _o.native(function, interpreter.known(value), *rest, **kwargs)
    return handler


for _f in (str, repr, format):
    BUILTINS[_f] = _text(_f)


def _quantifier(is_all):
    def handler(interpreter, values):
        result = is_all
        for v in interpreter.iterate(values):
            known = _o.truth(interpreter.session, v)
            if not isinstance(known, bool):
                raise Refused("any() or all() over tensors")
            if known != is_all:
                return known
        return result
    return handler


BUILTINS[any], BUILTINS[all] = _quantifier(False), _quantifier(True)


@handles(sorted)
def _sorted(interpreter, values, *, key=None, reverse=False):
    items = interpreter.iterate(values)
    keys = [interpreter.call(key, (v,), {}) for v in items] if key else items
    if any(isinstance(k, Tensor) for k in keys):
        raise Refused("a sort by the values of tensors")
    keys = interpreter.known(list(keys))
    order = _o.native(sorted, range(len(items)), key=keys.__getitem__, reverse=reverse)
    return [items[i] for i in order]


@handles(getattr)
def _getattr(interpreter, value, name, *default):
    try:
        return interpreter.attribute(value, name)
    except UserError as e:
        if default and isinstance(e.error, AttributeError):
            return default[0]
        raise


@handles(hasattr)
def _hasattr(interpreter, value, name):
    try:
        interpreter.attribute(value, name)
    except UserError as e:
        if isinstance(e.error, AttributeError):
            return False
        raise
    return True


@handles(setattr)
def _setattr(interpreter, value, name, new):
    interpreter.set_attribute(value, name, new)


@handles(super)
def _super(interpreter, *args):
    if args:
        return _o.native(super, *args)
    cls = interpreter.frame.class_cell()
    if cls is None:
        raise UserError(RuntimeError("super(): no arguments"))
    return super(cls, interpreter.frame.first_argument)


def _foreign(name):
    def handler(interpreter, *args, **kwargs):
        raise Refused(f"a call of {name}")
    return handler


for _name in ("print", "input", "open", "eval", "exec", "locals", "globals", "vars", "dir", "id", "iter",
              "next", "breakpoint", "compile", "__import__", "delattr"):
    BUILTINS[getattr(builtins, _name)] = _foreign(_name)

for _f in vars(math).values():
    if callable(_f):
        BUILTINS.setdefault(_f, _known(_f))
