"""Graph mode: calls of Cells and gradients are compiled whole, as if under `jit`."""

from .. import context


def active():
    """Whether the mode is GRAPH_MODE."""
    return context.mode() == context.GRAPH_MODE


def call(function, args, kwargs, eager):
    """The call compiled by `mindir.jit`; by `eager` where that part is not installed."""
    try:
        from ..jit import compile_call
    except ModuleNotFoundError as error:
        if error.name != "mindir.jit":
            raise
        return eager(*args, **kwargs)
    return compile_call(function, args, kwargs)
