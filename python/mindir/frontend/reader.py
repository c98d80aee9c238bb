"""Reading what was there before the call: globals, closures, attributes, arguments.

Every read adds the guard under which it stays true. Tensors become traced ones,
numbers constants (or inputs, once they were seen to change), containers shadows:
copies that captured code may change; what it changed is done to the real ones
after the call, as effects.
"""

import collections
import enum
import functools
import types

import numpy as np

from .. import dtype as _dtype
from ..nn.cell import Cell
from ..tensor import Tensor
from . import guards as _g
from .errors import Refused
from .reads import ABSENT, Read, snapshot
from .values import CONTAINERS, NO_SAMPLE, Poison, ScalarTracer, TensorTracer, UNSET, is_number

_CONSTANTS = (str, bytes, type(None), type(Ellipsis), type(NotImplemented), complex, frozenset,
              _dtype.DType, np.dtype, np.generic, enum.Enum, range, slice)
_OTHER_CONTAINERS = (list, dict, set, collections.deque, collections.UserList, collections.UserDict, bytearray,
                     memoryview, types.MappingProxyType)
_SMALL_ARRAY = 4096
_STABLE_MODULES = ("mindir", "mindspore", "numpy", "math", "operator", "functools", "itertools",
                   "typing", "collections")


class Shadow:
    """A container of the caller's and the copy that captured code sees."""

    def __init__(self, source, real, copy, before):
        self.source, self.real, self.copy, self.before = source, real, copy, before
        self.content_read = False


