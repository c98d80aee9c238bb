"""Guards: what a capture read, as conditions under which its result still holds.

A `Source` says where the caller's object is found again at a later call; a
`GuardSet` collects conditions as Python text over a pool of constants and
compiles them into one function of the flattened call, which returns the list of
inputs or None. Objects are kept by weak reference where they allow it.
"""

import struct
import types
import weakref

from .._native import core
from ..tensor import Tensor

MISSING = type("Missing", (), {"__repr__": lambda self: "MISSING"})()


class Source:
    """Where a value is found: `code(pool)` is an expression over `a`, the live values."""

    def code(self, pool):
        raise NotImplementedError


class Arg(Source):
    def __init__(self, index):
        self.index = index

    def code(self, pool):
        return f"a[{self.index}]"


class Object(Source):
    """An object that the capture met, by identity."""

    def __init__(self, obj):
        self.obj = obj

    def code(self, pool):
        return pool.object(self.obj)


class Held(Source):
    """An object that the entry keeps alive."""

    def __init__(self, obj):
        self.obj = obj

    def code(self, pool):
        return pool.strong(self.obj)


class Item(Source):
    def __init__(self, base, key):
        self.base, self.key = base, key

    def code(self, pool):
        return f"{self.base.code(pool)}[{pool.constant(self.key)}]"


class Attribute(Source):
    def __init__(self, base, name):
        self.base, self.name = base, name

    def code(self, pool):
        return f"getattr({self.base.code(pool)}, {self.name!r}, MISSING)"


class Global(Source):
    def __init__(self, namespace, name):
        self.namespace, self.name = namespace, name

    def code(self, pool):
        return f"{pool.strong(self.namespace)}.get({self.name!r}, MISSING)"


class FreeVariable(Source):
    def __init__(self, cell):
        self.cell = cell

    def code(self, pool):
        return f"cell({pool.strong(self.cell)})"


class DimOf(Source):
    """The size of a dimension of an argument tensor."""

    def __init__(self, base, axis):
        self.base, self.axis = base, axis

    def code(self, pool):
        return f"{self.base.code(pool)}.shape[{self.axis}]"


_STRONG = (types.ModuleType, type, types.BuiltinFunctionType)


class Pool:
    """The constants of the generated text, as names of its namespace."""

    def __init__(self):
        self.names, self._by_id, self._keep = {}, {}, []

    def _add(self, value, key):
        if key not in self._by_id:
            self._by_id[key] = f"c{len(self.names)}"
            self.names[self._by_id[key]] = value
        return self._by_id[key]

    def strong(self, obj):
        return self._add(obj, ("strong", id(obj)))

    def object(self, obj):
        """An expression for the object, None once it is gone."""
        if isinstance(obj, _STRONG):
            return self.strong(obj)
        key = ("weak", id(obj))
        if key in self._by_id:
            return self._by_id[key] + "()"
        try:
            ref = weakref.ref(obj)
        except TypeError:
            return self.strong(obj)
        return self._add(ref, key) + "()"

    def constant(self, value):
        return repr(value) if type(value) in (int, str, bool) else self.strong(value)


def same_bits(a, b):
    """Whether two Python constants are equal in type and bits."""
    if type(a) is not type(b):
        return False
    if type(a) is float:
        return struct.pack("d", a) == struct.pack("d", b)
    if type(a) is complex:
        return repr(a) == repr(b)
    if type(a) in (tuple, frozenset):
        return len(a) == len(b) and (all(map(same_bits, a, b)) if type(a) is tuple else a == b)
    return a == b


def same_array(array, saved):
    """Whether a numpy array holds what it held."""
    import numpy as np
    return (type(array) is np.ndarray and array.dtype == saved.dtype and array.shape == saved.shape
            and array.tobytes() == saved.tobytes())


def same_items(container, items):
    """Whether an iterable holds these objects."""
    found = list(container)
    return len(found) == len(items) and all(a is b for a, b in zip(found, items))


def _cell(cell):
    try:
        return cell.cell_contents
    except ValueError:
        return MISSING


def fits(value, kind):
    """Whether a Python number can be an input of the kind: an int of 32 bits."""
    return type(value) is kind and (kind is not int or -2**31 <= value < 2**31)


