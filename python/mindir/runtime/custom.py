"""Cells that define their own backward function, `bprop(*inputs, out, dout)`."""

from contextlib import contextmanager

from ..tensor import Tensor
from . import tape as _tape


@contextmanager
def _stack(tapes):
    saved = _tape.state.tapes
    _tape.state.tapes = tapes
    try:
        yield
    finally:
        _tape.state.tapes = saved


def call_with_bprop(cell, args, kwargs):
    """`cell.construct(*args)`, whose gradient is what `cell.bprop` gives."""
    return _call(cell, args, kwargs, len(_tape.state.tapes))


def _call(cell, args, kwargs, depth):
    stack = _tape.state.tapes
    while depth:
        tape = stack[depth - 1]
        places = [i for i, a in enumerate(args)
                  if isinstance(a, Tensor) and a.dtype.is_float and tape.follows(a)]
        if places:
            return _record(tape, cell, args, kwargs, places, depth)
        depth -= 1
    with _stack(()):
        output = cell.construct(*args, **kwargs)
    return _fresh(output, args)


def _fresh(output, args):
    """An output that is an input too gets an identity of its own."""
    if isinstance(output, tuple):
        return tuple(_fresh(o, args) for o in output)
    return output.detach() if any(output is a for a in args) else output


def _record(tape, cell, args, kwargs, places, depth):
    inputs = [_tape.node_of(args[i]) for i in places]
    output = _call(cell, args, kwargs, depth - 1)
    results = list(output) if isinstance(output, tuple) else [output]

    def backward(cotangents):
        given = iter(cotangents)
        dout = [next(given) if r.dtype.is_float else _tape.zeros(r._spec) for r in results]
        gradients = cell.bprop(*args, output, tuple(dout) if isinstance(output, tuple) else dout[0])
        gradients = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
        if len(gradients) != len(args):
            raise TypeError(f"expected {len(args)} gradients of {type(cell).__name__}.bprop, one an input, "
                            f"found {len(gradients)}")
        return [gradients[i] for i in places]

    tape.add(backward, [], inputs, [r for r in results if r.dtype.is_float])
    return output
