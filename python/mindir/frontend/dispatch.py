"""Decides, when a residual function reaches a site, which segment runs there:
looks one up by the types of the live values, else has one compiled, cutting
before the first statement that the compiler refuses."""

from __future__ import annotations

import ast
import dataclasses
import threading
import weakref
from typing import Any, Callable, Dict, FrozenSet, Hashable, List, Mapping, Optional, Tuple

from . import plan
from .explain import Place, Report
from .pieces import has_work
from .segment import (MISSING, FunctionContext, GuardFailed, Segment, SegmentCompiler,
                      SegmentRequest, Unsupported)

MAX_ENTRIES = 128
"""Sets of types that one site is compiled for; others run as Python."""

MAX_GUARD_FAILURES = 16
"""Recompilations of one entry for changed guards before it stays Python."""

REWRITE_AFTER = 64
"""Vain attempts at sites that can never start a segment, and segments that end
before a statement that is always Python's, until the residual function is written
anew with those statements taken out of the runs."""


@dataclasses.dataclass
class Entry:
    """What a site does for one set of types: a segment over the statements, the
    last of which are [start, ends[-1]); or nothing when `segment` is None.

    select: positions of the segment's live-ins in the site's; None for all.
    scatter: for each name of a partial result, its position in the live-outs.
    full: the status that means that the whole run is done; None when the segment
        ends before. scatter_end: like scatter, for the full result; None: equal.
    blocked: it ends there because the next statement is always Python's.
    """

    segment: Optional[Segment] = None
    select: Optional[Tuple[int, ...]] = None
    ends: Tuple[int, ...] = ()
    scatter: Tuple[Optional[int], ...] = ()
    full: Optional[int] = None
    scatter_end: Optional[Tuple[int, ...]] = None
    blocked: bool = False
    failures: int = 0


class SiteState:
    """A site with its entries."""

    __slots__ = ("site", "entries", "never", "vain")

    def __init__(self, site: plan.Site):
        self.site = site
        self.entries: Dict[Hashable, Entry] = {}
        self.never = False
        self.vain = (site.index, None)  # the answer "no segment here"


class Shared:
    """What the versions of one residual function have in common."""

    def __init__(self, compiler: SegmentCompiler, report: Report,
                 globals: Mapping[str, Any], closure: Mapping[str, Any],
                 filename: str, class_name: Optional[str]):
        self.compiler = compiler
        self.report = report
        self.globals = globals
        self.closure = closure
        self.filename = filename
        self.class_name = class_name
        self.lock = threading.RLock()
        self.segments: Dict[Tuple[int, int, Hashable], Segment] = {}
        self.never: FrozenSet[int] = frozenset()
        self.rewrite: Optional[Callable[[], None]] = None