class GuardSet:
    """The conditions of one compiled entry, in the order in which they were read."""

    def __init__(self):
        self.pool = Pool()
        self._lines, self._cell_lines, self._tensors = {}, {}, []
        self._groups = None
        self.inputs = []

    def require(self, text, reason, of_cell=False):
        """Adds a condition; `of_cell` ones are skipped while the epoch stands."""
        (self._cell_lines if of_cell else self._lines).setdefault(text, reason)

    def value(self, source, value, of_cell=False):
        """The constant at `source` is `value`, by type and bits."""
        if type(value) in (int, str, bool, type(None)):
            expression = source.code(self.pool)
            text = (f"({expression} is {value!r})" if value is None or type(value) is bool else
                    f"(type(v := {expression}) is {type(value).__name__} and v == {value!r})")
        else:
            text = f"same_bits({source.code(self.pool)}, {self.pool.strong(value)})"
        self.require(text, f"{self.describe(source)} is no longer {value!r}", of_cell)

    def identity(self, source, obj, of_cell=False):
        """The object at `source` is `obj`."""
        text = f"({source.code(self.pool)} is {self.pool.object(obj)})"
        self.require(text, f"{self.describe(source)} is another object", of_cell)

    def kind(self, source, cls, length=None, of_cell=False):
        """The container at `source` is of the class, and has the length."""
        text = f"(type(v := {source.code(self.pool)}) is {self.pool.strong(cls)}"
        text += ")" if length is None else f" and len(v) == {length})"
        self.require(text, f"{self.describe(source)} has another structure", of_cell)

    def keys(self, source, keys, of_cell=False):
        """The dict at `source` has the keys, in order."""
        text = f"(list({source.code(self.pool)}) == {self.pool.strong(list(keys))})"
        self.require(text, f"{self.describe(source)} has other keys", of_cell)

    def children(self, source, cells):
        """The container of Cells at `source` holds these."""
        items = "".join(f"{self.pool.object(c)}, " for c in cells)
        self.require(f"same_items({source.code(self.pool)}, ({items}))",
                     f"{self.describe(source)} has other Cells", True)

    def tensor(self, source, tensor_class, dtype, dims, requires_grad, of_cell=False):
        """The tensor at `source` has this type; of a Parameter the epoch tells."""
        reason = f"{self.describe(source)} has another dtype, shape or requires_grad"
        expected = (tensor_class, dtype, tuple(dims), bool(requires_grad))
        if of_cell:
            match = self.pool.strong(core.TensorGuards([expected], Tensor))
            self.require(f"{match}(({source.code(self.pool)},))", reason, True)
        else:
            self._tensors.append((source, expected, reason))

    def number(self, source, kind):
        text = f"fits({source.code(self.pool)}, {kind.__name__})"
        self.require(text, f"{self.describe(source)} is no {kind.__name__} of 32 bits")

    def same_object(self, source, first):
        """Two access paths lead to one object, as they did in the capture."""
        mine, other = source.code(self.pool), first.code(self.pool)
        if mine != other:
            self.require(f"({mine} is {other})",
                         f"{self.describe(source)} is no longer {self.describe(first)}")

    def aliasing(self, sources, groups):
        """Which of the tensors at `sources`, all of them inputs, share storage: their group numbers."""
        self._groups = {id(s): id(sources[g]) for s, g in zip(sources, groups)}

    def input_groups(self):
        """The group numbers of the inputs, or None when sharing does not matter."""
        if self._groups is None:
            return None
        seen = {}
        return [seen.setdefault(self._groups.get(id(s), id(s)), i) for i, s in enumerate(self.inputs)]

    def describe(self, source):
        """A reader's name of a source."""
        if isinstance(source, Global):
            return f"global {source.name}"
        if isinstance(source, FreeVariable):
            return "a variable of an enclosing function"
        if isinstance(source, Attribute):
            return f"attribute {source.name}"
        if isinstance(source, Arg):
            return f"argument {source.index}"
        if isinstance(source, (Item, DimOf)):
            return self.describe(source.base)
        return "an object"

    def compile(self):
        """Builds `check(a) -> list of inputs | None` and `explain(a) -> reason | None`."""
        return compile_guards(self)


def compile_guards(guards):
    """One generated function for the check and the inputs: (flattened call) -> list of
    inputs or None. What grows with the number of tensors is done in C++: their types
    (`TensorGuards`), finding them and what they share (`CallInputs`)."""
    from . import epoch
    codes = [s.code(guards.pool) for s in guards.inputs]
    known = [guards.pool.names.get(c[:-2]) if c.endswith("()") else None for c in codes]
    known = [r if type(r) is weakref.ref else None for r in known]
    given = "".join(c + ", " for c, r in zip(codes, known) if r is None)
    conditions = list(guards._lines)
    if guards._tensors:
        conditions.append(f"match(({''.join(s.code(guards.pool) + ', ' for s, _, _ in guards._tensors)}))")
    if guards._cell_lines:
        conditions.append("(epoch.value == seen[0] or recheck(a))")
    body = " and ".join(conditions) or "True"
    cells = " and ".join(guards._cell_lines) or "True"
    namespace = dict(guards.pool.names, MISSING=MISSING, same_bits=same_bits, same_array=same_array,
                     same_items=same_items, cell=_cell, fits=fits,
                     collect=core.CallInputs(known, guards.input_groups()), epoch=epoch.structure,
                     match=core.TensorGuards([t for _, t, _ in guards._tensors], Tensor),
                     seen=[epoch.structure.value])
    text = (f"def recheck(a):\n    now = epoch.value\n    if not ({cells}):\n        return False\n"
            f"    seen[0] = now\n    return True\n"
            f"def check(a):\n    if not ({body}):\n        return None\n    return collect(({given}))\n")
    exec(compile(text, "<mindir guards>", "exec"), namespace)

    def failed(a):
        tensors = [(f"{guards.pool.strong(core.TensorGuards([t], Tensor))}(({s.code(guards.pool)},))", reason)
                   for s, t, reason in guards._tensors]
        namespace.update(guards.pool.names)
        for text, reason in list(guards._lines.items()) + tensors + list(guards._cell_lines.items()):
            try:
                if not eval(text, namespace, {"a": a}):
                    return reason
            except Exception:                       # noqa: BLE001 - the source is gone
                return reason
        return "an input is gone, or other arguments share storage"
    return namespace["check"], failed
