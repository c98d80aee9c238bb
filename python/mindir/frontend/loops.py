"""Capture of `for` and `while`: unrolled while every iteration is decided by Python
values and there are few, else one `scf.for` or, when iterations may leave, `scf.while`."""

import ast

from ..tensor import Tensor
from . import operators as _o
from .errors import UserError
from .flow import Flow, NORMAL, without
from .loop import CountedLoop, Leaves, Loop, PeelNeeded
from .values import ScalarTracer

UNROLL = 16     # more equal iterations than this stay a loop


class RuntimeRange:
    """`range` with a bound that is known only when run."""

    def __init__(self, start, stop, step):
        self.start, self.stop, self.step = start, stop, step

    def length(self, session):
        """The number of its items, an int or a traced one; of an empty one any number below 1."""
        if type(self.start) is int and type(self.stop) is int:
            return len(range(self.start, self.stop, self.step))
        span = self.stop
        if type(self.start) is ScalarTracer or self.start != 0:
            span = _o.number_binary(session, _o.BINARY[ast.Sub], span, self.start)
        if self.step == 1:
            return span
        up = _o.number_binary(session, _o.BINARY[ast.Add], span, self.step - (1 if self.step > 0 else -1))
        return _o.number_binary(session, _o.BINARY[ast.FloorDiv], up, self.step)

    def goes_on(self, session, i):
        """A 0-d bool Value: whether `i` is an item, counted from the start."""
        i, stop = session.scalar(i), session.scalar(self.stop)
        return session.compare("lt" if self.step > 0 else "gt", session.local(i.ir), session.local(stop.ir))


