"""The exceptions of capture, and how the user's error gets its source excerpt.

Three kinds leave a statement that is captured: `Unsupported` (the graph cannot
hold it; the statement becomes Python's), `UserError` (the statement itself
raises, as it would without jit) and `Restart` (an assumption of this capture
proved wrong; it begins anew with what was learned).
"""

import linecache

from .segment import Unsupported

__all__ = ["Unsupported", "Refused", "NeedsValue", "UserError", "Restart", "JitSyntaxError",
           "excerpt", "add_source"]


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


class JitSyntaxError(SyntaxError):
    """`fullgraph=True` and a statement that cannot be part of a graph."""


def excerpt(filename, line, column=None):
    """The user's line with a caret below it, or "" where there is no text."""
    text = linecache.getline(filename, line).rstrip("\n")
    if not text.strip():
        return ""
    body = text.lstrip()
    shown = f"\n    {body}"
    if column is not None and column >= len(text) - len(body):
        shown += "\n    " + " " * (column - (len(text) - len(body))) + "^"
    return shown


def add_source(error, frames):
    """Adds the user's lines, outermost first, to the exception's notes.

    `frames` is a list of (filename, line, column, function name). The type and
    the first line of the message, which MindSpore users match, stay as they are.
    """
    if getattr(error, "__mindir_source__", False) or not frames:
        return error
    lines = ["captured by ms.jit at:"]
    for filename, line, column, name in frames:
        lines.append(f'  File "{filename}", line {line}, in {name}' + excerpt(filename, line, column))
    error.add_note("\n".join(lines))
    try:
        error.__mindir_source__ = True
    except AttributeError:
        pass
    return error


def not_captured(unsupported, filename, fullgraph_name):
    """The SyntaxError of `fullgraph=True`, with file, line, caret and remedy."""
    node = unsupported.node
    line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
    text = linecache.getline(filename, line)
    message = (f"{fullgraph_name} cannot be compiled as one graph: {unsupported.reason}. "
               "Rewrite this statement with tensor operations, or leave fullgraph=False "
               "to run it as Python between compiled parts")
    return JitSyntaxError(message, (filename, line, column + 1, text))
