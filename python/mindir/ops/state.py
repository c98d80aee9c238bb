"""State and effects: assignment to Parameters and tensors, the parting of values from gradients."""

from . import elementwise as _el
from ._promotion import to_value
from .emitter import emit, state
from .primitive import map_tensors, primitive


@primitive
def _stop_gradient(value):
    return emit("stop_gradient", [to_value(value)])


def stop_gradient(value):
    """The value, as a constant to differentiation; tensors in tuples and lists too."""
    if state.emitter is not None:
        return map_tensors(value, _stop_gradient) if not state.in_body else _stop_gradient(value)
    return map_tensors(value, lambda t: t.detach())


@primitive
def identity(x):
    """A tensor of the same value, of its own storage."""
    return emit("reshape", [to_value(x)], result_types=[(x.dtype, tuple(x.shape))]) if None not in x.shape else x


def assign(variable, value):
    """Writes `value` (same shape; cast to the dtype) into a Parameter or Tensor and gives it."""
    variable.assign_value(value)
    return variable


def assign_add(variable, value):
    """`variable += value` in place; gives the variable."""
    variable.assign_value(_el.add(variable, value))
    return variable


def assign_sub(variable, value):
    """`variable -= value` in place; gives the variable."""
    variable.assign_value(_el.sub(variable, value))
    return variable


def depend(value, expr):
    """`value`; `expr` is evaluated before it, with its effects."""
    del expr
    return value
