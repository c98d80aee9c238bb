"""What a name can hold while a function is captured.

Whatever is known at capture is itself: a Python int is an int, a list a list.
What is known only when run is a tracer: `TensorTracer` for a tensor,
`ScalarTracer` for a Python number. Functions defined in captured code are
`Closure`s; a name that only some paths assign holds a `Poison`.
"""

import collections
import itertools

from ..parameter import Parameter
from ..tensor import Tensor
from .. import dtype as _dtype
from .errors import NeedsValue

UNSET = type("Unset", (), {"__repr__": lambda self: "UNSET", "__slots__": ()})()
"""In a join: the name is not bound on this path."""

DICTS = (dict, collections.OrderedDict)
CONTAINERS = (list, set) + DICTS
"""The types of the containers that captured code may look into and change."""

_stamp = itertools.count(1).__next__


class IR:
    """A Value of the builder, in the function `owner` where it was made.

    `owner` None marks an input of the whole graph, whose argument each function
    gets when it first needs it (`value` is then None and `source` says where the
    caller finds it). `region` names the region it was made in: it can be used
    only while that one is open; 0 is everywhere. `origin`: what the caller passed,
    when it is an argument of a private function.
    """

    __slots__ = ("value", "owner", "dtype", "shape", "source", "stamp", "region", "parameter", "origin")

    def __init__(self, value, owner, dtype=None, shape=None, source=None, region=0, parameter=False):
        self.value, self.owner, self.source, self.stamp = value, owner, source, _stamp()
        self.region, self.parameter, self.origin = region, parameter, None
        self.dtype = dtype if value is None else value.dtype
        self.shape = shape if value is None else value.shape


class Storage:
    """A tensor's memory: `ir` is what it holds now.

    real: the caller's Tensor, when it was there before the call.
    phi: a join of two storages; which one a write would change is not known.
    """

    __slots__ = ("ir", "real", "phi", "source", "__weakref__")

    def __init__(self, ir, real=None, phi=False, source=None):
        self.ir, self.real, self.phi, self.source = ir, real, phi, source


class TensorTracer(Tensor):
    """A tensor known by type: a storage seen through a chain of view ops.

    `_views` is a tuple of (primitive, arguments after the tensor); reading
    derives the value from what the storage holds then. A write replaces the
    storage's value, so that all views of it see it.
    """

    def __init__(self, session, storage, views=()):
        self._session, self._storage, self._views = session, storage, views
        self._cache = self._sizes = None

    @property
    def ir(self):
        """The `IR` of the present value."""
        if not self._views:
            return self._storage.ir
        return self._session.derive_view(self)

    @property
    def type(self):
        """(dtype by name, shape), also where its value cannot be derived."""
        held = self._storage.ir
        if self._views and self._sizes is None:
            self._sizes = viewed(held.shape, self._views).shape
        return held.dtype, self._sizes if self._views else tuple(held.shape)

    @property
    def dtype(self):
        return _dtype.of_name(self._storage.ir.dtype)

    @property
    def shape(self):
        """Sizes; None where known only when run."""
        return self.type[1]

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        """The number of elements; NeedsValue when a size is not known."""
        number = 1
        for s in self.shape:
            if s is None:
                raise NeedsValue("the size of a tensor whose shape is known only when run")
            number *= s
        return number

    @property
    def requires_grad(self):
        real = self._storage.real
        return bool(getattr(real, "requires_grad", False))

    @property
    def name(self):
        return getattr(self._storage.real, "name", None)

    def _refuse(self, *args, **kwargs):
        raise NeedsValue("the data of a tensor is known only when the graph runs")

    asnumpy = numpy = item = tolist = _refuse
    __bool__ = __int__ = __float__ = __index__ = __complex__ = __array__ = _refuse
    __format__ = _refuse

    def __iter__(self):
        rows = self.shape[0] if self.shape else None
        if rows is None:
            raise NeedsValue("iteration over a tensor whose first size is not known")
        return iter([self[i] for i in range(rows)])

    def __len__(self):
        if not self.shape:
            raise TypeError("len() of a 0-d tensor")
        if self.shape[0] is None:
            raise NeedsValue("the length of a tensor whose first size is not known")
        return self.shape[0]

    def __repr__(self):
        return f"<traced tensor {self.type[0]}{list(self.shape)}>"

    __str__ = _refuse

    def __hash__(self):
        return id(self)


