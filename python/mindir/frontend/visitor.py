"""The interpreter of captured code: one `ast.NodeVisitor` over the user's tree that
runs it on captured values. Its parts are in `statements`, `expressions`, `calls`,
`private` and `loops`; here are frames, locations and the conversion of errors."""

import ast
import contextlib

from . import outline as _outline
from .calls import Calls
from .errors import Refused, Unsupported, UserError
from .expressions import Expressions
from .flow import Branches, Flow
from .loops import Loops
from .private import PrivateCalls
from .reader import Reader
from .statements import Statements


_DEEPEST_LOCATION = 8


class Interpreter(Statements, Expressions, Calls, PrivateCalls, Loops, ast.NodeVisitor):
    """Runs captured code for one `Session`.

    `frame` is the innermost activation, `frames` the stack of them; `reader`
    reads what is outside of the call; `raised_at` is the node of the outermost
    frame at which the call certainly raises.
    """

    def __init__(self, session):
        self.session = session
        session.interpreter = self
        self.reader = Reader(session)
        self.frame, self.frames = None, []
        self.codes, self.raised_at = 0, None
        self.privates = {}          # (function, form of the arguments) -> [Private], None: captured in line
        session.gradient_handler = lambda *call: _outline.gradient(self, *call)
        session.pending = lambda: any(f.pending for f in self.frames)

    def new_code(self):
        """A status code that no other exit has."""
        self.codes += 1
        return self.codes

    def branches(self):
        """What joins two paths inside the present frame."""
        scope = self.frame.scope
        return Branches(self.session, lambda obj: obj is scope, self)

    # -- frames --------------------------------------------------------------------

    def enter(self, frame):
        """Makes a frame the innermost; returns the one before."""
        outer = self.frame
        frame.current = frame.node
        frame.chain = list(self.session.location or ())[:_DEEPEST_LOCATION] if outer is not None else []
        self.frame = frame
        self.frames.append(frame)
        return outer

    def leave(self, outer):
        self.frames.pop()
        self.frame = outer
        if outer is not None:
            self.at(outer.current)

    def at(self, node):
        """Says that `node` is captured now: ops and errors get its place."""
        if hasattr(node, "lineno"):
            self.frame.current = node
            frame = self.frame
            here = (frame.filename, node.lineno, node.col_offset, frame.name)
            self.session.location = [here] + frame.chain

    def visit(self, node):
        """Captures a node."""
        if hasattr(node, "lineno"):
            self.at(node)
        try:
            return self.opened(super().visit(node))
        except RecursionError as e:
            raise Refused("an expression too deep for capture") from e

    def mangled(self, name):
        """An attribute name as the class around the code mangles it."""
        frame = self.frame
        while frame.parent is not None:
            frame = frame.parent
        cls = getattr(frame, "class_name", None)
        if cls and name.startswith("__") and not name.endswith("__"):
            return f"_{cls.lstrip('_')}{name}"
        return name

    @contextlib.contextmanager
    def own_raises(self):
        """Keeps the raises of calls apart from those of the statement around: the
        list that it gives then holds their flows."""
        held, self.frame.pending[:] = list(self.frame.pending), []
        raised = []
        try:
            yield raised
            raised += self.frame.pending
        finally:
            self.frame.pending[:] = held

    def raise_as(self, raised, values):
        """A call of a function which raised as the flows say raises in the present
        statement. values: builder Values of their status."""
        for flow, value in zip(raised, values):
            self.add_pending(Flow(flow.normal, dict(flow.exits), self.session.here(value)))

    # -- the whole --------------------------------------------------------------------

    def run_root(self, frame, body, then=lambda flow: flow):
        """Captures statements in `frame`; `Unsupported` names the node at fault."""
        self.enter(frame)
        try:
            return then(self.block(body))
        except UserError:
            self.raised_at = frame.current
            raise
        except Refused as e:
            node = frame.current if hasattr(frame.current, "lineno") else body[0]
            place = f" (in {e.place})" if hasattr(e, "place") else ""
            raise Unsupported(node, f"{e}{place}") from e
        finally:
            self.frames.pop()
            self.frame = None