class Dispatcher:
    """The object that the residual code calls; one for each version of it."""

    missing = MISSING
    belongs_to_residual_code = True

    def __init__(self, table: plan.Table, shared: Shared):
        self.locals = locals
        self.callees = type("Callees", (), {"__getitem__": staticmethod(shared.compiler.callee),
                                            "belongs_to_residual_code": True})()
        self._table = table
        self._shared = shared
        self._key = shared.compiler.key
        self._count = shared.report.segment_run
        self._sites = {i: SiteState(s) for i, s in table.sites.items()}
        self._wishes = 0

    def run(self, index: int, values: Tuple[Any, ...]) -> Tuple[int, Any]:
        """Runs the segment for these values at site `index`, if there is one.

        Returns (n, o): the pieces [index, n) are done and `o` holds what they
        assigned, laid out as the site's `Run` says; or n is an exit status.
        """
        state = self._sites[index]
        if state.never:
            return self._vain(state)
        entry = state.entries.get(self._key(values))
        if entry is None:
            entry = self._new_entry(state, values)
        segment = entry.segment
        if segment is None:
            return state.vain
        select = entry.select
        try:
            status, payload = segment(
                values if select is None else tuple([values[i] for i in select]))
        except GuardFailed as failure:
            self._guard_failed(state, entry, values, failure)
            return self.run(index, values)
        except Exception as error:
            if not segment.restartable:
                raise
            self._shared.report.fallback(self._place(index), "%s in the segment: %s"
                                         % (type(error).__name__, error))
            return state.vain
        self._count(segment.operations)
        if status == entry.full:
            order = entry.scatter_end
            return entry.ends[-1], payload if order is None else tuple([payload[i] for i in order])
        if entry.blocked:
            self._wish_to_rewrite()
        return self._partial(state, entry, status, payload)

    def run_in_frame(self, index: int, frame: Mapping[str, Any]) -> Tuple[int, Any]:
        """`run` with the values taken from the frame's names, if bound."""
        state = self._sites[index]
        if state.never:
            return self._vain(state)
        return self.run(index, tuple([frame.get(n, MISSING) for n in state.site.live_in]))

    def _partial(self, state: SiteState, entry: Entry, status: int, payload: Any):
        if status == plan.RETURN:
            return status, payload
        if status == 0:
            return state.vain
        laid_out = tuple([MISSING if i is None else payload[i] for i in entry.scatter])
        return (entry.ends[status - 1] if status > 0 else status), laid_out

    def _vain(self, state: SiteState) -> Tuple[int, Any]:
        self._wish_to_rewrite()
        return state.vain

    def _wish_to_rewrite(self) -> None:
        self._wishes += 1
        if self._wishes == REWRITE_AFTER and self._shared.rewrite is not None:
            with self._shared.lock:
                self._shared.rewrite()

    # --- compiling

    def _new_entry(self, state: SiteState, values: Tuple[Any, ...]) -> Entry:
        with self._shared.lock:
            key = self._key(values)
            entry = state.entries.get(key)
            if entry is None:
                if len(state.entries) >= MAX_ENTRIES:
                    self._shared.report.fallback(
                        self._place(state.site.index),
                        "compiled for %d sets of types already" % MAX_ENTRIES)
                    return Entry()
                if any(e.segment is not None for e in state.entries.values()):
                    self._shared.report.recompilation(self._place(state.site.index), "new types")
                entry = state.entries[key] = self._compile(state, values)
            return entry

    def _compile(self, state: SiteState, values: Tuple[Any, ...]) -> Entry:
        site = state.site
        end, always = site.run.end, True
        while self._worthwhile(site.index, end):
            request, ends, select = self._request(site, end, values)
            try:
                segment = self._segment(site.index, end, request)
            except Unsupported as refusal:
                end, always = self._cut(site, end, refusal), always and refusal.always
            except Exception as error:  # the user's error, or ours: Python will tell
                refusal = Unsupported(getattr(error, "node", None),
                                      "%s: %s" % (type(error).__name__, error))
                end, always = self._cut(site, end, refusal), False
            else:
                if segment.operations:
                    return self._entry(site, segment, request, ends, select)
                return Entry()
        if always:
            self._never(state)
        return Entry()

    def _segment(self, start: int, end: int, request: SegmentRequest) -> Segment:
        key = (start, end, self._key(request.values))
        segment = self._shared.segments.get(key)
        if segment is None:
            segment = self._shared.segments[key] = self._shared.compiler.compile(request)
            if segment.operations:
                self._shared.report.segment_compiled(
                    self._place(start), request.statements[-1].end_lineno, segment.operations)
        return segment

    def _cut(self, site: plan.Site, end: int, refusal: Unsupported) -> int:
        """Where the segment must end: before the piece that was refused."""
        index = self._table.piece_of(refusal.node, site.index, end)
        line = getattr(refusal.node, "lineno", None)
        if index is None:
            index = site.index
        place = self._place(index)
        if line is not None:
            place = dataclasses.replace(place, line=line)
        self._shared.report.fallback(place, refusal.reason)
        if refusal.always and refusal.node is not None:
            self._shared.never |= {index}
        return index

    def _worthwhile(self, start: int, end: int) -> bool:
        return any(has_work(p.node) for p in self._table.pieces[start:end])

    def _never(self, state: SiteState) -> None:
        state.never = True
        self._shared.never |= {state.site.index}

    def _request(self, site: plan.Site, end: int, values: Tuple[Any, ...]):
        members = self._table.pieces[site.index:end]
        statements, ends = _statements(members)
        names = plan.live_in(members, members[0].bound)
        position = {n: i for i, n in enumerate(site.live_in)}
        select = tuple(position[n] for n in names)
        parts = {s for s in statements if isinstance(s, ast.stmt)}
        outs: Dict[str, None] = {}
        for p in members:
            for n in p.outs:
                if not n.startswith(".") or p.node in parts:
                    outs[n] = None
        owner = members[0].owner
        request = SegmentRequest(
            statements, names, tuple(values[i] for i in select), tuple(outs),
            frozenset(e for p in members for e in p.exits), self._context(owner))
        identity = select == tuple(range(len(values)))
        return request, ends, None if identity else select

    def _context(self, owner: plan.Owner) -> FunctionContext:
        hidden = owner.scope.free | owner.scope.local
        return FunctionContext(
            owner.node.name, owner.qualname, self._shared.filename, owner.node.lineno,
            self._shared.globals,
            {n: c for n, c in self._shared.closure.items() if n not in hidden},
            owner.scope.cells, owner.scope.declared, self._shared.class_name)

    def _entry(self, site: plan.Site, segment: Segment, request: SegmentRequest,
               ends: Tuple[int, ...], select) -> Entry:
        run = site.run
        position = {n: i for i, n in enumerate(request.live_out)}
        scatter = tuple(position.get(n) for n in run.names)
        full = scatter_end = None
        if site.index == run.start and ends[-1] == run.end:
            full = len(ends)
            if request.live_out != run.end_names:
                scatter_end = tuple(position[n] for n in run.end_names)
        return Entry(segment, select, ends, scatter, full, scatter_end,
                     blocked=ends[-1] in self._shared.never)

    # --- guards

    def _guard_failed(self, state, entry: Entry, values, failure: GuardFailed) -> None:
        index = state.site.index
        report = self._shared.report
        report.guard_failure(self._place(index), failure.reason)
        with self._shared.lock:
            key = self._key(values)
            if state.entries.get(key) is not entry:
                return  # another thread was here
            for stored in [k for k, s in self._shared.segments.items() if s is entry.segment]:
                del self._shared.segments[stored]
            if entry.failures >= MAX_GUARD_FAILURES:
                report.fallback(self._place(index), "its guards fail at every call: "
                                + failure.reason)
                state.entries[key] = Entry()
                return
            report.recompilation(self._place(index), failure.reason)
            new = self._compile(state, values)
            new.failures = entry.failures + 1
            state.entries[key] = new

    def _place(self, index: int) -> Place:
        p = self._table.pieces[index]
        return Place(self._shared.filename, p.line, p.owner.qualname)


def _statements(members: List[plan.Piece]) -> Tuple[Tuple[ast.stmt, ...], Tuple[int, ...]]:
    """The members as few statements: the user's own where all of its pieces are
    there. Also, for each statement, the index of the piece after it."""
    statements: List[ast.stmt] = []
    ends: List[int] = []
    i = 0
    while i < len(members):
        whole = next((j for j in range(i, len(members)) if members[j].last), None)
        if members[i].first and whole is not None:
            statements.append(members[i].statement)
            i = whole + 1
        else:
            statements.append(members[i].node)
            i += 1
        ends.append(members[i - 1].index + 1)
    return tuple(statements), tuple(ends)


def weak_rewriter(target: Any, method: str) -> Callable[[], None]:
    """Calls `target.method()` as long as `target` lives."""
    reference = weakref.ref(target)

    def rewrite() -> None:
        alive = reference()
        if alive is not None:
            getattr(alive, method)()
    return rewrite
