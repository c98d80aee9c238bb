"""Eager gradients: a tape of the module calls made while a gradient is taken.

Each entry is one call: the backward module of the autodiff pass, its residuals,
and the nodes of its inputs and results. A node is the identity of one value
of a tensor; a write in place gives the tensor a new node. Tapes nest: the calls
that one makes, in its recording and in its backward walk, are recorded on the
tapes around it, which is what makes gradients of any order.
"""

import threading

import numpy as np

from .. import dtype as _dtype
from ..tensor import array_of, wrap
from .callable import ModuleCallable


class Node:
    """The identity of a value, nothing else."""

    __slots__ = ()


class _State(threading.local):
    stack = ()


state = _State()


class _Entry:
    """`backward`: a ModuleCallable, a Python function of the cotangents, or the error to raise."""

    __slots__ = ("backward", "residuals", "inputs", "outputs", "specs")

    def __init__(self, backward, residuals, inputs, outputs, specs):
        self.backward, self.residuals = backward, residuals
        self.inputs, self.outputs, self.specs = inputs, outputs, specs


class Tape:
    """Records, between `with`, the calls that depend on watched tensors."""

    def __init__(self):
        self.entries, self.nodes = [], set()
        self._outer, self._held = (), {}

    def __enter__(self):
        self._outer = state.stack
        state.stack = self._outer + (self,)
        return self

    def __exit__(self, *exc):
        state.stack = self._outer
        return False

    def watch(self, tensor):
        """Follows the tensor's present value; gives its node."""
        node = node_of(tensor)
        if node is None:
            node = tensor._node = Node()
        self.nodes.add(node)
        return node

    def add(self, backward, residuals, inputs, results):
        """Appends an entry whose cotangents are those of `results`, which are followed from here on."""
        nodes, specs = [], []
        for result in results:
            node = result._node
            if node is None:
                node = result._node = Node()
            self.nodes.add(node)
            nodes.append(node)
            specs.append(result._spec)
        for residual in residuals:
            storage = getattr(residual._array, "storage_id", None)
            self._held.setdefault(storage, []).append(residual)
        self.entries.append(_Entry(backward, residuals, inputs, nodes, specs))

    def preserve(self, array):
        """Keeps the residuals in the array's storage as they are, before a write to it."""
        for residual in self._held.pop(array.storage_id, ()):
            residual._array = residual._array.copy()

    def gradient(self, seeds, sources):
        """The cotangents of the nodes `sources` (None where zero).

        `seeds` are (node, cotangent Tensor) pairs of the outputs. To be called
        outside the tape's `with`.
        """
        found = {}
        for node, cotangent in seeds:
            _accumulate(found, node, cotangent)
        kept = set(sources)
        for entry in reversed(self.entries):
            cotangents = [found.get(n) if n in kept else found.pop(n, None) for n in entry.outputs]
            if all(c is None for c in cotangents):
                continue
            filled = [zeros(spec) if c is None else c for c, spec in zip(cotangents, entry.specs)]
            for node, cotangent in zip(entry.inputs, _backward(entry, filled)):
                if cotangent is not None:
                    _accumulate(found, node, cotangent)
        return [found.get(n) for n in sources]


def _backward(entry, cotangents):
    if isinstance(entry.backward, Exception):
        raise entry.backward
    if not isinstance(entry.backward, ModuleCallable):
        return entry.backward(cotangents)
    return call(entry.backward, entry.residuals + cotangents)


def _accumulate(found, node, cotangent):
    from ..ops.elementwise import add
    have = found.get(node)
    found[node] = cotangent if have is None else add(have, cotangent)


def zeros(spec):
    """A Tensor of zeros of a (dtype name, shape)."""
    return filled(spec, 0)


def filled(spec, number):
    """A Tensor of one number, of a (dtype name, shape)."""
    return wrap(array_of(np.full(spec[1], number, "float32" if spec[0] == "bfloat16" else spec[0]), spec[0]))


# --- calls --------------------------------------------------------------------


def call(module, tensors):
    """Runs a ModuleCallable on Tensors, recording it on the tapes that follow an input."""
    return _call(module, tensors, len(state.stack))


def _call(module, tensors, depth):
    stack = state.stack
    while depth:
        tape = stack[depth - 1]
        wrt = tuple(i for i, t in enumerate(tensors) if follows(tape, t) and t.dtype.is_float)
        if wrt:
            return _record(tape, module, tensors, wrt, depth)
        depth -= 1
    return run(module, tensors)


def follows(tape, tensor):
    """Whether the tape follows the tensor's present value."""
    node = tensor._node if tensor._view is None else node_of(tensor)
    return node is not None and node in tape.nodes


