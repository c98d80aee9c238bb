"""Ops whose result's shape depends on data, and printing: computed on the host, eagerly only."""

import numpy as np

from ..tensor import Tensor
from . import emitter as _e
from . import indexing, movement


def _eager(title, *tensors):
    if _e.state.emitter is not None:
        for t in tensors:
            t.asnumpy()         # a captured tensor raises here: the call is run outside the graph
        raise ValueError(f"For '{title}', the result's shape depends on data: expected a call outside jit.")


def nonzero(input):
    """The indices of the elements that are not zero, int64 [count, rank]."""
    _eager("NonZero", input)
    return Tensor(np.stack(np.nonzero(input.asnumpy()), axis=1).astype(np.int64).reshape(-1, input.ndim))


def masked_select(input, mask):
    """The elements where the (broadcast) mask holds, in one dimension; differentiable."""
    _eager("MaskedSelect", input, mask)
    shape = np.broadcast_shapes(input.shape, mask.shape)
    places = np.flatnonzero(np.broadcast_to(mask.asnumpy(), shape))
    flat = movement.reshape(movement.broadcast_to(input, shape), (-1,))
    return indexing.gather(flat, Tensor(places.astype(np.int64)), 0)


def unique(input):
    """The distinct elements, sorted, and each element's place among them (int64)."""
    _eager("Unique", input)
    values, places = np.unique(input.asnumpy(), return_inverse=True)
    return Tensor(values), Tensor(places.astype(np.int64).reshape(input.shape))


def print_(*values):
    """Prints tensors and other values, one after another."""
    print(*values)


def is_tensor(obj):
    """Whether it is a Tensor."""
    return isinstance(obj, Tensor)


def shape(input_x):
    """The shape, a tuple of ints."""
    return input_x.shape


def rank(input_x):
    """The number of dimensions."""
    return input_x.ndim


def size(input_x):
    """The number of elements."""
    return input_x.size


def dtype(input_x):
    """The element type."""
    return input_x.dtype
