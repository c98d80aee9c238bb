"""Ops whose positions come from index tensors."""

import numpy as np

from oracle import dtypes
from oracle.case import Case, Operand
from oracle.draw import sizes_operand
from oracle.registry import generator


@generator("iota")
def iota(draw):
    element = draw.element(dtypes.NUMERIC)
    shape = draw.shape(min_rank=1)
    axis = draw.axis(len(shape))
    extra, lines, clause = sizes_operand(draw, shape)
    along = np.arange(shape[axis]).reshape([-1 if i == axis else 1 for i in range(len(shape))])
    case = Case("mindir.iota", "", extra, [(shape, element)],
                lambda *_: np.broadcast_to(along, shape), "exact", draw.dynamic)
    case.body = (lines.replace("{n}", "0") +
                 f"%r0 = mindir.iota axis = {axis} {clause} : {case.result_types[0]}")
    return case


def _indices(draw, shape, low, high, element=None):
    element = element or draw.choice(["i32", "i64"])
    values = draw.rng.integers(low, high, shape, dtype=dtypes.NUMPY[element])
    return Operand(np.asarray(values), element, draw.dynamic)


@generator("one_hot")
def one_hot(draw):
    element = draw.element(dtypes.ALL)
    depth = draw.choice([0, 1, 3, 10])
    indices = _indices(draw, draw.shape(max_rank=2), -2, depth + 2)
    shape = (*indices.values.shape, depth)
    case = Case("mindir.one_hot", "", [indices], [(shape, element)],
                lambda a: a[..., None] == np.arange(depth), "exact", draw.dynamic)
    case.body = (f"%r0 = mindir.one_hot %a0 depth = {depth} : {indices.type} -> "
                 f"{case.result_types[0]} as {element}")
    return case


def _gathering(draw, elements):
    """An input with a nonempty axis, indices into it, the axis, gather's shape."""
    element = draw.element(elements)
    shape = list(draw.shape(min_rank=1, max_rank=3))
    axis = draw.axis(len(shape))
    shape[axis] = max(shape[axis], 1)
    indices = _indices(draw, draw.shape(max_rank=2)[:2], -shape[axis], shape[axis])
    gathered = (*shape[:axis], *indices.values.shape, *shape[axis + 1:])
    return draw.operand(tuple(shape), element), indices, axis, gathered


@generator("gather")
def gather(draw):
    x, indices, axis, shape = _gathering(draw, dtypes.ALL)
    case = Case("mindir.gather", "", [x, indices], [(shape, x.element)],
                lambda a, i: np.take(a, i, axis=axis), "exact", draw.dynamic,
                wrt=(0,) if draw.smooth else ())
    case.body = (f"%r0 = mindir.gather %a0, %a1 axis = {axis} : {x.type}, {indices.type} -> "
                 f"{case.result_types[0]}")
    return case


def _scatter_add(values, indices, updates, axis):
    result = values.copy()
    index = (slice(None),) * axis + (indices,)
    np.add.at(result, index, updates)
    return result


@generator("scatter_add")
def scatter_add(draw):
    x, indices, axis, shape = _gathering(draw, dtypes.NUMERIC)
    updates = draw.operand(shape, x.element)
    return Case("mindir.scatter_add",
                f"%r0 = mindir.scatter_add %a0, %a1, %a2 axis = {axis} : {x.type}, "
                f"{indices.type}, {updates.type}",
                [x, indices, updates], [(x.values.shape, x.element)],
                lambda a, i, u: _scatter_add(a, i, u, axis), "accumulation", draw.dynamic,
                lambda a, i, u: [_scatter_add(np.abs(a), i, np.abs(u), axis)],
                (0, 2) if draw.smooth else ())
