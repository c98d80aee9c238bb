"""Softmax, cross entropy, batch normalization."""

import numpy as np

from oracle import dtypes
from oracle.case import Case, Operand
from oracle.registry import generator


def _log_softmax(x, axis):
    """With no elements along the axis there is nothing to compute."""
    if x.shape[axis] == 0:
        return x
    with np.errstate(all="ignore"):
        shifted = x - np.max(x, axis, keepdims=True)
        return shifted - np.log(np.sum(np.exp(shifted), axis, keepdims=True))


def _softmax(name, formula):
    @generator(name)
    def make(draw):
        element = draw.element(dtypes.FLOATS)
        shape = draw.shape(min_rank=1)
        axis = draw.axis(len(shape))
        x = draw.operand(shape, element)
        return Case(f"mindir.{name}", f"%r0 = mindir.{name} %a0 axis = {axis} : {x.type}", [x],
                    [(shape, element)], lambda a: formula(a, axis), "accumulation", draw.dynamic,
                    lambda a: [np.ones(shape) + np.abs(np.nan_to_num(a, posinf=0, neginf=0))],
                    (0,) if draw.smooth else ())


_softmax("softmax", lambda x, axis: np.exp(_log_softmax(x, axis)))
_softmax("log_softmax", _log_softmax)


@generator("cross_entropy")
def cross_entropy(draw):
    element = draw.element(dtypes.FLOATS)
    rows, classes = draw.size(), draw.size(1)
    ignored = draw.choice([-100, -1, 0])
    logits = draw.operand((rows, classes), element, special=False)
    chosen = draw.rng.integers(0, classes, rows)
    kept = draw.rng.random(rows) < 0.8
    kind = draw.choice(["i32", "i64"])
    labels = Operand(np.where(kept, chosen, ignored).astype(dtypes.NUMPY[kind]), kind,
                     draw.dynamic)

    def formula(values, indices):
        picked = -_log_softmax(values, 1)[np.arange(rows), np.where(indices == ignored, 0, indices)]
        return np.where(indices == ignored, 0, picked)

    case = Case("mindir.cross_entropy", "", [logits, labels], [((rows,), element)], formula,
                "accumulation", draw.dynamic, lambda values, _: [1 + np.max(np.abs(values), 1)],
                (0,) if draw.smooth else ())
    case.body = (f"%r0 = mindir.cross_entropy %a0, %a1 {{ignore_index = {ignored} : i64}} : "
                 f"{logits.type}, {labels.type} -> {case.result_types[0]}")
    return case


def _along(vector, axis, rank):
    return vector.reshape([-1 if i == axis else 1 for i in range(rank)])


def _batch_norm(draw):
    element = draw.element(dtypes.FLOATS)
    shape = draw.shape(min_rank=2, low=2 if draw.smooth else 1)
    axis = draw.axis(len(shape))
    x = draw.operand(shape, element, special=False)
    scale = draw.operand((shape[axis],), element, special=False)
    offset = draw.operand((shape[axis],), element, special=False)
    return element, shape, axis, [x, scale, offset], draw.choice([1e-5, 1e-3, 0.25])


@generator("batch_norm_training")
def batch_norm_training(draw):
    element, shape, axis, operands, epsilon = _batch_norm(draw)
    others = tuple(i for i in range(len(shape)) if i != axis)
    rank = len(shape)

    def formula(x, scale, offset):
        mean, variance = np.mean(x, others), np.var(x, others)
        result = ((x - _along(mean, axis, rank)) / np.sqrt(_along(variance, axis, rank) + epsilon)
                  * _along(scale, axis, rank) + _along(offset, axis, rank))
        return result, mean, variance

    def scales(x, scale, offset):
        magnitude = _along(np.max(np.abs(x), others), axis, rank)
        spread = np.sqrt(_along(np.var(x, others), axis, rank) + epsilon)
        size = _along(np.abs(scale), axis, rank) * (np.abs(x) + magnitude) / spread
        square = np.max(np.abs(x), others) ** 2
        return [size + _along(np.abs(offset), axis, rank), np.mean(np.abs(x), others), square]

    vector = ((shape[axis],), element)
    case = Case("mindir.batch_norm_training", "", operands, [(shape, element), vector, vector],
                formula, "accumulation", draw.dynamic, scales, (0, 1, 2) if draw.smooth else ())
    types = ", ".join(operand.type for operand in operands)
    case.body = (f"%r0, %r1, %r2 = mindir.batch_norm_training %a0, %a1, %a2 axis = {axis} "
                 f"epsilon = {epsilon!r} : {types} -> {', '.join(case.result_types)}"
                 .replace("1e-05", "1.0e-5"))
    return case


@generator("batch_norm_inference")
def batch_norm_inference(draw):
    element, shape, axis, operands, epsilon = _batch_norm(draw)
    rank = len(shape)
    operands.append(draw.operand((shape[axis],), element, special=False))
    operands.append(draw.operand((shape[axis],), element, low=0.1, special=False))

    def formula(x, scale, offset, mean, variance):
        scale, offset, mean, variance = (_along(v, axis, rank)
                                         for v in (scale, offset, mean, variance))
        return (x - mean) / np.sqrt(variance + epsilon) * scale + offset

    def scales(x, scale, offset, mean, variance):
        return [formula(np.abs(x), np.abs(scale), np.abs(offset), -np.abs(mean), variance)]

    case = Case("mindir.batch_norm_inference", "", operands, [(shape, element)], formula,
                "accumulation", draw.dynamic, scales, (0, 1, 2, 3, 4) if draw.smooth else ())
    types = ", ".join(operand.type for operand in operands)
    names = ", ".join(f"%a{i}" for i in range(5))
    case.body = (f"%r0 = mindir.batch_norm_inference {names} axis = {axis} "
                 f"epsilon = {epsilon!r} : {types} -> {case.result_types[0]}"
                 .replace("1e-05", "1.0e-5"))
    return case
