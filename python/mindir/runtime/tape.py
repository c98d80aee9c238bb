"""Eager gradients: what of the tape is Python.

The tape records module calls made while a gradient is taken, and walks them back
(C++: lib/Bindings/Python/EagerTape.h). A node is the identity of one value of a
tensor; a write in place gives the tensor a new node. Here are the writes, and what
they mean for views.
"""

import numpy as np

from .._native import core
from ..tensor import array_of, wrap

Tape, node_of, call = core.Tape, core.node_of, core.call
state = core.thread_state       # `.tapes`: the active tapes of this thread, outermost first


def zeros(spec):
    """A Tensor of zeros of a (dtype name, shape)."""
    return filled(spec, 0)


def filled(spec, number):
    """A Tensor of one number, of a (dtype name, shape)."""
    return wrap(array_of(np.full(spec[1], number, "float32" if spec[0] == "bfloat16" else spec[0]), spec[0]))


# --- writes in place ----------------------------------------------------------


def before_write(tensor):
    """Must precede each write into a tensor's storage: tapes keep what they need of it."""
    for tape in state.tapes:
        tape.preserve(tensor._array)


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
    tapes = state.tapes
    if value._array.storage_id == tensor._array.storage_id:
        value = _moved(value)
    if not tapes:
        tensor._array.assign(value._array)
        return
    root = root_of(tensor)
    followed = any(tape.follows(t) for tape in tapes for t in (value, root))
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