class ParameterTracer(TensorTracer, Parameter):
    """A Parameter as captured code sees it."""


class Root:
    """A Python number of the caller's: `source` finds it, `sample` is its value
    at capture. Reading the value makes it a guard; `pin` is what the
    specialization of the function is then told to fix, or None."""

    __slots__ = ("source", "sample", "pin")

    def __init__(self, source, sample, pin=None):
        self.source, self.sample, self.pin = source, sample, pin


NO_SAMPLE = UNSET


class ScalarTracer:
    """A Python bool, int or float that is known when run.

    kind: "bool", "int" or "float". `ir`: its 0-d tensor (bool, int64, float64).
    sample, roots: the value at capture and the `Root`s it depends on alone, so
    that `Session.concretize` can take the value and guard the roots; NO_SAMPLE
    when it depends on a tensor.
    """

    __slots__ = ("kind", "ir", "sample", "roots")
    DTYPES = {"bool": "bool", "int": "int64", "float": "float64"}
    CLASSES = {"bool": bool, "int": int, "float": float}

    def __init__(self, kind, ir, sample=NO_SAMPLE, roots=()):
        self.kind, self.ir, self.sample, self.roots = kind, ir, sample, roots

    def _refuse(self, *args):
        raise NeedsValue("the value of a Python number is known only when the graph runs")

    __bool__ = __int__ = __float__ = __index__ = __hash__ = __str__ = __format__ = _refuse
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _refuse
    __truediv__ = __rtruediv__ = __floordiv__ = __mod__ = __pow__ = __neg__ = _refuse
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __ne__ = _refuse

    def __repr__(self):
        return f"<traced {self.kind}>"


class Poison:
    """What a name holds when the paths to here left it different kinds of
    things; `reason` is said when it is read. `held`: its value where it is bound,
    which travels on although nobody may read it here, else UNSET."""

    __slots__ = ("reason", "held")

    def __init__(self, reason, held=UNSET):
        self.reason, self.held = reason, held


class Union:
    """The result of a call that returns different types on different paths.

    `status` is the i32 IR that tells them apart, `exits` the return exits. Only
    a return statement can take it.
    """

    __slots__ = ("status", "exits")

    def __init__(self, status, exits):
        self.status, self.exits = status, exits


class Closure:
    """A function or lambda defined in captured code, closed over its frame."""

    def __init__(self, interpreter, node, frame, name, defaults, kw_defaults):
        self.interpreter, self.node, self.frame = interpreter, node, frame
        self.__name__ = self.__qualname__ = name
        self.defaults, self.kw_defaults = defaults, kw_defaults

    def __call__(self, *args, **kwargs):
        return self.interpreter.call(self, args, kwargs)


def is_number(v):
    """Whether it is a Python number that a tensor operation takes."""
    return type(v) in (bool, int, float)


def kind_of(v):
    """"bool", "int" or "float" of a Python number or ScalarTracer, else None."""
    if type(v) is ScalarTracer:
        return v.kind
    return {bool: "bool", int: "int", float: "float"}.get(type(v))


class _Strided:
    """Shape and strides as the view functions of `mindir.ops` read them."""

    def __init__(self, shape, strides):
        self.shape, self.strides = tuple(shape), tuple(strides)

    @property
    def is_contiguous(self):
        step = 1
        for size, stride in zip(reversed(self.shape), reversed(self.strides)):
            if size != 1 and stride != step:
                return False
            step *= size
        return True

    def view(self, offset, shape, strides):
        return _Strided(shape, strides)


def viewed(shape, views):
    """What a chain of view ops shows of a storage of that shape, as `_Strided`; None when
    eager calls would give a tensor of its own storage."""
    if None in shape:
        return None
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    array = _Strided(shape, reversed(strides))
    for primitive, args in views:
        array = primitive.view(array, *args)
        if array is None:
            return None
    return array