class Reader:
    """Reads for one session; keeps the overlays of what captured code wrote."""

    def __init__(self, session):
        self.session = session
        self.shadows = {}           # id(real) -> Shadow
        self.by_copy = {}           # id(copy) -> Shadow
        self.overlays = {}          # id(object or namespace) -> (object, {name: value})
        self.order = []             # (kind, object, name) of written places, first write first
        self.log = []               # every `Read`, in order

    # -- the log of reads ---------------------------------------------------------------

    def note(self, again, obj, result):
        """Notes a read of `obj` that gave `result` and that `again(object)` repeats."""
        self.log.append(Read(lambda reader, o: again(o), obj, result))

    def probe(self, question, obj):
        """`question(obj)`, noted as a read."""
        result = question(obj)
        self.log.append(Read(lambda reader, o: reader.probe(question, o), obj, result))
        return result

    # -- values -------------------------------------------------------------------------

    def wrap(self, value, source, key=None, of_cell=False, lazy=False):
        """What captured code sees of the caller's `value`, which `source` finds.

        key: names the place among calls. lazy: numbers are inputs (arguments).
        """
        s = self.session
        if isinstance(value, TensorTracer):
            return value
        if isinstance(value, Tensor):
            if key is None or not lazy:
                s.guards.identity(source, value, of_cell)
                return s.external(value)
            return s.external(value, source, key)
        if is_number(value):
            return self._number(value, source, key, of_cell, lazy)
        if isinstance(value, _CONSTANTS):
            s.guards.value(source, value, of_cell)
            return value
        if isinstance(value, tuple):
            return self._tuple(value, source, key, of_cell, lazy)
        if type(value) in CONTAINERS:
            return self._container(value, source, key, of_cell, lazy)
        if type(value) is types.BuiltinMethodType and type(value.__self__) in CONTAINERS:
            owner = self.wrap(value.__self__, _g.Attribute(source, "__self__"), key, of_cell, True)
            return getattr(owner, value.__name__)
        if isinstance(value, np.ndarray):
            return self._array(value, source, of_cell)
        if isinstance(value, _OTHER_CONTAINERS):
            raise Refused(f"a {type(value).__name__} from outside, whose content can change")
        s.guards.identity(source, value, of_cell)
        return value

    def _number(self, value, source, key, of_cell, lazy):
        s = self.session
        pin = None if lazy or key is None else key
        learnt = lazy or (key is not None and s.specialization.is_input(key, value))
        if learnt and type(value) is not bool and _g.fits(value, type(value)):
            return s.number(source, value, pin)
        s.guards.value(source, value, of_cell)
        return value

    def _tuple(self, value, source, key, of_cell, lazy):
        self.session.guards.kind(source, type(value), len(value), of_cell)
        items = [self.wrap(x, _g.Item(source, i), (key, i) if key is not None else None, of_cell, lazy)
                 for i, x in enumerate(value)]
        if all(a is b for a, b in zip(items, value)):
            return value
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)

    def _array(self, value, source, of_cell):
        if value.nbytes > _SMALL_ARRAY or value.dtype == object:
            raise Refused("a numpy array from outside, whose contents can change")
        s = self.session
        s.guards.require(f"same_array({source.code(s.guards.pool)}, {s.guards.pool.strong(value.copy())})",
                         f"{s.guards.describe(source)} has other contents")
        return value.copy()

    def _container(self, value, source, key, of_cell, lazy):
        """The shadow of a list, dict or set, made on first sight; see `read_content`."""
        found = self.shadows.get(id(value))
        if found is None:
            found = Shadow(source, value, type(value)(), None)
            found.key, found.lazy, found.of_cell = key, lazy, of_cell
            self.shadows[id(value)] = found
            self.by_copy[id(found.copy)] = found
            if lazy:
                self.session.guards.kind(source, type(value), None, of_cell)
        elif lazy:
            self.session.guards.same_object(source, found.source)
        if not lazy:
            self.session.guards.identity(source, value, of_cell)
        return found.copy

    def read_content(self, copy):
        """To be called before captured code looks into a container: fills its shadow
        and guards what it held."""
        shadow = self.by_copy.get(id(copy))
        if shadow is None:
            return copy
        if not shadow.content_read:
            self._fill(shadow, copy)
        self.log.append(Read(lambda reader, o: snapshot(reader.read_content(o)), copy, snapshot(copy)))
        return copy

    def read_whole(self, value, seen=()):
        """`read_content` of every container in a value: of itself, of a tuple's items,
        of what containers hold, and of the owner of a bound method that looks into it."""
        if type(value) is types.BuiltinMethodType:
            if type(value.__self__) in CONTAINERS and value.__name__ != "append":
                self.read_whole(value.__self__, seen)
        elif isinstance(value, tuple):
            for item in value:
                self.read_whole(item, seen)
        elif type(value) in CONTAINERS and id(value) in self.by_copy and id(value) not in seen:
            self.read_content(value)
            self.read_whole(tuple(value.values() if isinstance(value, dict) else value), (*seen, id(value)))

    def _fill(self, shadow, copy):
        if len(shadow.real) > 4096:
            raise Refused("a container of more than 4096 entries")
        shadow.content_read = True
        appended = list(copy) if isinstance(copy, list) else None
        items = self._items(shadow)
        if isinstance(copy, list):
            copy[:] = items + appended
        else:
            copy.clear()
            copy.update(items)
        shadow.before = copy.copy() if appended is None else items

    def _items(self, shadow):
        s, source, real = self.session, shadow.source, shadow.real
        if isinstance(real, set):
            s.guards.require(f"({source.code(s.guards.pool)} == {s.guards.pool.strong(set(real))})",
                             f"{s.guards.describe(source)} has other elements", shadow.of_cell)
            return set(real)
        s.guards.kind(source, type(real), len(real), shadow.of_cell)
        wrap = functools.partial(self.wrap, of_cell=shadow.of_cell, lazy=shadow.lazy)
        if isinstance(real, list):
            return [wrap(x, _g.Item(source, i), (shadow.key, i)) for i, x in enumerate(real)]
        if not all(isinstance(k, (str, int, float, bool, tuple, type(None))) for k in real):
            raise Refused("a dict whose keys are not plain constants")
        s.guards.keys(source, real, shadow.of_cell)
        return {k: wrap(x, _g.Item(source, k), (shadow.key, k)) for k, x in real.items()}

    # -- names ----------------------------------------------------------------------------

    def read_global(self, namespace, name):
        """A global variable of a module; UNSET when there is none."""
        value = self._global(namespace, name)
        self.log.append(Read(lambda reader, o: reader.read_global(namespace, name), None, value))
        return value

    def _global(self, namespace, name):
        written = self._overlay(namespace).get(name, UNSET)
        if written is not UNSET:
            return written
        if name not in namespace:
            return UNSET
        value = namespace[name]
        if isinstance(value, types.ModuleType):
            self.session.guards.identity(_g.Global(namespace, name), value)
            return value
        return self.wrap(value, _g.Global(namespace, name), ("global", id(namespace), name))

    def read_cell(self, cell, name):
        """A variable of an enclosing function; UNSET when it is not bound."""
        value = self._free(cell)
        self.log.append(Read(lambda reader, o: reader.read_cell(cell, name), None, value))
        return value

    def _free(self, cell):
        written = self._overlay(cell).get("cell_contents", UNSET)
        if written is not UNSET:
            return written
        try:
            value = cell.cell_contents
        except ValueError:
            return UNSET
        return self.wrap(value, _g.FreeVariable(cell), ("free", id(cell)))

    # -- attributes --------------------------------------------------------------------------

    def read_attribute(self, obj, name):
        """An attribute of an object of the caller's that is plain data; AttributeError."""
        if _is_stable(obj):
            return self._attribute(obj, name)
        value = ABSENT
        try:
            value = self._attribute(obj, name)
        finally:
            self.log.append(Read(lambda reader, o: reader.read_attribute(o, name), obj, value))
        return value

    def _attribute(self, obj, name):
        written = self._overlay(obj).get(name, UNSET)
        if written is not UNSET:
            if type(written) is Poison:
                raise Refused(written.reason)
            return written
        if isinstance(obj, types.ModuleType):
            return self._module_attribute(obj, name)
        value = getattr(obj, name)
        of_cell = isinstance(obj, Cell)
        if isinstance(value, (types.MethodType, types.BuiltinMethodType, types.MethodWrapperType)) \
                and getattr(value, "__self__", None) is obj:
            return value
        return self.wrap(value, _g.Attribute(_g.Object(obj), name), ("attribute", id(obj), name), of_cell)

    def _module_attribute(self, module, name):
        value = getattr(module, name)
        if _is_stable(module):
            return self.session.external(value) if isinstance(value, Tensor) else value
        return self.wrap(value, _g.Global(vars(module), name), ("global", id(vars(module)), name))

    def _overlay(self, obj):
        found = self.overlays.get(id(obj))
        return found[1] if found else {}

    def write_place(self, kind, obj, name, value, reader):
        """Notes that `obj`'s `name` is now `value`; done to it after the call.

        kind: "attribute", "global" or "free". reader: gives the old value, so that
        paths which do not write hand it on.
        """
        if self.session.pending():
            raise Refused("a write in the statement whose call may raise")
        overlay = self.overlays.setdefault(id(obj), (obj, {}))[1]
        if name not in overlay:
            if self.session.journal:
                old = reader()
                if old is UNSET:
                    raise Refused(f"'{name}' is made on a path that depends on tensors")
                overlay[name] = old
            self.order.append((kind, obj, name))
        self.session.journal.touch(overlay)
        overlay[name] = value

    # -- effects -------------------------------------------------------------------------------

    def effects(self):
        """What is to be done after the call: ("attribute", object, name, value),
        ("global", ...), ("free", ...), ("append", source, [values]) and
        ("content", source, new container), in order."""
        done = [(kind, obj, name, self.overlays[id(obj)][1][name]) for kind, obj, name in self.order]
        for shadow in self.shadows.values():
            effect = self._container_effect(shadow)
            if effect:
                done.append(effect)
        return done

    def _container_effect(self, shadow):
        copy = shadow.copy
        if not shadow.content_read:
            return ("append", shadow.source, list(copy)) if isinstance(copy, list) and copy else None
        if _same_content(shadow.before, copy):
            return None
        return ("content", shadow.source, copy)


def _is_stable(obj):
    """Whether it is a module whose functions nobody replaces."""
    return isinstance(obj, types.ModuleType) and obj.__name__.split(".")[0] in _STABLE_MODULES


def _same_content(before, after):
    if isinstance(before, set):
        return before == after
    if len(before) != len(after):
        return False
    if isinstance(before, dict):
        return list(before) == list(after) and all(before[k] is after[k] for k in before)
    return all(a is b for a, b in zip(before, after))
