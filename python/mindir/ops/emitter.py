"""Where the body of an op puts what it emits.

A stack per thread holds the emitters; the top one takes the ops. Without one,
a call of an op is executed at once (`runtime.eager`). An emitter has

- `emit(op, operands, attrs, result_types, regions) -> list[Value]`
- `constant(value, dtype) -> Value`: a 0-d or numpy constant
- `unwrap(tensor) -> Value` and `wrap(value) -> Tensor`
- `write(tensor, new_tensor)`: the tensor's value from here on
- `generator_state() -> Value`, `set_generator_state(value)`
- `gradient(transform, args, kwargs)`: a call of `ms.grad(...)`
- optionally `as_view(primitive, args, result) -> Tensor`: the result of an op that
  may share storage with its first argument.

Values have `.dtype` (numpy's name) and `.shape` (a tuple; None where the size
is not known). In attributes a Python int becomes an i64, a list of ints an i64
array, True a unit attribute, a string an enum's keyword, ("type", name) a type.
"""

import numpy as np

from .._native import core

_OP_PREFIX = "mindir."


# Of this thread: `emitter`, the one in force, or None when calls are eager; `in_body`,
# whether a body runs, so that calls in it are part of it; `stack`, the states around.
state = core.thread_state


def current_emitter():
    """The emitter in force in this thread, or None when ops run at once."""
    return state.emitter


def push_emitter(emitter):
    """Makes `emitter` take what follows in this thread; None makes it eager."""
    state.stack = (state.emitter, state.in_body, state.stack)
    state.emitter, state.in_body = emitter, False


def pop_emitter():
    """Ends the last `push_emitter` of this thread."""
    state.emitter, state.in_body, state.stack = state.stack


class emitting:
    """Context in which `emitter` takes the ops; `in_body` as the body of an op sees it."""

    __slots__ = ("emitter", "in_body")

    def __init__(self, emitter, in_body=False):
        self.emitter, self.in_body = emitter, in_body

    def __enter__(self):
        push_emitter(self.emitter)
        state.in_body = self.in_body
        return self.emitter

    def __exit__(self, *exc):
        pop_emitter()
        return False


class WeakScalar:
    """A Python number inside a body whose value is known only when run.

    `value` is its 0-d Value (bool, int64 or float64), `kind` "bool", "int" or
    "float". It takes part in promotion as the Python number would.
    """

    __slots__ = ("value", "kind")

    def __init__(self, value, kind):
        self.value, self.kind = value, kind


def emit(op, operands, attrs=None, result_types=None, regions=()):
    """Emits one op; gives its result, or the list of them when they are several.

    `op` is a mindir op's name without prefix, or another dialect's full name.
    `result_types` are (dtype, shape) pairs, inferred when not given. Raises what
    the op's inference or verifier raises: TypeError or ValueError.
    """
    name = op if "." in op else _OP_PREFIX + op
    results = state.emitter.emit(name, operands, attrs or {}, result_types, regions)
    return results[0] if len(results) == 1 else results


def constant(value, dtype=None):
    """A constant Value of a Python number or numpy array."""
    if dtype is not None and isinstance(value, np.ndarray):
        value = value.astype(dtype)
    return state.emitter.constant(value, dtype)


def emit_dim(value, axis):
    """The size of a dimension as an index Value, for the `dynamic_sizes` of an op."""
    return emit("tensor.dim", [value, index_constant(axis)], result_types=[("index", None)])


def index_constant(number):
    """An index Value that is known when compiling."""
    return state.emitter.constant(int(number), ("index", None))


def is_value(thing):
    """Whether it is a Value of a builder (and not a Tensor)."""
    return isinstance(thing, core.Value)
