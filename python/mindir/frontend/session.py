"""One capture: the builder, the functions and regions that are open in it, the
inputs it found, and the emitter that the ops of `mindir.ops` write to."""

import itertools

import numpy as np

from .._native import core
from ..ops import emitter as _emitter
from ..parameter import Parameter
from ..tensor import Tensor
from . import guards as _g
from .errors import Refused, Restart
from .journal import Journal
from .values import IR, NO_SAMPLE, ParameterTracer, Root, ScalarTracer, Storage, TensorTracer, is_number, kind_of
from .views import Views


_LARGEST_CONSTANT = 4096      # bytes; larger literals are inputs


class OpenFunction:
    """A function of the module under construction.

    `imports` are the `IR`s of enclosing functions (or inputs of the graph) that
    its body uses; each became an argument, in this order after `explicit` ones.
    """

    def __init__(self, name, explicit=0):
        self.name, self.explicit = name, explicit
        self.imports, self._arguments = [], {}

    def argument(self, builder, ir):
        """The argument that stands for `ir` in this function, made on first use."""
        if ir.stamp not in self._arguments:
            attributes = {"mindir.parameter": True} if ir.parameter else {}
            self._arguments[ir.stamp] = builder.add_argument(ir.dtype, tuple(ir.shape), attributes)
            self.imports.append(ir)
        return self._arguments[ir.stamp]

    def position(self, ir):
        """The argument number of an import, or None when the function lacks it."""
        for i, each in enumerate(self.imports):
            if each.stamp == ir.stamp:
                return self.explicit + i
        return None


