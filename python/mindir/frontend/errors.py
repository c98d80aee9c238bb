"""The exceptions of capture, and how the user's error gets its source excerpt.

Three kinds leave a statement that is captured: `Unsupported` (the graph cannot
hold it; the statement becomes Python's), `UserError` (the statement itself
raises, as it would without jit) and `Restart` (an assumption of this capture
proved wrong; it begins anew with what was learned).
"""

import linecache

from .segment import Unsupported

__all__ = ["Unsupported", "Refused", "NeedsValue", "UserError", "Restart", "CallRaises",
           "JitSyntaxError", "not_captured"]


class Refused(Exception):
    """Capture cannot follow; its message is the reason. Becomes `Unsupported` at
    the statement that is being captured."""


class NeedsValue(Refused):
    """Python asks for the data of a tensor that is known only when run.

    Raised by a traced tensor's `asnumpy`, `__bool__` and their kin; capture
    turns it into `Unsupported` at the statement that asked.
    """


class UserError(Exception):
    """The captured statement raises `error` whenever it is executed."""

    def __init__(self, error):
        super().__init__(str(error))
        self.error = error


class Restart(Exception):
    """Capture anew; `learn` was told to the specialization of the function."""


class CallRaises(Exception):
    """The call that was captured certainly raises, says its cause: Python then runs
    it, with the effects before and the user's traceback."""


class JitSyntaxError(SyntaxError):
    """`fullgraph=True` and a statement that cannot be part of a graph."""


def not_captured(unsupported, filename, fullgraph_name):
    """The SyntaxError of `fullgraph=True`, with file, line, caret and remedy."""
    node = unsupported.node
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    text = linecache.getline(filename, line)
    message = (f"{fullgraph_name} cannot be compiled as one graph: {unsupported.reason}. "
               "Rewrite this statement with tensor operations, or leave fullgraph=False "
               "to run it as Python between compiled parts")
    return JitSyntaxError(message, (filename, line, column + 1, text))
