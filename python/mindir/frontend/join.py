"""Joins: the one description of a value that paths of control leave different.

A spec is a tree: `Const` where the paths agree, `TensorSpec`/`ScalarSpec` where a
value must travel through the IR, `Seq`/`Mapping` for Python structure of equal
form, `Maybe` where one path does not bind the name, `Bad` where nothing can hold
both. `join` only ever widens, so that loops reach a fixpoint. `leaves` turns a
value into the operands of a yield, `build` the results back into a value.
"""

import math
import struct

from .values import (DICTS, ScalarTracer, Storage, TensorTracer, UNSET, Poison, is_number, kind_of)


class Const:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class TensorSpec:
    __slots__ = ("dtype", "shape")

    def __init__(self, dtype, shape):
        self.dtype, self.shape = dtype, tuple(shape)


class ScalarSpec:
    __slots__ = ("kind",)

    def __init__(self, kind):
        self.kind = kind


class Seq:
    __slots__ = ("cls", "items")

    def __init__(self, cls, items):
        self.cls, self.items = cls, items


class Mapping:
    __slots__ = ("cls", "keys", "items")

    def __init__(self, cls, keys, items):
        self.cls, self.keys, self.items = cls, keys, items


class Maybe:
    """Bound on some paths only; `assume_bound` when the caller knows better."""
    __slots__ = ("spec",)

    def __init__(self, spec):
        self.spec = spec


class Bad:
    """conflict: "type" when peeling an iteration may help, else "structure"."""
    __slots__ = ("reason", "conflict")

    def __init__(self, reason, conflict="structure"):
        self.reason, self.conflict = reason, conflict


def same(a, b):
    """Whether two values are one: identity, or constants equal in type and bits."""
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) is float:
        return struct.pack("d", a) == struct.pack("d", b)
    if type(a) in (int, bool, str, bytes):
        return a == b
    if type(a) is TensorTracer or isinstance(a, TensorTracer):
        return a._storage is b._storage and not a._views and not b._views
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same, a, b))
    if type(a) in (range, slice):
        return a == b
    return False


def describe(v):
    """The spec of one value, one level deep."""
    if isinstance(v, TensorTracer):
        return TensorSpec(*v.type)
    kind = kind_of(v)
    if kind is not None:
        return ScalarSpec(kind)
    if type(v) in (tuple, list):
        return Seq(type(v), [Const(x) for x in v])
    if type(v) in DICTS:
        return Mapping(type(v), list(v), [Const(x) for x in v.values()])
    if type(v) is Poison:
        return Bad(v.reason) if v.held is UNSET else Maybe(describe(v.held))
    return Bad(f"a {type(v).__name__} that differs between the paths")


def join(spec, v):
    """The least spec that holds what `spec` holds, and `v`."""
    if v is UNSET:
        if isinstance(spec, (Maybe, Bad)) or (isinstance(spec, Const) and spec.value is UNSET):
            return spec
        return Maybe(spec)
    if isinstance(spec, Maybe):
        return Maybe(join(spec.spec, v.held if type(v) is Poison and v.held is not UNSET else v))
    if type(v) is Poison and v.held is not UNSET and not (isinstance(spec, Const) and spec.value is v):
        return join(Maybe(spec), v)
    if isinstance(spec, Const):
        if spec.value is UNSET:
            return Maybe(Const(v))
        if same(spec.value, v):
            return spec
        return join(describe(spec.value), v)
    if isinstance(spec, Bad):
        return spec
    return _join_form(spec, v)


def _join_form(spec, v):
    if isinstance(spec, TensorSpec):
        if not isinstance(v, TensorTracer):
            return Bad(f"a tensor on one path, a {type(v).__name__} on another", "type")
        return _join_tensors(spec, *v.type)
    if isinstance(spec, ScalarSpec):
        kind = kind_of(v)
        if kind == spec.kind:
            return spec
        what = "tensor" if isinstance(v, TensorTracer) else type(v).__name__ if kind is None else kind
        return Bad(f"a Python {spec.kind} on one path, a {what} on another", "type")
    if isinstance(spec, Seq):
        if type(v) is not spec.cls or len(v) != len(spec.items):
            return Bad(f"{spec.cls.__name__}s of different length or kind")
        return Seq(spec.cls, [join(s, x) for s, x in zip(spec.items, v)])
    if type(v) is not spec.cls or list(v) != spec.keys:
        return Bad("dicts of different keys")
    return Mapping(spec.cls, spec.keys, [join(s, x) for s, x in zip(spec.items, v.values())])