def _record(tape, module, tensors, wrt, depth):
    inputs = [tensors[i]._node for i in wrt]
    try:
        derivative = module.derivative(wrt)
    except (TypeError, ValueError, RuntimeError, NotImplementedError) as error:
        results = _call(module, tensors, depth - 1)
        tape.add(error, [], inputs, [r for r in _values(module, results, tensors) if r.dtype.is_float])
        return results
    held = {k: _snapshot(tensors[k]) for source, k in derivative.saved if source == "argument"}
    outs = _call(derivative.forward, tensors, depth - 1)
    saved = [held[k] if source == "argument" else _snapshot(outs[k]) for source, k in derivative.saved]
    results = outs[:len(outs) - derivative.num_residuals]
    values = _values(module, results, tensors)
    tape.add(derivative.backward, saved, inputs, [values[k] for k in derivative.cotangents])
    return results


def _snapshot(tensor):
    """The tensor's present value as a Tensor of its own, which shares its storage until a write."""
    if tensor._view is None:
        held = wrap(tensor._array)
        held._node = tensor._node
    else:
        held = wrap(dense(tensor._array))
        held._node = node_of(tensor)
    return held


def _values(module, results, tensors):
    """The results, the updated tensors in place of those that were written into them."""
    return [tensors[module.updates[i]] if r is None else r for i, r in enumerate(results)]


def run(module, tensors):
    """Runs a ModuleCallable on Tensors without recording."""
    arrays = [t._array if t._view is None else dense(t._array) for t in tensors]
    updates = module.updates
    if updates:
        for target in updates.values():
            before_write(tensors[target])
    results = [None if a is None else wrap(a) for a in module.arrays(arrays)]
    for index, target in updates.items():
        tensor = tensors[target]
        if results[index] is not None:
            tensor._array.assign(results[index]._array)
            results[index] = None
        elif arrays[target] is not tensor._array:
            tensor._array.assign(arrays[target])
        tensor._node = None
    return results


def dense(array):
    """The array, or a contiguous copy of it."""
    return array if array.is_contiguous else array.copy()


# --- writes in place ----------------------------------------------------------


def before_write(tensor):
    """Must precede each write into a tensor's storage: tapes keep what they need of it."""
    for tape in state.stack:
        tape.preserve(tensor._array)


def node_of(tensor):
    """The node of the tensor's present value, or None; a view's follows writes to its base."""
    view = tensor._view
    if view is None or not state.stack:
        return tensor._node
    base, op, arguments = view
    writes = root_of(tensor)._writes
    if tensor._seen != writes:
        tensor._seen = writes
        tensor._node = compute_view(base, op, arguments)._node
    return tensor._node


def compute_view(base, op, arguments):
    """A view's value as the op computes it, recorded when the base is followed."""
    from .eager import compute
    return compute(op, (base, *arguments))


def root_of(tensor):
    """The tensor at the end of a chain of views."""
    while tensor._view is not None:
        tensor = tensor._view[0]
    return tensor


def write(tensor, value):
    """Makes `value` (a Tensor of the same shape and dtype) the tensor's value, in its storage."""
    stack = state.stack
    if value._array.storage_id == tensor._array.storage_id:
        value = _moved(value)
    if not stack:
        tensor._array.assign(value._array)
        return
    root = root_of(tensor)
    followed = any(follows(tape, t) for tape in stack for t in (value, root))
    new_root = value
    if followed and root is not tensor:
        new_root = _into_base(tensor, value)
    before_write(tensor)
    tensor._array.assign(value._array)
    root._writes += 1
    root._node = new_root._node if followed else None
    if root is not tensor:
        tensor._node, tensor._seen = value._node, root._writes


def _moved(value):
    """The value in storage of its own, so that a write cannot overlap what it reads."""
    copy = wrap(value._array.copy())
    copy._node = node_of(value)
    return copy


def _into_base(tensor, value):
    """The root's value after `value` was written through the chain of views."""
    while tensor._view is not None:
        base, op, arguments = tensor._view
        value = _unview(op.name, base, arguments, value)
        tensor = base
    return value


def _unview(name, base, arguments, value):
    from ..ops import indexing, movement
    if name == "getitem":
        return indexing.setitem(base, arguments[0], value)
    if name == "narrow":
        axis, start, length = arguments
        index = (slice(None),) * (axis % base.ndim) + (slice(start, start + length),)
        return indexing.setitem(base, index, value)
    if name == "transpose":
        order = [a % base.ndim for a in arguments[0]]
        return movement.transpose(value, tuple(sorted(range(base.ndim), key=order.__getitem__)))
    if name == "swapaxes":
        return movement.swapaxes(value, *arguments)
    return movement.reshape(value, base.shape)
