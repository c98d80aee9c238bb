"""The ops of MindIR: `mindspore.ops`.

One file per family holds the functions, `classes.py` the operators as classes
(`ops.MatMul()`). `mindir.ops.emitter` and `mindir.ops.primitive` say how an op
is written. A name that does not exist raises an AttributeError that names it.
"""

from . import (activation, creation, elementwise, host, indexing, linear, loss, movement,
               normalization, random, reduction, state, tensor_methods)
from .primitive import Primitive as _Primitive

_FAMILIES = (elementwise, activation, reduction, linear, movement, indexing, creation, random,
             normalization, loss, state, host)
_HELPERS = {"primitive", "emit", "to_bool", "index_value", "count_of", "window_padding"}


def _public(module):
    """The ops that a family's file defines."""
    for name, thing in vars(module).items():
        own = isinstance(thing, _Primitive) or (
            callable(thing) and not isinstance(thing, type) and getattr(thing, "__module__", "") == module.__name__)
        if own and not name.startswith("_") and name not in _HELPERS:
            yield name, thing


for _family in _FAMILIES:
    globals().update(_public(_family))

from ..runtime import eager as _eager  # noqa: E402,F401 - connects eager calls with the compiler
from ..gradient import GradOperation, get_grad, grad, jvp, value_and_grad, vjp  # noqa: E402,F401
from ..mapping import jacfwd, jacrev, vmap  # noqa: E402,F401
from .classes import *  # noqa: E402,F401,F403
from . import classes as operations  # noqa: E402,F401


def __getattr__(name):
    from .._missing import missing
    return missing(__name__, name)
