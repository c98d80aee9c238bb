"""The boundary between the residual Python rewriting and the capture: what a
compiled segment is, what is asked of the compiler of segments, and how it says
that a statement cannot be captured. Nothing here knows MindIR."""

from __future__ import annotations

import ast
import dataclasses
from types import CellType
from typing import Any, Callable, Hashable, Mapping, Optional, Protocol, Sequence, Tuple


class _Sentinel:
    """A unique marker with a readable name; compared by identity only."""

    __slots__ = ("_name",)

    def __init__(self, name: str):
        self._name = name

    def __repr__(self) -> str:
        return self._name


MISSING = _Sentinel("MISSING")
"""In a live-in: the name is not bound. In a live-out: the segment did not
assign the name, the frame keeps what it has."""

RETURN, BREAK, CONTINUE = -1, -2, -3
"""Statuses of a segment that left its statement list by that statement."""


class Unsupported(Exception):
    """Raised by a `SegmentCompiler`: `node` cannot be part of a graph.

    node:   the smallest statement or expression at fault; an object reachable
            from `SegmentRequest.statements` (not a copy of one).
    reason: one line for the user, without file and line.
    always: true when no other types of live-ins could make it capturable; the
            statement is then never offered again.
    """

    def __init__(self, node: ast.AST, reason: str, *, always: bool = False):
        super().__init__(reason)
        self.node = node
        self.reason = reason
        self.always = always


class GuardFailed(Exception):
    """Raised by a segment before it has any effect: something which the capture
    read besides the live-ins has changed. The segment is compiled anew."""

    def __init__(self, reason: str):
        super().__init__(reason)
        self.reason = reason


@dataclasses.dataclass(frozen=True)
class FunctionContext:
    """The function whose statements are captured.

    globals, closure: the function's own, live; `closure` maps a free variable to
        its cell. A free variable that is read is resolved there, as a global is.
        In a function nested in the rewritten one `closure` is empty: there the
        free variables are live-ins.
    cells: the function's variables that nested functions share. Their values are
        passed as live-ins; a segment that assigns one must not call code that
        reads or writes its cell (raise `Unsupported` for the call).
    declared: names declared global or nonlocal: never live-ins, may be live-outs.
    class_name: the class around the function; it mangles private names (`__x`).
    """

    name: str
    qualname: str
    filename: str
    firstlineno: int
    globals: Mapping[str, Any]
    closure: Mapping[str, CellType]
    cells: frozenset
    declared: frozenset
    class_name: Optional[str]


@dataclasses.dataclass(frozen=True)
class SegmentRequest:
    """What is to be compiled.

    statements: consecutive statements with the user's line numbers. Either the
        user's own nodes, or parts of one, in which calls were moved into
        temporaries (names that start with a dot) without a change of evaluation
        order; both kinds keep the user's expression nodes. They must not be
        changed.
    live_in, values: the names read before they are assigned, and what they hold
        now (`MISSING` when unbound). The types of these values, as told by
        `SegmentCompiler.key`, are constant over the life of the segment, which
        must not keep the values alive.
    live_out: names that the statements assign and the frame wants back.
    exits: the subset of {RETURN, BREAK, CONTINUE} that occurs; BREAK and CONTINUE
        are those of a loop outside the statements.
    """

    statements: Tuple[ast.stmt, ...]
    live_in: Tuple[str, ...]
    values: Tuple[Any, ...]
    live_out: Tuple[str, ...]
    exits: frozenset
    context: FunctionContext


class Segment(Protocol):
    """A compiled segment.

    operations:  how many tensor operations one run executes (an estimate where
                 control flow decides); 0 makes the segment be dropped, the
                 statements then run as Python.
    restartable: no effect is visible until the segment returns. An exception
                 then makes the statements run as Python instead, which raises
                 it where the user wrote it.
    """

    operations: int
    restartable: bool

    def __call__(self, values: Tuple[Any, ...]) -> Tuple[int, Any]:
        """Runs on the live-ins; returns (status, payload).

        status >= 0: that many statements are done, all of them normally. Fewer
            make the frame go on in Python with that statement: the way to raise
            (or to leave anything rare) is to stop before the statement, with no
            effect of it. payload: values aligned with `live_out`, `MISSING`
            where not assigned.
        RETURN: payload is the value returned.
        BREAK, CONTINUE: payload as for a status >= 0.
        Raises `GuardFailed` before any effect.
        """


class SegmentCompiler(Protocol):
    """Compiles lists of statements. Called under the function's lock."""

    def compile(self, request: SegmentRequest) -> Segment:
        """Returns the segment, or raises `Unsupported`."""

    def key(self, values: Sequence[Any]) -> Hashable:
        """The types of the live-ins: two lists of values with equal keys can be
        given to one segment. Must not keep the values alive and must not fail."""

    def callee(self, function: Callable) -> Callable:
        """What to call where the user calls `function` in a statement that runs
        as Python: the place to continue capturing inside a function whose call
        could not be captured. Returns `function` itself when in doubt."""
