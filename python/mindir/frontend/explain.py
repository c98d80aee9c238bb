"""What happened under `jit`: the compiled segments, what ran as Python and why,
guard failures, recompilations, and how many tensor operations ran inside and
outside of segments."""

from __future__ import annotations

import contextlib
import dataclasses
import threading
from typing import Dict, Iterator, List, Optional, Tuple


@dataclasses.dataclass(frozen=True)
class Place:
    """A line of the user's."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return "%s:%d (%s)" % (self.filename, self.line, self.function)


@dataclasses.dataclass
class SegmentRecord:
    """One compiled segment: its first place and last line, and the tensor
    operations of one run."""

    place: Place
    last_line: int
    operations: int


@dataclasses.dataclass
class Event:
    """A fallback, guard failure or recompilation, with how often it was seen."""

    place: Place
    reason: str
    count: int = 0


class _Counts:
    """The counters of one thread; only that thread writes them."""

    __slots__ = ("inside", "outside", "runs")

    def __init__(self) -> None:
        self.inside = self.outside = self.runs = 0


class Report:
    """Collects what `explain` tells. All methods may be called from any thread;
    the counting ones take no lock."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._local = threading.local()
        self._counts: List[_Counts] = []
        self._segments: List[SegmentRecord] = []
        self._events: Dict[str, Dict[Tuple[Place, str], Event]] = {}
        if _collected is not None:
            _collected.append(self)

    # --- recording

    def segment_compiled(self, place: Place, last_line: int, operations: int) -> None:
        """A segment was compiled."""
        with self._lock:
            self._segments.append(SegmentRecord(place, last_line, operations))

    def segment_run(self, operations: int) -> None:
        """A segment ran that many tensor operations."""
        counts = self._mine()
        counts.inside += operations
        counts.runs += 1

    def operation_outside(self, count: int = 1) -> None:
        """Tensor operations ran eagerly, in a function that is under jit."""
        self._mine().outside += count

    def fallback(self, place: Place, reason: str) -> None:
        """A statement was found that runs as Python. Counted once for each set
        of types with which it was tried."""
        self._event("fallback", place, reason)

    def guard_failure(self, place: Place, reason: str) -> None:
        """A segment refused to run because what it was compiled for changed."""
        self._event("guard failure", place, reason)

    def recompilation(self, place: Place, reason: str) -> None:
        """Statements that had a segment were compiled again."""
        self._event("recompilation", place, reason)

    def _event(self, kind: str, place: Place, reason: str) -> None:
        with self._lock:
            event = self._events.setdefault(kind, {}).setdefault(
                (place, reason), Event(place, reason))
            event.count += 1

    def _mine(self) -> _Counts:
        try:
            return self._local.counts
        except AttributeError:
            counts = self._local.counts = _Counts()
            with self._lock:
                self._counts.append(counts)
            return counts

    # --- reading

    @property
    def segments(self) -> List[SegmentRecord]:
        """The compiled segments, oldest first."""
        with self._lock:
            return list(self._segments)

    def events(self, kind: str) -> List[Event]:
        """kind: "fallback", "guard failure" or "recompilation"."""
        with self._lock:
            return [dataclasses.replace(e) for e in self._events.get(kind, {}).values()]

    @property
    def fallbacks(self) -> List[Event]:
        """Statements that ran as Python, each with its reason."""
        return self.events("fallback")

    @property
    def operations_inside(self) -> int:
        """Tensor operations executed in segments."""
        with self._lock:
            return sum(c.inside for c in self._counts)

    @property
    def operations_outside(self) -> int:
        """Tensor operations executed eagerly by functions under jit."""
        with self._lock:
            return sum(c.outside for c in self._counts)

    @property
    def segment_runs(self) -> int:
        """How often a segment was run."""
        with self._lock:
            return sum(c.runs for c in self._counts)

    @property
    def coverage(self) -> float:
        """The share of tensor operations executed under jit that lie in compiled
        segments; 1.0 when there was none."""
        inside, outside = self.operations_inside, self.operations_outside
        return inside / (inside + outside) if inside + outside else 1.0

    def text(self) -> str:
        """The report for a person."""
        inside, outside = self.operations_inside, self.operations_outside
        lines = ["%d of %d tensor operations (%.1f %%) ran in compiled segments, in %d runs"
                 % (inside, inside + outside, 100 * self.coverage, self.segment_runs)]
        for s in self.segments:
            lines.append("segment        %s to line %d: %d operations"
                         % (s.place, s.last_line, s.operations))
        for kind in ("fallback", "guard failure", "recompilation"):
            for e in self.events(kind):
                lines.append("%-14s %s: %s%s" % (kind, e.place, e.reason,
                                                 " (%d times)" % e.count if e.count > 1 else ""))
        return "\n".join(lines)

    __str__ = text


_collected: Optional[List[Report]] = None


def collect() -> List[Report]:
    """Keeps every report made from now on, also of functions that are gone; returns
    the list they are added to."""
    global _collected
    if _collected is None:
        _collected = []
    return _collected


def summary(reports: List[Report]) -> str:
    """Several reports for a person: each that tells something, then their sum."""
    told = [r.text() for r in reports if r.segment_runs or r.operations_outside or r.fallbacks]
    inside = sum(r.operations_inside for r in reports)
    total = inside + sum(r.operations_outside for r in reports)
    return "\n".join([*told, "all of %d jitted functions: %d of %d tensor operations (%.1f %%) ran in compiled segments"
                      % (len(told), inside, total, 100 * inside / total if total else 100)])


_active = threading.local()

counting = 0
"""How many calls of jitted functions run as residual Python now, in any thread;
while it is 0, `operation_executed` need not be called."""

_counting_lock = threading.Lock()


def _count(change: int) -> None:
    global counting
    with _counting_lock:
        counting += change


@contextlib.contextmanager
def under_jit(report: Report) -> Iterator[Report]:
    """While this is entered, `operation_executed` of this thread counts for
    `report`. Entered by the call of a jitted function; nests."""
    outer = getattr(_active, "report", None)
    _active.report = report
    _count(1)
    try:
        yield report
    finally:
        _count(-1)
        _active.report = outer


def active_report() -> Optional[Report]:
    """The report of the jitted function that this thread is in, or None."""
    return getattr(_active, "report", None)


def operation_executed(count: int = 1) -> None:
    """Called by the eager dispatch for each tensor operation."""
    report = getattr(_active, "report", None)
    if report is not None:
        report.operation_outside(count)
