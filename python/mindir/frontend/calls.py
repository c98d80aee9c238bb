"""Capture of calls: of functions with source, which are captured in turn, of ops,
of Cells, and of what is safe to run as it is on values that are known."""

import ast
import functools
import inspect
import types

import numpy as np

from ..gradient import GradientTransform
from ..mapping import VMap
from ..nn.cell import Cell
from ..ops.primitive import Primitive
from ..parameter import Parameter
from ..tensor import Tensor
from . import guards as _g
from . import operators as _o
from . import transforms as _transforms
from .builtins_table import BUILTINS, MUTATING, PURE_MODULES, PURE_TYPES
from .errors import Refused, UserError
from .flow import Exit, Flow, leave, replace_status
from .functions_source import definition
from .reads import Read
from .scope import Frame
from .values import CONTAINERS, Closure, NO_SAMPLE, ScalarTracer, TensorTracer, UNSET, Union

_DEEPEST = 60
_SIZES = ("shape", "size", "sizes", "dims")


class Calls:
    """The part of the interpreter that calls."""

    def visit_Call(self, node):
        function = self._callee(node.func)
        args = self._elements(node.args)
        kwargs = {}
        for keyword in node.keywords:
            value = self.visit(keyword.value)
            if keyword.arg is None:
                kwargs.update(value)
            else:
                kwargs[keyword.arg] = value
        self.at(node)
        return self._made(self.lift(self.call(function, tuple(args), kwargs)))

    def _callee(self, node):
        """The function of a call; `x.append` does not look into `x`."""
        if isinstance(node, ast.Attribute) and node.attr == "append":
            value = self.unopened(node.value)
            if type(value) is list:
                return value.append
            return self.attribute(value, node.attr)
        return self.visit(node)

    def unopened(self, node):
        """The value of an expression, a container from outside without its content."""
        if isinstance(node, ast.Name):
            return self.frame.lookup(node.id)
        if isinstance(node, ast.Attribute):
            return self.attribute(self.visit(node.value), self.mangled(node.attr), False)
        return self.visit(node)

    def lift(self, value):
        """The value of a native call, tensors made by it as traced constants."""
        if isinstance(value, Tensor) and not isinstance(value, TensorTracer):
            return self.session.tracer(self.session.unwrap(value))
        return value

    # -- dispatch ---------------------------------------------------------------------

    def call(self, function, args, kwargs):
        """The result of `function(*args, **kwargs)`."""
        wrapped = getattr(function, "__mindir_jit__", None)
        if wrapped is not None:
            return self.call(wrapped, args, kwargs)
        handler = BUILTINS.get(function) if _hashable(function) else None
        if handler is not None:
            return handler(self, *args, **kwargs)
        for kinds, method in self._dispatch:
            if isinstance(function, kinds):
                return method(self, function, args, kwargs)
        custom = getattr(type(function), "__call__", None)
        if isinstance(custom, types.FunctionType):
            return self.call(custom, (function,) + args, kwargs)
        raise Refused(f"a call of {_name(function)}")

    def _call_closure(self, function, args, kwargs):
        frame = Frame(self.session, self.reader, function.node, function.__name__, function.frame.filename,
                      function.frame.namespace, function.frame.closure, function.frame)
        bound = bind(function.node.args, function.__name__, args, kwargs,
                     function.defaults, function.kw_defaults)
        return self.run(frame, bound)

    def _call_function(self, function, args, kwargs):
        if self._is_native(function):
            return self._call_native_python(function, args, kwargs)
        node = definition(function)
        closure = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))

        def body(bound):
            frame = Frame(self.session, self.reader, node, function.__name__, function.__code__.co_filename,
                          function.__globals__, closure)
            frame.class_name = _class_name(function)
            return self.run(frame, bound)
        bound = bind(node.args, function.__name__, args, kwargs, *self._defaults(function))
        return self.call_private(function, node, bound, body)

    def _defaults(self, function):
        source = _g.Object(function)
        defaults = [self.reader.wrap(v, _g.Item(_g.Attribute(source, "__defaults__"), i))
                    for i, v in enumerate(function.__defaults__ or ())]
        named = {k: self.reader.wrap(v, _g.Item(_g.Attribute(source, "__kwdefaults__"), k))
                 for k, v in (function.__kwdefaults__ or {}).items()}
        return defaults, named

    @staticmethod
    def _is_native(function):
        """Whether it is the package's own and works on traced tensors as it is."""
        module = function.__module__ or ""
        return module.split(".")[0] == "mindir" and not module.startswith(("mindir.nn", "mindir.train"))

    def _call_native_python(self, function, args, kwargs):
        for value in (*args, *kwargs.values()):
            if isinstance(value, Cell):
                self.reader.note(_unlike, value, value)
        if self._has_traced(args) or self._has_traced(tuple(kwargs.values())):
            if function.__module__.startswith("mindir.ops"):
                try:
                    return _o.native(function, *[self._weak(a) for a in args],
                                     **{k: self._weak(v) for k, v in kwargs.items()})
                except UserError as e:
                    if not isinstance(e.error, TypeError):
                        raise
            args, kwargs = self.known(args), self.known(kwargs)
        return _o.native(function, *args, **kwargs)

    def _has_traced(self, v):
        if type(v) is ScalarTracer:
            return True
        return type(v) in (tuple, list) and any(map(self._has_traced, v))

    def _weak(self, v):
        return self.session.weak(v) if type(v) is ScalarTracer else v

    def _call_method(self, function, args, kwargs):
        return self.call(function.__func__, (function.__self__,) + args, kwargs)

    def _call_partial(self, function, args, kwargs):
        return self.call(function.func, tuple(function.args) + args, {**function.keywords, **kwargs})

    def _call_primitive(self, op, args, kwargs):
        if self._has_traced(args) or self._has_traced(tuple(kwargs.values())):
            names = op.parameter_names
            args = tuple(self._op_argument(op, i, names[min(i, len(names) - 1)], a) for i, a in enumerate(args))
            kwargs = {k: self._op_argument(op, names.index(k) if k in names else -1, k, a)
                      for k, a in kwargs.items()}
        return _o.native(op, *args, **kwargs)

    def _op_argument(self, op, index, name, value):
        """An argument of an op, traced numbers as the op takes them."""
        if not self._has_traced(value):
            return value
        if index in op.scalars and type(value) is ScalarTracer:
            return self.session.weak(value)
        if name in _SIZES and not self._all_samples(value):
            return type(value)(map(self._weak, value)) if type(value) in (tuple, list) else self._weak(value)
        return self.known(value)

    def _all_samples(self, value):
        """Whether the numbers can be made known without fixing a size of an input."""
        items = value if type(value) in (tuple, list) else (value,)
        return all(type(v) is not ScalarTracer or (
            v.sample is not NO_SAMPLE and not any(isinstance(r.source, _g.DimOf) for r in v.roots)) for v in items)

    def _call_cell(self, cell, args, kwargs):
        if self.reader.probe(_hooked, cell):
            raise Refused("a Cell with hooks")
        if hasattr(type(cell), "bprop"):
            raise Refused("a Cell with a bprop of its own")
        return self.call_cell(cell, args, kwargs)

    def call_cell(self, cell, args, kwargs):
        """The construct of a Cell."""
        return self.call(self.attribute(cell, "construct"), args, kwargs)

    def _call_gradient(self, transform, args, kwargs):
        return _o.native(transform, *args, **kwargs)

    def _call_vmap(self, transform, args, kwargs):
        return _o.native(_transforms.vmap, self, transform, args, kwargs)

    def _call_pullback(self, pullback, args, kwargs):
        return _o.native(pullback.apply, self, *args, **kwargs)

    def _call_class(self, cls, args, kwargs):
        if issubclass(cls, BaseException) or cls in PURE_TYPES or hasattr(cls, "_fields"):
            return _o.native(cls, *self.known(args), **self.known(kwargs))
        if issubclass(cls, Tensor) and not issubclass(cls, Parameter):
            return self._make_tensor(cls, args, kwargs)
        module = (cls.__module__ or "").split(".")[0]
        if module == "mindir" and not issubclass(cls, (Cell, Parameter)):
            return _o.native(cls, *self.known(args), **self.known(kwargs))
        raise Refused(f"the making of a {cls.__name__}")

    def _make_tensor(self, cls, args, kwargs):
        data = args[0] if args else kwargs.get("input_data")
        if isinstance(data, Tensor):
            dtype = kwargs.get("dtype", args[1] if len(args) > 1 else None)
            return data.astype(dtype) if dtype is not None else data.copy()
        if type(data) is ScalarTracer or _holds_tensor(data):
            raise Refused("a Tensor made from traced numbers")
        return _o.native(cls, *self.known(args), **self.known(kwargs))

    def _call_builtin(self, function, args, kwargs):
        owner = getattr(function, "__self__", None)
        if type(owner) in CONTAINERS:
            return self._container_method(owner, function, args, kwargs)
        module = getattr(function, "__module__", None) or ""
        plain = isinstance(owner, (str, bytes, tuple, int, float, range, frozenset)) or \
            module.split(".")[0] in PURE_MODULES or type(owner) is type(dict.keys({}))
        if isinstance(owner, type) and owner in PURE_TYPES:
            plain = True
        if plain:
            return _o.native(function, *self.known(args), **self.known(kwargs))
        if module.startswith("numpy") or isinstance(owner, (np.ndarray, np.generic)):
            return self._call_numpy(function, args, kwargs)
        raise Refused(f"a call of {_name(function)}")

    def _call_numpy(self, function, args, kwargs):
        if module_of(function).startswith("numpy.random") or _holds_tensor(args) or _holds_tensor(list(kwargs.values())):
            raise Refused(f"a call of {_name(function)} with what is known only when run")
        return _o.native(function, *self.known(args), **self.known(kwargs))

    def _container_method(self, owner, function, args, kwargs):
        name = function.__name__
        if name in MUTATING:
            self.session.journal.touch(owner)
        if name in ("remove", "index", "count") and (_holds_tensor(owner) or _holds_tensor(args)):
            raise Refused("a search for a tensor by value")
        if name == "sort":
            raise Refused("a sort in place")
        if name in ("index", "count"):
            return _o.native(getattr(self.known(owner), name), *self.known(args))
        if name in ("append", "insert", "extend", "setdefault"):
            if name == "insert":
                args = (self.known(args[0]), args[1])
            if name == "extend":
                args = (self.iterate(args[0]),)
            return _o.native(function, *args, **kwargs)
        if name in ("get", "pop", "__getitem__", "__contains__"):
            args = (self.known(args[0]),) + args[1:] if args else args
        return _o.native(function, *args, **kwargs)

    _dispatch = (
        (Closure, _call_closure),
        (types.FunctionType, _call_function),
        (types.MethodType, _call_method),
        (functools.partial, _call_partial),
        (Primitive, _call_primitive),
        (Cell, _call_cell),
        (GradientTransform, _call_gradient),
        (VMap, _call_vmap),
        (_transforms.Pullback, _call_pullback),
        (type, _call_class),
        ((types.BuiltinFunctionType, types.MethodWrapperType, types.MethodDescriptorType,
          types.WrapperDescriptorType), _call_builtin),
        ((np.ufunc, type(np.sum)), _call_numpy),
    )

    # -- bodies -------------------------------------------------------------------------

    def run(self, frame, bound):
        """Captures the body of a function in a fresh frame; gives its value."""
        if len(self.frames) >= _DEEPEST:
            raise Refused("a recursion deeper than capture follows")
        frame.scope.update(bound)
        frame.first_argument = next(iter(bound.values()), None)
        outer = self.enter(frame)
        try:
            if isinstance(frame.node, ast.Lambda):
                self.at(frame.node.body)
                value = self.visit(frame.node.body)
                outer.pending.extend(frame.pending)
                return value
            flow = self.block(frame.node.body)
            flow = self.ended(flow)
        except Refused as e:
            if not hasattr(e, "place"):
                e.place = f"{frame.name}, {frame.filename}:{self.session.location[0][1]}"
            raise
        finally:
            self.leave(outer)
        return self._result(flow)

    def ended(self, flow):
        """The flow of a body whose end was reached on some paths: those return None."""
        if not flow.normal:
            return flow
        end = lambda: leave(Exit(self.new_code(), "return", None))
        return self.unless_left(flow, end) if flow.exits else end()

    def _result(self, flow):
        """What a call gives whose body had `flow`."""
        returns = {c: e for c, e in flow.exits.items() if e.kind == "return"}
        raises = {c: e for c, e in flow.exits.items() if e.kind == "raise"}
        if raises:
            if not returns and flow.status is None:
                raise UserError(next(iter(raises.values())).value)
            s = self.session
            status = s.local(flow.status)
            for code in returns:
                status = replace_status(s, status, code, 0)
            self.add_pending(Flow(bool(returns), raises, s.here(status)))
        if len(returns) == 1:
            return next(iter(returns.values())).value
        if not returns:
            return None
        return Union(flow.status, returns)

    # -- attributes -----------------------------------------------------------------------

    def attribute(self, value, name, opened=True):
        """`value.name`."""
        if isinstance(value, Tensor):
            return self._tensor_attribute(value, name)
        if type(value) is ScalarTracer:
            value = self.session.concretize(value)
        if isinstance(value, Union):
            raise Refused("a call that returns different types on different paths")
        if self.made_here(value):
            return _o.native(getattr, value, name)
        result = self._object_attribute(value, name)
        return self.opened(result) if opened else result

    def made_here(self, value):
        """Whether the object is plain data or was made by captured code: not read from outside."""
        return isinstance(value, (str, bytes, int, float, complex, list, tuple, dict, set, frozenset, range,
                                  slice, type(None), Closure, BaseException, super, np.ndarray, np.generic, np.dtype,
                                  types.BuiltinFunctionType, GradientTransform, VMap, Primitive, _transforms.Pullback))

    def _object_attribute(self, value, name):
        found = inspect.getattr_static(type(value), name, UNSET) if not isinstance(value, (type, types.ModuleType)) \
            else UNSET
        if isinstance(found, property):
            return self.call(found.fget, (value,), {})
        if isinstance(found, types.FunctionType) and not self.reader.probe(functools.partial(_has_own, name), value):
            return types.MethodType(found, value)
        if isinstance(found, (classmethod, staticmethod)):
            return getattr(value, name)
        return _o.native(self.reader.read_attribute, value, name)

    def _tensor_attribute(self, tensor, name):
        if not isinstance(tensor, TensorTracer):
            tensor = self.lift(tensor)
        if name == "shape":
            return tuple(self.session.dim(tensor, i) for i in range(tensor.ndim))
        if name == "size":
            size = 1
            for i in range(tensor.ndim):
                size = _o.binary(self.session, _o.BINARY[ast.Mult], size, self.session.dim(tensor, i))
            return size
        if name == "item":
            return functools.partial(_item, tensor)
        if name == "data" and isinstance(tensor, Parameter):
            return tensor
        try:
            value = getattr(tensor, name)
            if type(value) is str:
                self.reader.log.append(Read(lambda reader, t: getattr(self.session.external(t.real), name),
                                            tensor._storage, value))
            return value
        except AttributeError:
            cls = "Parameter" if isinstance(tensor, Parameter) else "Tensor"
            raise UserError(AttributeError(f"'{cls}' object has no attribute '{name}'")) from None

    def children(self, cells):
        """The Cells of a container, which then is guarded."""
        found = list(self.reader.probe(_items, cells))
        self.session.guards.children(_g.Object(cells), found)
        return found

    def iterate_object(self, value, iterator):
        """The items of an object with a Python `__iter__` (a CellList, say)."""
        if isinstance(iterator, types.FunctionType) and isinstance(value, Cell):
            return self.children(value)
        raise Refused(f"iteration over a {type(value).__name__}")


