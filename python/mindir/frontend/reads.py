"""What a captured function read, and whether another call reads the same.

Two calls of one function share its code when each thing that the first read is,
for the second, the same constant or something of the same type in the same
place: another Cell of the class, another Parameter of the dtype and shape. Such
things correspond one to one, so that what was shared stays shared.
"""

import types

import numpy as np

from ..nn.cell import Cell
from . import guards as _g
from . import join as _j
from .errors import UserError
from .values import CONTAINERS, ScalarTracer, TensorTracer

ABSENT = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""The result of a read of an attribute that is not there."""


class Read:
    """One read: `again(reader, obj)` repeats it on the object that now stands in
    the place of `obj`; `result` is what it gave."""

    __slots__ = ("again", "obj", "result")

    def __init__(self, again, obj, result):
        self.again, self.obj, self.result = again, obj, result


def snapshot(container):
    """What a list, dict or set holds, as something that does not change."""
    if isinstance(container, set):
        return frozenset(container)
    return tuple(container) if isinstance(container, list) else tuple(container.items())


class Matching:
    """The objects of an earlier call and those that stand for them in this one."""

    def __init__(self):
        self._new, self._old = {}, {}

    def __call__(self, old):
        """The object that stands for `old`; itself when it was not met."""
        found = self._new.get(id(old))
        return old if found is None else found[1]

    def pair(self, old, new):
        """Whether `new` can stand for `old`: each has one partner only."""
        mine = self._new.setdefault(id(old), (old, new))
        other = self._old.setdefault(id(new), (new, old))
        return mine[1] is new and other[1] is old

    def match(self, old, new):
        """Whether a value read again can take the place of the one read first."""
        if isinstance(old, TensorTracer):
            return isinstance(new, TensorTracer) and self._tensors(old, new)
        if type(old) is not type(new):
            return False
        if isinstance(old, Cell) or type(old) in CONTAINERS:
            return self.pair(old, new)
        if isinstance(old, tuple):
            return len(old) == len(new) and all(map(self.match, old, new))
        if isinstance(old, types.MethodType):
            return old.__func__ is new.__func__ and self.match(old.__self__, new.__self__)
        if type(old) is types.BuiltinMethodType and type(old.__self__) in CONTAINERS:
            return old.__name__ == new.__name__ and self.match(old.__self__, new.__self__)
        if isinstance(old, np.ndarray):
            return _g.same_array(old, new)
        if type(old) is ScalarTracer:
            return old is new or self._numbers(old, new)
        return _j.same(old, new) or isinstance(old, frozenset) and old == new

    def _tensors(self, old, new):
        a, b = old._storage, new._storage
        if a.real is None or b.real is None or old._views or new._views:
            return old is new
        return (type(old) is type(new) and old.ir.dtype == new.ir.dtype and old.ir.shape == new.ir.shape
                and old.requires_grad == new.requires_grad and self.pair(a, b))

    def _numbers(self, old, new):
        """Inputs that one place gives; `Root`s are made anew by each read."""
        if old.ir.owner is not None or new.ir.owner is not None or old.kind != new.kind:
            return False
        pool = _g.Pool()
        return old.ir.source.code(pool) == new.ir.source.code(pool) and _j.same(old.sample, new.sample)


def repeat(reads, reader, matching):
    """Whether every read, made again, gives what matches; its guards are then there."""
    for read in reads:
        try:
            new = read.again(reader, matching(read.obj))
        except (AttributeError, UserError):
            new = ABSENT
        if not matching.match(read.result, new):
            return False
    return True
