"""The plan of a residual function: its pieces, the sites at which a segment may
start, and for each site what goes in and comes out. Tables only; `emit` writes
the Python around them and `dispatch` fills them with segments."""

from __future__ import annotations

import ast
import dataclasses
from typing import Dict, FrozenSet, List, Optional, Tuple

from . import pieces, scopes
from .segment import BREAK, CONTINUE, RETURN

_EXIT_STATUS = {ast.Return: RETURN, ast.Break: BREAK, ast.Continue: CONTINUE}


@dataclasses.dataclass
class Owner:
    """The function, rewritten or nested in a rewritten one, that a piece is in."""

    node: ast.FunctionDef
    qualname: str
    scope: scopes.Scope
    nested: bool


@dataclasses.dataclass
class Piece:
    """A statement or a part of one: the unit at which segments begin and end.

    index: position in the plan's list; the pieces of one block are consecutive.
    node: what Python executes; statement: the user's statement it is (part) of.
    first, last: whether it opens, closes that statement.
    temporaries: those of the whole statement; outs: names that it assigns.
    parent: index of the compound piece whose block it is in, or None.
    capturable: false when no compiler is ever asked.
    """

    index: int
    owner: Owner
    node: ast.stmt
    statement: ast.stmt
    first: bool
    last: bool
    temporaries: Tuple[str, ...]
    bound: FrozenSet[str]
    reads: FrozenSet[str]
    outs: Tuple[str, ...]
    exits: FrozenSet[int]
    parent: Optional[int]
    capturable: bool
    line: int


@dataclasses.dataclass
class Run:
    """Consecutive capturable pieces [start, end) that one segment may cover.

    names: what the pieces assign, in the order in which a partial result is laid
        out; end_names: what is alive after the run, the layout of a full result.
    """

    start: int
    end: int
    names: Tuple[str, ...]
    end_names: Tuple[str, ...]


@dataclasses.dataclass
class Site:
    """A piece at which a segment may start, and the names that it may read.
    direct: all of them are certainly bound there."""

    index: int
    run: Run
    live_in: Tuple[str, ...]
    direct: bool


def must_be_python(s: ast.stmt) -> bool:
    """Whether `s` is left to Python without asking the compiler of segments."""
    if isinstance(s, ast.Raise) or (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)):
        return True
    return scopes.facts(s).python_only


class Table:
    """The pieces and sites of one version of a residual function."""

    def __init__(self, cuts: FrozenSet[int] = frozenset()):
        """cuts: indices of pieces that are known never to be captured."""
        self.cuts = cuts
        self.pieces: List[Piece] = []
        self.sites: Dict[int, Site] = {}
        self._piece_of: Dict[int, int] = {}

    def add_block(self, statements: List[ast.stmt], bound: FrozenSet[str], owner: Owner,
                  splitter: pieces.Splitter, parent: Optional[int]) -> List[Piece]:
        """Splits the statements of a block; returns its pieces in order."""
        start = len(self.pieces)
        for s in statements:
            parts, temporaries = splitter.split(s, bound)
            python = must_be_python(s)
            for i, part in enumerate(parts):
                self._add(part, s, i == 0, i == len(parts) - 1, tuple(temporaries), bound, owner,
                          parent, capturable=not (python and must_be_python(part)))
                bound = scopes.bind(part, bound)
            bound = bound - set(temporaries)
        return self.pieces[start:]

    def _add(self, part, statement, first, last, temporaries, bound, owner, parent,
             capturable):
        index = len(self.pieces)
        known = scopes.facts(part)
        self.pieces.append(Piece(
            index, owner, part, statement, first, last, temporaries, bound,
            frozenset(known.reads),
            tuple(sorted(known.assigned)),
            frozenset(_EXIT_STATUS[e] for e in known.exits), parent,
            capturable, pieces.first_line(part)))
        self._map(part, index)

    def _map(self, node: ast.AST, index: int) -> None:
        # The statements of a block are pieces themselves, added later.
        self._piece_of[id(node)] = index
        if hasattr(node, "origin"):
            self._piece_of[id(node.origin)] = index
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.stmt):
                self._map(child, index)

    def piece_of(self, node: Optional[ast.AST], start: int, end: int) -> Optional[int]:
        """The piece among [start, end) that holds `node`, or None. A user's
        expression that was split is held by the piece that finishes it."""
        index = self._piece_of.get(id(node))
        while index is not None and not start <= index < end:
            index = self.pieces[index].parent
        return index

    def runs(self, block: List[Piece]) -> List[object]:
        """`block` as a list of `Run`s and, between them, `Piece`s for Python."""
        out: List[object] = []
        current: List[Piece] = []
        for p in block + [None]:
            if p is not None and p.capturable and p.index not in self.cuts:
                current.append(p)
                continue
            while current and _trivial(current[0]):
                out.append(current.pop(0))
            if current:
                out.append(self._run(current, block))
            current = []
            if p is not None:
                out.append(p)
        return out

    def _run(self, members: List[Piece], block: List[Piece]) -> Run:
        start, end = members[0].index, members[-1].index + 1
        later = [p for p in block if p.index >= end]
        run = Run(start, end, _outs(members, None), _outs(members, later))
        for p in members:
            self._site(p, members[p.index - start:], run)
        return run

    def _site(self, first: Piece, rest: List[Piece], run: Run) -> None:
        names = live_in(rest, first.bound)
        direct = all(n in first.bound for n in names)
        self.sites[first.index] = Site(first.index, run, names, direct)


def _trivial(p: Piece) -> bool:
    """Nothing a segment should begin with: no operation and no way out."""
    return not pieces.has_work(p.node) and not isinstance(
        p.node, (ast.If, ast.While, ast.For, ast.With, ast.Try, ast.Match))


def _outs(members: List[Piece], later: Optional[List[Piece]]) -> Tuple[str, ...]:
    """Names that the members assign; of the temporaries, when `later` is given,
    only those that it reads."""
    wanted = None if later is None else {n for p in later for n in p.reads}
    out = {n: None for p in members for n in p.outs
           if not n.startswith(".") or wanted is None or n in wanted}
    return tuple(out)


def live_in(members: List[Piece], bound: FrozenSet[str]) -> Tuple[str, ...]:
    """Names of the frame that the members read before they surely assign them,
    and, so that they keep their value, those that they assign only maybe."""
    scope = members[0].owner.scope
    candidates = scope.local | scope.free
    done: FrozenSet[str] = frozenset()
    out: Dict[str, None] = {}
    for p in members:
        maybe = set(p.outs) - scopes.gain(p.node)
        for n in sorted((p.reads | maybe) - done):
            if n in candidates or (n.startswith(".") and n in bound):
                out[n] = None
        done = scopes.bind(p.node, done)
    return tuple(out)