def _join_tensors(spec, dtype, shape):
    if spec.dtype != dtype:
        return Bad(f"tensors of dtype {spec.dtype} and {dtype}", "type")
    if len(spec.shape) != len(shape):
        return Bad(f"tensors of rank {len(spec.shape)} and {len(shape)}", "type")
    return TensorSpec(spec.dtype, [a if a == b else None for a, b in zip(spec.shape, shape)])


def bad_in(spec):
    """The first `Bad` in the tree, or None."""
    if isinstance(spec, Bad):
        return spec
    if isinstance(spec, Maybe):
        return bad_in(spec.spec)
    if isinstance(spec, (Seq, Mapping)):
        for s in spec.items:
            found = bad_in(s)
            if found is not None:
                return found
    return None


def is_const(spec):
    """Whether nothing of it travels through the IR."""
    if isinstance(spec, (Seq, Mapping)):
        return all(map(is_const, spec.items))
    if isinstance(spec, Maybe):
        return is_const(spec.spec)
    return isinstance(spec, (Const, Bad))


def types(spec):
    """The (dtype, shape) of each leaf, in order."""
    if isinstance(spec, TensorSpec):
        return [(spec.dtype, spec.shape)]
    if isinstance(spec, ScalarSpec):
        return [(ScalarTracer.DTYPES[spec.kind], ())]
    if isinstance(spec, Maybe):
        return types(spec.spec)
    if isinstance(spec, (Seq, Mapping)):
        return [t for s in spec.items for t in types(s)]
    return []


def leaves(session, spec, v):
    """The builder Values of `v` in the form of `spec`, cast to its types; zeros
    where `v` is UNSET (a path on which nobody reads them)."""
    if type(v) is Poison and v.held is not UNSET:
        v = v.held
    if isinstance(spec, Maybe):
        return leaves(session, spec.spec, v)
    if isinstance(spec, TensorSpec):
        if v is UNSET or type(v) is Poison:
            return [session.zeros(spec.dtype, spec.shape)]
        return [session.cast_shape(session.local(v.ir), spec.shape)]
    if isinstance(spec, ScalarSpec):
        if v is UNSET or type(v) is Poison:
            return [session.zeros(ScalarTracer.DTYPES[spec.kind], ())]
        return [session.local(session.scalar(v).ir)]
    if isinstance(spec, Seq):
        parts = [UNSET] * len(spec.items) if v is UNSET or type(v) is Poison else list(v)
    elif isinstance(spec, Mapping):
        parts = [UNSET] * len(spec.items) if v is UNSET or type(v) is Poison else list(v.values())
    else:
        return []
    return [x for s, p in zip(spec.items, parts) for x in leaves(session, s, p)]


def build(session, spec, values, bound=False):
    """The value of a spec from an iterator of builder Values.

    bound: take a `Maybe` as bound (a loop that certainly ran).
    """
    if isinstance(spec, Const):
        return spec.value
    if isinstance(spec, TensorSpec):
        return session.tracer(next(values), phi=True)
    if isinstance(spec, ScalarSpec):
        return ScalarTracer(spec.kind, session.here(next(values)))
    if isinstance(spec, Seq):
        return spec.cls([build(session, s, values, bound) for s in spec.items])
    if isinstance(spec, Mapping):
        return spec.cls(zip(spec.keys, [build(session, s, values, bound) for s in spec.items]))
    if isinstance(spec, Maybe):
        inner = build(session, spec.spec, values, bound)
        return inner if bound else Poison("a name that not every path to here assigns", inner)
    return Poison(spec.reason)


def as_slot(spec):
    """The spec with every constant tensor or number forced through the IR, for
    results that leave the graph; other constants stay."""
    if isinstance(spec, Const):
        v = spec.value
        if isinstance(v, TensorTracer) or type(v) is ScalarTracer:
            return describe(v)
        if type(v) in (tuple, list) + DICTS and v:
            return as_slot(describe(v))
        return spec
    if isinstance(spec, Seq):
        return Seq(spec.cls, [as_slot(s) for s in spec.items])
    if isinstance(spec, Mapping):
        return Mapping(spec.cls, spec.keys, [as_slot(s) for s in spec.items])
    if isinstance(spec, Maybe):
        return Maybe(as_slot(spec.spec))
    return spec


def signature(spec):
    """A hashable form: equal when nothing was widened."""
    if isinstance(spec, Const):
        return ("const", id(spec.value))
    if isinstance(spec, TensorSpec):
        return ("tensor", spec.dtype, spec.shape)
    if isinstance(spec, ScalarSpec):
        return ("scalar", spec.kind)
    if isinstance(spec, Maybe):
        return ("maybe", signature(spec.spec))
    if isinstance(spec, (Seq, Mapping)):
        return (type(spec).__name__, tuple(map(signature, spec.items)))
    return ("bad",)