class Session(Views):
    """State of one capture; also the emitter of its ops.

    `location` is where the node being captured stands, (file, line, column, function) of each
    active frame, innermost first; `journal` knows
    what captured code changed; `guards` collects what it read. `operations` counts
    the results of tensor operations captured.
    """

    def __init__(self, specialization):
        self.builder = core.Builder()
        self.specialization = specialization
        self.guards = _g.GuardSet()
        self.journal = Journal()
        self.functions, self.regions = [], [0]
        self.location, self.operations = None, 0
        self._region_ids = itertools.count(1).__next__
        self._names = {}
        self._tensors, self.externals, self._kept = {}, [], []
        self._open = 0              # functions and regions that the builder has open
        self.gradient_handler = None
        self.pending = lambda: False

    # -- functions and regions ------------------------------------------------

    def begin_function(self, name, types=(), attributes=None, private=False):
        """Opens a function; returns the `IR`s of its explicit arguments."""
        values = self.builder.begin_function(name, [tuple(t) for t in types],
                                             attributes or [{} for _ in types], private, self.location)
        self.functions.append(OpenFunction(name, len(types)))
        self.regions.append(self._region_ids())
        self._open += 1
        return [self.here(v) for v in values]

    def end_function(self, results, attributes=None):
        """Closes the innermost function with Values as results; returns it."""
        self.builder.end_function(results, attributes or [{} for _ in results])
        self.regions.pop()
        self._open -= 1
        return self.functions.pop()

    def begin_region(self, types=()):
        """Opens a detached region; returns its arguments as Values."""
        self.regions.append(self._region_ids())
        self._open += 1
        return self.builder.begin_region([tuple(t) for t in types])

    def end_region(self, terminator, values):
        self.regions.pop()
        self._open -= 1
        return self.builder.end_region(terminator, values)

    def abandon_region(self):
        """Drops the innermost open region."""
        self.regions.pop()
        self._open -= 1
        self.builder.abandon()

    def mark(self):
        """A point of the capture to which `unwind` goes back."""
        return self._open, len(self.functions), list(self.regions), self.journal.depth, self.location

    def unwind(self, mark):
        """Drops the functions and regions opened since the mark, and what captured
        code changed in levels of the journal opened since."""
        opened, functions, regions, levels, location = mark
        while self._open > opened:
            self.builder.abandon()
            self._open -= 1
        del self.functions[functions:]
        self.regions[:] = regions
        while self.journal.depth > levels:
            self.journal.pop()
        self.location = location

    def tensors(self):
        """The traced tensors of the caller's that were met so far."""
        return list(self._tensors.values())

    def here(self, value):
        """The `IR` of a Value made in the innermost region."""
        return IR(value, self.functions[-1], region=self.regions[-1])

    def visible(self, ir):
        """Whether the region that made it is still open."""
        return ir.owner is None or ir.region in self.regions

    def local(self, ir):
        """The Value that stands for `ir` in the innermost function."""
        function = self.functions[-1]
        if not self.visible(ir):
            raise Refused("a value that another path of control computed")
        if ir.owner is function:
            return ir.value
        return function.argument(self.builder, ir)

    # -- the emitter interface ---------------------------------------------------

    def emit(self, op, operands, attrs=None, result_types=None, regions=()):
        """Emits one op at the present location; see `mindir.ops.emitter`."""
        return self.builder.op(op, list(operands), attrs or {}, result_types, list(regions),
                               self.location)

    def one(self, op, operands, attrs=None, result_types=None):
        """The Value of an op with one result."""
        return self.emit(op, operands, attrs, result_types)[0]

    def constant(self, value, dtype=None):
        return self.builder.constant(value, dtype, self.location)

    def unwrap(self, tensor):
        """The Value of a tensor in the innermost function."""
        if isinstance(tensor, TensorTracer):
            return self.local(tensor.ir)
        if id(tensor) not in self._tensors and not isinstance(tensor, Parameter):
            return self._literal(tensor)
        return self.local(self.external(tensor).ir)

    def _literal(self, tensor):
        """A tensor made while capturing: a constant, or an input when it is large."""
        self._kept.append(tensor)
        if tensor.nbytes <= _LARGEST_CONSTANT:
            return self.constant(tensor.asnumpy(), tensor.dtype.name)
        return self.local(self.external(tensor, _g.Held(tensor)).ir)

    def wrap(self, value):
        """A fresh traced tensor of a Value that an op gave."""
        self.operations += 1
        return self.tracer(value)

    def tracer(self, value, phi=False):
        return TensorTracer(self, self.storage(self.here(value), phi))

    def storage(self, ir, phi=False):
        """Memory that captured code makes now: paths that began before need not join it."""
        return self.journal.note(Storage(ir, phi=phi))

    def write(self, tensor, new):
        """Puts `new` in the place of the tensor's value."""
        target = tensor if isinstance(tensor, TensorTracer) else self.external(tensor)
        storage = target._storage
        if storage.phi:
            raise Refused("an in-place write to a tensor that is one of several, by the path taken")
        if storage.real is not None and self.pending():
            raise Refused("a write in the statement whose call may raise")
        value = self.unwrap(new)
        if value.dtype != storage.ir.dtype:
            value = self.one("mindir.cast", [value], result_types=[(storage.ir.dtype, value.shape)])
        if target._views:
            value = self.write_through(target, value)
        value = self.cast_shape(value, storage.ir.shape) if value.shape != storage.ir.shape else value
        self.journal.touch(storage)
        storage.ir = self.here(value)

    def gradient(self, transform, args, kwargs):
        """A call of what `ms.grad` or `ms.value_and_grad` returned."""
        return self.gradient_handler(transform, args, kwargs)

    def generator_state(self):
        """The state of the program's generator, which draws go through in program order."""
        return self.unwrap(self._generator())

    def set_generator_state(self, value):
        storage = self._generator()._storage
        self.journal.touch(storage)
        storage.ir = self.here(value)

    def _generator(self):
        from ..runtime.generator import default
        return self.external(default.state(), _g.Held(default.state()))

    # -- tensors from outside ----------------------------------------------------

    def external(self, tensor, source=None, key=None):
        """The traced tensor of the caller's `tensor`: one per tensor, an input once used.

        key: names an argument, whose sizes may be left open; others are fixed.
        """
        found = self._tensors.get(id(tensor))
        if found is not None:
            if source is not None:
                self.guards.same_object(source, found._storage.source)
            return found
        source = source or _g.Object(tensor)
        shape = tuple(tensor.shape)
        dtype = tensor.dtype.name
        dims = shape if key is None else self.specialization.shapes.dims((key, dtype), shape)
        is_parameter = isinstance(tensor, Parameter)
        ir = IR(None, None, dtype, dims, source, parameter=is_parameter)
        cls = ParameterTracer if is_parameter else TensorTracer
        tracer = cls.__new__(cls)
        TensorTracer.__init__(tracer, self, Storage(ir, real=tensor, source=source))
        self._tensors[id(tensor)] = tracer
        self.externals.append((tracer, ir, key))
        needs = bool(getattr(tensor, "requires_grad", False))
        # What a Parameter is changes with the epoch only, but at an access path may be another.
        self.guards.tensor(source, Parameter if is_parameter else Tensor, dtype, dims, needs,
                           is_parameter and isinstance(source, _g.Object))
        return tracer

    def dim(self, tracer, axis):
        """The size of a dimension: an int, or a traced int where it is not known."""
        ir = tracer.ir
        size = ir.shape[axis]
        if size is not None:
            return size
        sample, roots = NO_SAMPLE, ()
        outer = ir
        while outer.origin is not None:         # an argument of a private function
            outer = outer.origin
        for each, first, key in self.externals:
            if first is outer:
                sample = each._storage.real.shape[axis]
                roots = (Root(_g.DimOf(outer.source, axis), sample, ((key, ir.dtype), len(ir.shape), axis)),)
        size = self._size(self.local(ir), axis)
        word = self.one("arith.index_cast", [size], result_types=[("int64", None)])
        value = self.one("tensor.from_elements", [word], result_types=[("int64", ())])
        return ScalarTracer("int", self.here(value), sample, roots)

    def _size(self, value, axis):
        """The size of a dimension of a Value, as an index Value."""
        index = self.constant(axis, ("index", None))
        return self.one("tensor.dim", [value, index], result_types=[("index", None)])

    # -- Python numbers ------------------------------------------------------------

    def number(self, source, value, pin=None):
        """A traced number of the caller's, an input of the graph once it is used."""
        kind = kind_of(value)
        ir = IR(None, None, ScalarTracer.DTYPES[kind], (), source)
        self.guards.number(source, type(value))
        return ScalarTracer(kind, ir, value, (Root(source, value, pin),))

    def scalar(self, v):
        """A ScalarTracer of a Python number, itself if it is one."""
        if type(v) is ScalarTracer:
            return v
        kind = kind_of(v)
        value = self.constant(v, ScalarTracer.DTYPES[kind])
        return ScalarTracer(kind, self.here(value), v)

    def concretize(self, v):
        """The value of a traced number, which becomes a guard; Refused if none is known."""
        if type(v) is not ScalarTracer:
            return v
        if v.sample is NO_SAMPLE:
            shapes = self.specialization.shapes
            if not shapes.all_pinned and any(None in ir.shape for _, ir, _ in self.externals):
                shapes.pin_all()
                raise Restart("a size decides")
            raise Refused("a Python number that depends on the values of tensors decides about the graph")
        for root in v.roots:
            if isinstance(root.source, _g.DimOf):
                self.specialization.shapes.pin(*root.pin)
                raise Restart("a size decides")
            if root.pin is not None:
                self.specialization.pin_number(root.pin)
            self.guards.value(root.source, root.sample)
        return v.sample

    def weak(self, v):
        """What an op takes for a traced number."""
        if type(v) is ScalarTracer:
            return _emitter.WeakScalar(self.local(v.ir), v.kind)
        return v

    def as_tensor(self, v):
        """A number (or traced one) as a 0-d tensor of its own dtype; a tensor as it is."""
        if isinstance(v, Tensor):
            return v
        return self.tracer(self.local(self.scalar(v).ir))

    # -- small pieces of IR ---------------------------------------------------------

    def zeros(self, dtype, shape):
        """A constant that nobody reads, of the type."""
        value = self.constant(np.zeros([s or 0 for s in shape], "float32" if dtype == "bfloat16" else dtype), dtype)
        return self.cast_shape(value, shape)

    def cast_shape(self, value, shape):
        """The Value with sizes widened (or stated) to `shape`."""
        if tuple(value.shape) == tuple(shape):
            return value
        return self.one("tensor.cast", [value], result_types=[(value.dtype, tuple(shape))])

    def i1(self, value):
        """The i1 of a 0-d bool tensor Value."""
        return self.one("tensor.extract", [value], result_types=[("bool", None)])

    def status(self, code):
        """A constant status as a Value."""
        return self.constant(np.asarray(code, "int32"), "int32")

    def compare(self, predicate, a, b):
        """A 0-d bool Value of two 0-d Values of one dtype."""
        return self.one("mindir.compare", [a, b], {"predicate": predicate})

    def unique_name(self, label):
        """A symbol of the module that starts like the label."""
        base = "".join(c if c.isalnum() or c in "_." else "_" for c in label).strip("_") or "function"
        self._names[base] = self._names.get(base, 0) + 1
        return base if self._names[base] == 1 and base != "main" else f"{base}_{self._names[base]}"

    def copy_of(self, tensor):
        """A traced tensor of the present value, of its own storage."""
        return self.tracer(self.unwrap(tensor))

    def zeros_like(self, tensor):
        """Zeros of a tensor's type, as a traced tensor."""
        value = self.unwrap(tensor)
        return self.tracer(self.cotangent(value.dtype, value.shape, None, value))

    def cotangent(self, dtype, shape, seed, like=None):
        """A cotangent Value: zeros (None), ones (1), or the given tensor's value."""
        if isinstance(seed, Tensor):
            value = self.unwrap(seed)
            return value if value.dtype == dtype else self.one("mindir.cast", [value], result_types=[(dtype, value.shape)])
        if None in shape and like is None:
            raise Refused("a gradient of an output whose size is known only when run")
        number = self.constant(np.asarray(0 if seed is None else seed, "float32" if dtype == "bfloat16" else dtype), dtype)
        sizes = [self._size(like, i) for i, n in enumerate(shape) if n is None]
        if not shape:
            return number
        return self.one("mindir.broadcast_to", [number, *sizes], result_types=[(dtype, tuple(shape))])
