"""Reductions over every choice of axes."""

import numpy as np

from oracle import dtypes
from oracle.case import Case
from oracle.registry import generator


def _reduced_shape(shape, axes, keep):
    return tuple(1 if axis in axes else size for axis, size in enumerate(shape)
                 if keep or axis not in axes)


def _reduction(name, elements, formula, kind, scale=None, smooth_low=-4.0):
    @generator(name)
    def make(draw):
        element = draw.element(elements)
        shape = draw.shape()
        axes = draw.axes(len(shape))
        keep = draw.chance()
        x = draw.operand(shape, element, low=smooth_low if draw.smooth else -4.0)
        options = {"axis": tuple(axes), "keepdims": keep}
        case = Case(f"mindir.{name}", "", [x], [(_reduced_shape(shape, axes, keep), element)],
                    lambda a: formula(a, options), kind, draw.dynamic,
                    (lambda a: [scale(a, options)]) if scale else None,
                    (0,) if dtypes.is_float(element) else ())
        case.body = (f"%r0 = mindir.{name} %a0 axes = [{', '.join(map(str, axes))}]"
                     f"{' keep_dims' if keep else ''} : {x.type} -> {case.result_types[0]}")
        return case


def _extreme(function, of_floats, of_integers):
    """A maximum or minimum with the value that an empty one has."""
    def formula(values, options):
        if values.dtype.kind == "f":
            initial = of_floats
        elif values.dtype.kind == "b":
            initial = function is np.min
        else:
            initial = getattr(np.iinfo(values.dtype), of_integers)
        return function(values, initial=initial, **options)
    return formula


_reduction("reduce_sum", dtypes.NUMERIC, lambda a, o: np.sum(a, **o, dtype=a.dtype),
           "accumulation", lambda a, o: np.sum(np.abs(a), **o))
_reduction("reduce_prod", dtypes.NUMERIC, lambda a, o: np.prod(a.astype(np.longdouble), **o)
           if a.dtype.kind == "f" else np.prod(a, **o, dtype=a.dtype),
           "elementary", smooth_low=0.3)
_reduction("reduce_max", dtypes.ALL, _extreme(np.max, -np.inf, "min"), "exact")
_reduction("reduce_min", dtypes.ALL, _extreme(np.min, np.inf, "max"), "exact")


def _arg_reduction(name, formula):
    @generator(name)
    def make(draw):
        element = draw.element(dtypes.ALL)
        shape = draw.shape(min_rank=1)
        axis = draw.axis(len(shape))
        shape = tuple(max(size, 1) if i == axis else size for i, size in enumerate(shape))
        x = draw.operand(shape, element)
        if draw.chance():  # with equal elements, the first wins
            x.values = np.sort(x.values, axis=axis)[..., ::-1].copy()
        case = Case(f"mindir.{name}", "", [x],
                    [(_reduced_shape(shape, [axis], False), "i64")],
                    lambda a: formula(a, axis=axis) if a.size else
                    np.zeros(_reduced_shape(shape, [axis], False)), "exact", draw.dynamic)
        case.body = (f"%r0 = mindir.{name} %a0 axis = {axis} : {x.type} -> "
                     f"{case.result_types[0]}")
        return case


_arg_reduction("argmax", np.argmax)
_arg_reduction("argmin", np.argmin)