def _hooked(cell):
    """Whether hooks run around the construct of a Cell."""
    return bool(cell._forward_hooks or cell._pre_hooks)


def _has_own(name, value):
    """Whether the object itself holds the attribute, rather than its class."""
    return name in getattr(value, "__dict__", {})


def _items(value):
    return tuple(_o.native(list, value))


def _unlike(value):
    """Of an object that code which is not captured looked into: no other is like it."""
    return value, id(value)


def _item(interpreter, tensor, index=None):
    if index is not None:
        raise Refused("an item of a tensor by its index")
    kind = {"bool": "bool", "float": "float"}.get(tensor.dtype.kind, "int")
    return _o.as_number(interpreter.session, tensor, kind)


BUILTINS[_item] = _item


def bind(a, name, args, kwargs, defaults, kw_defaults):
    """The parameters of a function with their values; UserError(TypeError) when they do not fit."""
    positional = [x.arg for x in a.posonlyargs + a.args]
    bound, kwargs = dict(zip(positional, args)), dict(kwargs)
    if len(args) > len(positional) and a.vararg is None:
        raise UserError(TypeError(f"{name}() takes {len(positional)} positional arguments but {len(args)} were given"))
    keywords = {x.arg for x in a.args + a.kwonlyargs}
    extra = {}
    for key, value in kwargs.items():
        if key in keywords:
            if key in bound:
                raise UserError(TypeError(f"{name}() got multiple values for argument '{key}'"))
            bound[key] = value
        elif a.kwarg is None:
            raise UserError(TypeError(f"{name}() got an unexpected keyword argument '{key}'"))
        else:
            extra[key] = value
    for key, value in zip(positional[len(positional) - len(defaults):], defaults):
        bound.setdefault(key, value)
    for key, value in kw_defaults.items():
        bound.setdefault(key, value)
    missing = [k for k in positional + [x.arg for x in a.kwonlyargs] if k not in bound]
    if missing:
        raise UserError(TypeError(f"{name}() missing {len(missing)} required argument"
                                  f"{'s' if len(missing) > 1 else ''}: {', '.join(map(repr, missing))}"))
    if a.vararg:
        bound[a.vararg.arg] = tuple(args[len(positional):])
    if a.kwarg:
        bound[a.kwarg.arg] = extra
    return bound


def module_of(function):
    """The module that a function names as its own, or ""."""
    return getattr(function, "__module__", None) or ""


def _holds_tensor(v):
    if isinstance(v, Tensor):
        return True
    if isinstance(v, dict):
        return any(map(_holds_tensor, v.values()))
    return isinstance(v, (list, tuple, set)) and any(map(_holds_tensor, v))


def _hashable(v):
    try:
        hash(v)
    except Exception:                       # noqa: BLE001 - whatever a user's __hash__ does
        return False
    return not isinstance(v, (Tensor, ScalarTracer))


def _name(function):
    return getattr(function, "__qualname__", None) or type(function).__name__


def _class_name(function):
    parts = function.__qualname__.rsplit(".", 2)
    return parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else None