class Loops:
    """The part of the interpreter that captures loops."""

    def visit_While(self, node):
        codes = (self.new_code(), self.new_code())
        self.frame.loops.append(codes)
        try:
            flow = self._while(node, codes, 0)
        finally:
            self.frame.loops.pop()
        return self._after_loop(node, flow, codes)

    def _while(self, node, codes, count):
        """Iterations that Python decides, then the rest as one loop."""
        while True:
            self.session.journal.push()
            try:
                known = self.test(node.test)
            finally:
                delta = self.session.journal.pop()
            if not isinstance(known, bool) or count >= UNROLL:
                return self._roll_while(node, codes, False)
            delta.apply_logged(self.session.journal)
            if not known:
                return NORMAL
            flow = self.block(node.body)
            done = self._iterated(flow, codes, lambda: self._while(node, codes, count + 1),
                                  lambda: self._roll_while(node, codes, False), node)
            if done is not None:
                return done
            count += 1

    def _iterated(self, flow, codes, go_on, roll, node):
        """The flow of a loop whose iteration had `flow` on some paths only; None when
        the next iteration simply follows."""
        s = self.session
        if not flow.exits:
            return None
        if not flow.normal and set(flow.exits) == {codes[1]}:
            return None
        flow = without(s, flow, {codes[1]})
        if not flow.normal or not flow.exits:
            return flow if not flow.normal else None
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
        return self.unless_left(flow, roll if endless else go_on)

    def _roll_while(self, node, codes, certain):
        constant = isinstance(node.test, ast.Constant) and bool(node.test.value)
        test = None if constant else lambda: self._condition(node.test)
        return self._roll(node, test, lambda: self.block(node.body), codes, certain or constant)

    def _condition(self, test):
        self.at(test)
        known = self.test(test)
        return self.session.constant(known, "bool") if isinstance(known, bool) else known

    def _roll(self, node, test, body, codes, certain, peeled=False):
        """The loop as `scf.while`, with an iteration before it if types need one."""
        s = self.session
        live = lambda name: self.frame.reads_outside(name, node)
        loop = Loop(s, self.branches(), test, body, codes, live, certain, peeled, self.frame.scope)
        s.journal.push()
        try:
            flow = loop.run()
        except PeelNeeded:
            s.journal.pop()
            return self._peel(node, test, body, codes, certain)
        except BaseException:
            s.journal.pop()
            raise
        s.journal.pop().apply_logged(s.journal)
        return flow

    def _peel(self, node, test, body, codes, certain):
        s = self.session

        def first():
            flow = body()
            done = self._iterated(flow, codes, lambda: self._roll(node, test, body, codes, False, True),
                                  lambda: self._roll(node, test, body, codes, False, True), node)
            return self._roll(node, test, body, codes, False, True) if done is None else done
        if test is None or certain:
            return first()
        return self.branches().run(test(), first, lambda: NORMAL)

    def _after_loop(self, node, flow, codes):
        """Turns a break into going on, after the else clause of the paths without one."""
        s = self.session
        if node.orelse:
            if not flow.exits:
                return self.block(node.orelse)
            if flow.normal:
                flow = self.unless_left(flow, lambda: self.block(node.orelse))
        if not flow.normal and set(flow.exits) == {codes[0]}:
            return NORMAL
        return without(s, flow, {codes[0], codes[1]})

    # -- for ----------------------------------------------------------------------------------

    def visit_For(self, node):
        iterable = self.visit(node.iter)
        codes = (self.new_code(), self.new_code())
        self.frame.loops.append(codes)
        try:
            flow = self._for(node, iterable, codes)
        finally:
            self.frame.loops.pop()
        return self._after_loop(node, flow, codes)

    def _for(self, node, iterable, codes):
        if type(iterable) is RuntimeRange:
            return self._roll_range(node, iterable, codes, False)
        if type(iterable) is range and len(iterable) > UNROLL:
            bounds = RuntimeRange(iterable.start, iterable.stop, iterable.step)
            return self._roll_range(node, bounds, codes, True)
        if isinstance(iterable, Tensor) and iterable.shape:
            rows = self.session.dim(iterable, 0)
            if type(rows) is ScalarTracer or rows > UNROLL:
                return self._roll_range(node, RuntimeRange(0, rows, 1), codes, type(rows) is int, iterable)
        return self._unroll(node, self.iterate(iterable), codes)

    def _unroll(self, node, items, codes):
        for i, item in enumerate(items):
            self.assign(node.target, item)
            flow = self.block(node.body)
            go_on = lambda: self._unroll(node, items[i + 1:], codes)
            done = self._iterated(flow, codes, go_on, go_on, node)
            if done is not None:
                return done
        return NORMAL

    def _roll_range(self, node, bounds, codes, certain, rows=None, peeled=False):
        """`for target in range(...)`, or over the rows of a tensor, as a loop."""
        s = self.session
        if type(bounds.step) is ScalarTracer:
            bounds.step = s.concretize(bounds.step)
        if bounds.step == 0:
            raise UserError(ValueError("range() arg 3 must not be zero"))
        mark, operations, code = s.mark(), s.operations, self.codes
        s.journal.push()
        try:
            flow = self._counted(node, bounds, codes, certain, rows, peeled).run()
        except (Leaves, PeelNeeded) as why:
            s.unwind(mark)
            s.operations, self.codes = operations, code
            roll = self._asking if isinstance(why, Leaves) else self._first_apart
            return roll(node, bounds, codes, certain, rows)
        except BaseException:
            s.unwind(mark)
            raise
        s.journal.pop().apply_logged(s.journal)
        return flow

    def _counted(self, node, bounds, codes, certain, rows, peeled):
        """The loop with its number of iterations as bound."""
        s = self.session
        add, multiply = _o.BINARY[ast.Add], _o.BINARY[ast.Mult]

        def count():
            length = bounds.length(s)
            if type(length) is int:
                return s.constant(length, ("index", None))
            word = s.one("tensor.extract", [s.local(length.ir)], result_types=[("int64", None)])
            return s.one("arith.index_cast", [word], result_types=[("index", None)])

        def body(number):
            i = ScalarTracer("int", s.here(number))
            if bounds.step != 1:
                i = _o.number_binary(s, multiply, i, bounds.step)
            if type(bounds.start) is ScalarTracer or bounds.start != 0:
                i = _o.number_binary(s, add, i, bounds.start)
            self._bind_iteration(node, i, rows)
            return self.block(node.body)
        live = lambda name: self.frame.reads_outside(name, node)
        return CountedLoop(s, self.branches(), count, body, codes, live, certain, peeled, self.frame.scope)

    def _bind_iteration(self, node, i, rows):
        self.assign(node.target, i if rows is None else self.subscript(rows, i))

    def _first_apart(self, node, bounds, codes, certain, rows):
        """The first iteration, which changes what kind of thing is carried, then the rest."""
        rest = RuntimeRange(_o.binary(self.session, _o.BINARY[ast.Add], bounds.start, bounds.step),
                            bounds.stop, bounds.step)

        def go_on():
            return self._roll_range(node, rest, codes, certain and rest.length(self.session) > 0, rows, True)

        def first():
            self._bind_iteration(node, bounds.start, rows)
            done = self._iterated(self.block(node.body), codes, go_on, go_on, node)
            return go_on() if done is None else done
        if certain:
            return first()
        return self.branches().run(bounds.goes_on(self.session, bounds.start), first, lambda: NORMAL)

    def _asking(self, node, bounds, codes, certain, rows):
        """The loop that asks before each iteration whether it goes on."""
        s = self.session
        counter = s.journal.note({"i": bounds.start})

        def test():
            return bounds.goes_on(s, counter["i"])

        def body():
            i = counter["i"]
            s.journal.touch(counter)
            counter["i"] = _o.number_binary(s, _o.BINARY[ast.Add], s.scalar(i), bounds.step)
            self._bind_iteration(node, i, rows)
            return self.block(node.body)
        return self._roll(node, test, body, codes, certain)
