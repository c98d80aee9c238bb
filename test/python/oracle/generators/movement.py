"""Ops that move elements."""

import numpy as np

from oracle import dtypes
from oracle.case import Case, Operand
from oracle.draw import sizes_operand
from oracle.registry import generator


def _text(numbers):
    return "[" + ", ".join(map(str, numbers)) + "]"


def _wrt(draw):
    return (0,) if draw.smooth else ()


def _shaped(draw, name, operands, middle, shape, element, formula, **options):
    """A case of an op that is given its result's shape."""
    extra, lines, clause = sizes_operand(draw, shape)
    operands = operands + extra
    case = Case(f"mindir.{name}", "", operands, [(shape, element)], formula, "exact",
                draw.dynamic, **options)
    before = lines.replace("{n}", str(len(operands) - 1))
    case.body = (before + f"%r0 = mindir.{name} {middle[0]} {clause} : {middle[1]}"
                 f"{case.result_types[0]}")
    return case


@generator("reshape")
def reshape(draw):
    element = draw.element(dtypes.ALL)
    shape = draw.shape()
    factors = list(shape)
    target = []
    while factors:  # joins and splits the sizes at random
        size = factors.pop(0)
        if factors and draw.chance(0.4):
            factors[0] *= size
        elif size % 2 == 0 and size > 2 and draw.chance(0.4):
            target += [2, size // 2]
        else:
            target.append(size)
    if draw.chance(0.3):
        target.insert(draw.integer(0, len(target)), 1)
    x = draw.operand(shape, element)
    target = tuple(target) if len(target) <= 6 else shape
    return _shaped(draw, "reshape", [x], ("%a0", f"{x.type} -> "), target, element,
                   lambda a, *_: a.reshape(target), wrt=_wrt(draw))


@generator("broadcast_to")
def broadcast_to(draw):
    element = draw.element(dtypes.ALL)
    target = draw.shape()
    rank = draw.integer(0, len(target))
    source = tuple(1 if draw.chance(0.4) else size for size in target[len(target) - rank:])
    x = draw.operand(source, element)
    return _shaped(draw, "broadcast_to", [x], ("%a0", f"{x.type} -> "), target, element,
                   lambda a, *_: np.broadcast_to(a, target), wrt=_wrt(draw))


@generator("transpose")
def transpose(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(), element)
    order = [int(i) for i in draw.rng.permutation(x.values.ndim)]
    case = Case("mindir.transpose", "", [x],
                [(tuple(x.values.shape[i] for i in order), element)],
                lambda a: a.transpose(order), "exact", draw.dynamic, wrt=_wrt(draw))
    case.body = (f"%r0 = mindir.transpose %a0 permutation = {_text(order)} : {x.type} -> "
                 f"{case.result_types[0]}")
    return case


@generator("slice")
def slice_(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(), element)
    starts, limits, strides, index = [], [], [], []
    for size in x.values.shape:
        start = draw.integer(0, size)
        limit = draw.integer(start, size)
        to_end = draw.chance(0.3)
        stride = draw.choice([1, 1, 2, 3])
        starts.append(start)
        limits.append(-2**63 if to_end else limit)
        strides.append(stride)
        index.append(slice(start, size if to_end else limit, stride))
    index = tuple(index)
    case = Case("mindir.slice", "", [x], [(x.values[index].shape, element)],
                lambda a: a[index], "exact", draw.dynamic, wrt=_wrt(draw))
    case.body = (f"%r0 = mindir.slice %a0 starts = {_text(starts)} limits = {_text(limits)} "
                 f"strides = {_text(strides)} : {x.type} -> {case.result_types[0]}")
    return case


@generator("reverse")
def reverse(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(), element)
    axes = draw.axes(x.values.ndim)
    return Case("mindir.reverse", f"%r0 = mindir.reverse %a0 axes = {_text(axes)} : {x.type}",
                [x], [(x.values.shape, element)], lambda a: np.flip(a, axes), "exact",
                draw.dynamic, wrt=_wrt(draw))


def _pad(values, filler, low, interior, shape):
    result = np.full(shape, filler, values.dtype)
    index = tuple(slice(before, before + max(size - 1, 0) * (between + 1) + 1 if size else before,
                        between + 1)
                  for before, between, size in zip(low, interior, values.shape))
    result[index] = values
    return result


@generator("pad")
def pad(draw):
    element = draw.element(dtypes.ALL)
    shape = draw.shape(max_rank=3)
    x, filler = draw.operand(shape, element), draw.operand((), element)
    low, high, interior = ([draw.choice([0, 0, 1, 2]) for _ in shape] for _ in range(3))
    target = tuple(before + size + max(size - 1, 0) * between + after
                   for before, size, between, after in zip(low, shape, interior, high))
    case = Case("mindir.pad", "", [x, filler], [(target, element)],
                lambda a, b: _pad(a, b, low, interior, target), "exact", draw.dynamic,
                wrt=(0, 1) if draw.smooth else ())
    case.body = (f"%r0 = mindir.pad %a0, %a1 low = {_text(low)} high = {_text(high)} "
                 f"interior = {_text(interior)} : {x.type}, {filler.type} -> "
                 f"{case.result_types[0]}")
    return case


@generator("concat")
def concat(draw):
    element = draw.element(dtypes.ALL)
    shape = draw.shape(min_rank=1, max_rank=3)
    axis = draw.axis(len(shape))
    parts = []
    for _ in range(draw.integer(1, 4)):
        part = list(shape)
        part[axis] = draw.size()
        parts.append(draw.operand(tuple(part), element))
    target = list(shape)
    target[axis] = sum(part.values.shape[axis] for part in parts)
    case = Case("mindir.concat", "", parts, [(tuple(target), element)],
                lambda *arrays: np.concatenate(arrays, axis), "exact", draw.dynamic,
                wrt=tuple(range(len(parts))) if draw.smooth else ())
    names = ", ".join(f"%a{i}" for i in range(len(parts)))
    types = ", ".join(part.type for part in parts)
    case.body = f"%r0 = mindir.concat {names} axis = {axis} : {types} -> {case.result_types[0]}"
    return case


def _block(draw, shape):
    """A block inside of a shape: where it starts, and its sizes."""
    sizes = tuple(draw.integer(0 if not draw.smooth else 1, size) if size else 0
                  for size in shape)
    starts = [draw.integer(0, size - part) for size, part in zip(shape, sizes)]
    return starts, sizes


def _positions(starts):
    return [Operand(np.array(start, np.int64), "i64") for start in starts]


@generator("dynamic_slice")
def dynamic_slice(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(max_rank=3), element)
    starts, sizes = _block(draw, x.values.shape)
    index = tuple(slice(start, start + size) for start, size in zip(starts, sizes))
    names = ", ".join(f"%a{i + 1}" for i in range(len(starts)))
    return _shaped(draw, "dynamic_slice", [x, *_positions(starts)],
                   (f"%a0[{names}]", f"{x.type} -> "), sizes, element,
                   lambda a, *_: a[index], wrt=_wrt(draw))


@generator("dynamic_update_slice")
def dynamic_update_slice(draw):
    element = draw.element(dtypes.ALL)
    x = draw.operand(draw.shape(max_rank=3), element)
    starts, sizes = _block(draw, x.values.shape)
    update = draw.operand(sizes, element)

    def formula(a, b, *_):
        result = a.copy()
        result[tuple(slice(start, start + size) for start, size in zip(starts, sizes))] = b
        return result

    names = ", ".join(f"%a{i + 2}" for i in range(len(starts)))
    return Case("mindir.dynamic_update_slice",
                f"%r0 = mindir.dynamic_update_slice %a0, %a1[{names}] : {x.type}, {update.type}",
                [x, update, *_positions(starts)], [(x.values.shape, element)], formula, "exact",
                draw.dynamic, wrt=(0, 1) if draw.smooth else ())
