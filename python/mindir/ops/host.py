"""Ops computed on the host, eagerly only: of data-dependent shape, of order, and printing."""

import numpy as np

from ..tensor import Tensor
from . import emitter as _e
from . import indexing, movement
from ._shape import axis_of


def _eager(title, *tensors):
    if _e.state.emitter is not None:
        for t in tensors:
            t.asnumpy()         # a captured tensor raises here: the call is run outside the graph
        raise ValueError(f"For '{title}', expected a call outside jit: it is computed on the host.")


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


def argsort(input, axis=-1, descending=False):
    """The indices (int64) that sort along `axis`; stable, NaN counting as the greatest."""
    _eager("Argsort", input)
    return Tensor(_order(input, axis, descending))


def sort(input_x, axis=-1, descending=False):
    """(elements sorted along `axis`, their indices); stable, NaN the greatest; differentiable."""
    _eager("Sort", input_x)
    if not input_x.shape:
        return input_x, Tensor(0)
    places = Tensor(_order(input_x, axis, descending))
    return indexing.gather_elements(input_x, axis, places), places


def topk(input, k, dim=None, largest=True, sorted=True):
    """(the `k` greatest, or least, elements along `dim`, the last one for None; their indices).

    ValueError for a `k` outside [0, size].
    """
    _eager("TopK", input)
    axis = axis_of("TopK", -1 if dim is None else dim, input.ndim)
    if not 0 <= k <= input.shape[axis]:
        raise ValueError(f"For 'TopK', expected k in [0, {input.shape[axis]}], found {k}.")
    places = Tensor(_order(input, axis, largest).take(range(k), axis))
    return indexing.gather_elements(input, axis, places), places


def _order(x, axis, descending):
    """Stable sorting indices: equal elements keep their order in both directions."""
    data = x.asnumpy()
    axis = axis_of("Sort", axis, data.ndim)
    if not descending:
        return np.argsort(data, axis, kind="stable").astype(np.int64)
    backwards = np.flip(np.argsort(np.flip(data, axis), axis, kind="stable"), axis)
    return (data.shape[axis] - 1 - backwards).astype(np.int64)


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
