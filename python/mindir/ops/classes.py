"""Operators as classes, `ops.MatMul(transpose_b=True)(x, y)`: thin callables over the functions.

These take tensors of one dtype where MindSpore's operators do: TypeError
otherwise, naming the operator and both dtypes.
"""

from ..tensor import Tensor
from . import activation, elementwise as el, indexing, linear, loss, movement, reduction, state

__all__ = []


class Operator:
    """A callable with attributes. `name` is MindSpore's name of it."""

    def __init__(self):
        self.name = type(self).__name__

    def __repr__(self):
        return f"Prim[{self.name}]"


def _functional(name, function):
    """An Operator class without attributes over a function."""
    def call(self, *args, **kwargs):
        return function(*args, **kwargs)
    call.__doc__ = function.__doc__
    made = type(name, (Operator,), {"__call__": call, "__doc__": f"`ops.{function.__name__}` as an operator."})
    _add(made)


def _add(cls):
    globals()[cls.__name__] = cls
    __all__.append(cls.__name__)
    return cls


for _name, _function in {
        "Abs": el.abs, "Neg": el.neg, "Sign": el.sign, "Ceil": el.ceil, "Floor": el.floor, "Round": el.round,
        "Exp": el.exp, "Log": el.log, "Sqrt": el.sqrt, "Rsqrt": el.rsqrt, "Sin": el.sin, "Cos": el.cos,
        "Tanh": el.tanh, "Erf": el.erf, "Sigmoid": el.sigmoid, "Square": el.square, "Reciprocal": el.reciprocal,
        "Add": el.add, "Sub": el.sub, "Mul": el.mul, "Div": el.div, "RealDiv": el.div, "FloorDiv": el.floor_div,
        "FloorMod": el.floor_mod, "Pow": el.pow, "Maximum": el.maximum, "Minimum": el.minimum,
        "LogicalAnd": el.logical_and, "LogicalOr": el.logical_or, "LogicalNot": el.logical_not,
        "Equal": el.equal, "NotEqual": el.not_equal, "Less": el.less, "LessEqual": el.less_equal,
        "Greater": el.greater, "GreaterEqual": el.greater_equal, "Select": el.select, "Cast": el.cast,
        "IsNan": el.isnan, "IsFinite": el.isfinite, "ZerosLike": el.zeros_like, "OnesLike": el.ones_like,
        "ReLU": activation.relu, "ReLU6": activation.relu6, "Reshape": movement.reshape,
        "Transpose": movement.transpose, "ExpandDims": movement.expand_dims, "Tile": movement.tile,
        "Gather": indexing.gather, "StopGradient": state.stop_gradient, "Assign": state.assign,
        "AssignAdd": state.assign_add, "AssignSub": state.assign_sub, "Depend": state.depend}.items():
    _functional(_name, _function)


def _require_tensors(name, **operands):
    for label, x in operands.items():
        if not isinstance(x, Tensor):
            raise TypeError(f"For '{name}', expected a Tensor as '{label}', found {type(x).__name__}: {x!r}.")


def _require_one_dtype(name, x, y):
    if x.dtype is not y.dtype:
        raise TypeError(f"For '{name}', expected operands of one dtype, found {x.dtype} and {y.dtype}. "
                        "Convert one with astype().")


@_add
class MatMul(Operator):
    """The product of two matrices, each transposed first if so asked.

    TypeError: operands that are no Tensors or of two dtypes; ValueError: not of
    rank 2, inner sizes that differ.
    """

    def __init__(self, transpose_a=False, transpose_b=False):
        super().__init__()
        self.transpose_a, self.transpose_b = transpose_a, transpose_b

    def __call__(self, x, y):
        _require_tensors("MatMul", x=x, y=y)
        _require_one_dtype("MatMul", x, y)
        if x.ndim != 2 or y.ndim != 2:
            raise ValueError(f"For 'MatMul', expected matrices, found shapes {x.shape} and {y.shape}.")
        return linear.matrix_product(x, y, self.transpose_a, self.transpose_b, "MatMul")


@_add
class BatchMatMul(Operator):
    """The product of batches of matrices, each transposed first if so asked; errors as MatMul."""

    def __init__(self, transpose_a=False, transpose_b=False):
        super().__init__()
        self.transpose_a, self.transpose_b = transpose_a, transpose_b

    def __call__(self, x, y):
        _require_tensors("BatchMatMul", x=x, y=y)
        _require_one_dtype("BatchMatMul", x, y)
        return linear.matrix_product(x, y, self.transpose_a, self.transpose_b, "BatchMatMul")


class _Reduction(Operator):
    def __init__(self, keep_dims=False):
        super().__init__()
        self.keep_dims = keep_dims

    def __call__(self, x, axis=()):
        return type(self).function(x, axis, self.keep_dims)


for _name, _function in {"ReduceSum": reduction.sum, "ReduceMean": reduction.mean, "ReduceMax": reduction.amax,
                         "ReduceMin": reduction.amin, "ReduceProd": reduction.prod, "ReduceAll": reduction.all,
                         "ReduceAny": reduction.any}.items():
    _add(type(_name, (_Reduction,), {"function": staticmethod(_function),
                                     "__doc__": f"`ops.{_function.__name__}` along the call's axis."}))


class _Axis(Operator):
    """An operator whose axis is given when it is made."""

    def __init__(self, axis=0):
        super().__init__()
        self.axis = axis

    def __call__(self, x):
        return type(self).function(x, self.axis)


def _with_axis(name, function, default):
    def init(self, axis=default):
        _Axis.__init__(self, axis)
    _add(type(name, (_Axis,), {"function": staticmethod(function), "__init__": init,
                               "__doc__": f"`ops.{function.__name__}` along an axis."}))


_with_axis("Concat", movement.concat, 0)
_with_axis("Stack", movement.stack, 0)
_with_axis("Softmax", activation.softmax, -1)
_with_axis("LogSoftmax", activation.log_softmax, -1)
_with_axis("Squeeze", movement.squeeze, ())


@_add
class OneHot(Operator):
    """`ops.one_hot` along an axis."""

    def __init__(self, axis=-1):
        super().__init__()
        self.axis = axis

    def __call__(self, indices, depth, on_value=1, off_value=0):
        return indexing.one_hot(indices, depth, on_value, off_value, self.axis)


@_add
class Print(Operator):
    """Prints tensors and other values."""

    def __call__(self, *values):
        print(*values)


@_add
class SoftmaxCrossEntropyWithLogits(Operator):
    """(`-sum(labels * log_softmax(logits))` per row, its derivative by the logits)."""

    def __call__(self, logits, labels):
        return (loss.cross_entropy(logits, labels, reduction="none"),
                el.sub(activation.softmax(logits), labels))


@_add
class Shape(Operator):
    """The shape of a tensor, a tuple of ints."""

    def __call__(self, x):
        return x.shape
