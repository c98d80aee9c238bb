"""Loops that stay loops: `scf.while`, or `scf.for` where the number of iterations is
known before and none leaves, with what the body changes as carried values.

The body is captured with a guess of what is carried, and again with wider specs
until what it hands to the next iteration fits; specs only widen, so this ends.
Breaks and returns are a carried status with their values.
"""

from . import join as _j
from .errors import Refused, UserError
from .flow import Branches, Exit, Flow, Slots, leave, replace_status, without
from .journal import cells
from .values import IR, Poison, Storage, TensorTracer, UNSET

_ATTEMPTS = 12


class PeelNeeded(Exception):
    """Capture one iteration before the loop: it changes what kind of thing is carried."""


class Leaves(Exception):
    """An iteration of a counted loop may leave it: the loop has to ask before each."""


class Place:
    """A part of an object that the loop carries, and the spec of what it holds."""

    def __init__(self, obj, name, spec, entry):
        self.obj, self.name, self.spec, self.entry = obj, name, spec, entry


def read_cell(session, obj, name):
    """What a part of an object holds, storages as tensors; UNSET when it is absent."""
    if type(obj) is Storage:
        return TensorTracer(session, obj)
    return cells(obj).get(name, UNSET)


def write_cell(session, obj, name, value):
    """Puts a value there; UNSET removes the part."""
    session.journal.touch(obj)
    if type(obj) is Storage:
        obj.ir = value.ir
    elif value is UNSET:
        obj.pop(name, None)
    else:
        obj[name] = value


class Loop:
    """One loop to capture.

    test: gives a 0-d bool Value, or None for a condition that always holds.
    body: captures one iteration, gives its `Flow`.
    live_after(name): whether code outside the loop reads the variable.
    certain: whether the first iteration certainly runs.
    peeled: whether an iteration stands before the loop already.
    """

    def __init__(self, session, branches, test, body, codes, live_after, certain, peeled, scope):
        self.session, self.branches, self.test, self.body = session, branches, test, body
        self.break_code, self.continue_code = codes
        self.live_after, self.certain, self.peeled, self.scope = live_after, certain, peeled, scope
        self.places, self.exits, self.has_status = {}, {}, False

    def run(self):
        """Captures the loop; returns its flow, in which a break is still an exit."""
        for _ in range(_ATTEMPTS):
            before, codes = self.session.operations, self.branches.codes
            regions = self._attempt()
            if regions is not None:
                return self._finish(regions)
            # The next attempt gives its exits the same codes.
            self.session.operations, self.branches.codes = before, codes
        raise Refused("a loop whose carried values do not settle")

    # -- one attempt ---------------------------------------------------------------

    def _types(self):
        carried = [t for p in self.places.values() for t in _j.types(p.spec)]
        payload = [t for _, spec in self.exits.values() for t in _j.types(spec)]
        return carried + payload + ([("int32", ())] if self.has_status else [])

    def _attempt(self):
        before = self._before()
        return before and self._after(before)

    def _enter(self, first=()):
        """Opens a region on the carried values; gives (payload Values, status Value).

        first: types of arguments before those, whose Values become `self.first`.
        """
        s = self.session
        arguments = s.begin_region(list(first) + self._types())
        s.journal.push()
        self.first, values = arguments[:len(first)], iter(arguments[len(first):])
        for p in self.places.values():
            write_cell(s, p.obj, p.name, _j.build(s, p.spec, values))
        rest = list(values)
        return (rest[:-1], rest[-1]) if self.has_status else (rest, None)

    def _carried(self, delta):
        """The leaves of the carried places at the end of a region."""
        s = self.session
        delta.apply()
        values = [x for p in self.places.values()
                  for x in _j.leaves(s, p.spec, read_cell(s, p.obj, p.name))]
        delta.undo()
        return values

    def _before(self):
        s = self.session
        payload, status = self._enter()
        condition = self._condition(status)
        delta = s.journal.pop()
        if self._widen(delta):
            s.abandon_region()
            return None
        operands = [s.i1(condition)] + self._carried(delta) + payload
        return s.end_region("scf.condition", operands + ([status] if status is not None else []))

    def _condition(self, status):
        s = self.session
        if status is None:
            return self.test() if self.test else s.constant(True, "bool")
        going = s.compare("eq", status, s.status(0))
        if self.test is None:
            return going
        holder = s.journal.note({"go": None})

        def ask():
            holder["go"] = s.tracer(self.test())
            return Flow()

        def stop():
            holder["go"] = s.tracer(s.constant(False, "bool"))
            return Flow()
        # The holder is older than the branches, so that they hand its value on.
        self.branches.run(going, _touching(s, holder, ask), _touching(s, holder, stop))
        return s.local(holder["go"].ir)

    def _after(self, before):
        s = self.session
        payload, _ = self._enter()
        try:
            flow = self.body()
        except UserError as e:
            flow = leave(Exit(self.branches.new_code(), "raise", e.error))
        except BaseException:
            s.journal.pop()
            raise
        flow = self._to_next_iteration(flow)
        delta = s.journal.pop()
        grown, bad = self._widen(delta), None
        if not self.peeled:
            bad = next((p for p in self.places.values() if self._conflict(p)), None)
        if bad is not None or self._widen_exits(flow) or grown:
            s.abandon_region()
            if bad is not None:
                raise PeelNeeded(_j.bad_in(bad.spec).reason)
            return None
        operands = self._carried(delta)
        for code, (_, spec) in self.exits.items():
            value = flow.exits[code].value if code in flow.exits else UNSET
            operands += _j.leaves(s, spec, value)
        if self.has_status:
            operands.append(self._status(flow))
        return before, s.end_region("scf.yield", operands)

    def _to_next_iteration(self, flow):
        if flow.normal or len(flow.exits) > 1 or self.continue_code not in flow.exits:
            return without(self.session, flow, {self.continue_code})
        return Flow()

    def _status(self, flow):
        s = self.session
        if flow.status is not None:
            return s.local(flow.status)
        return s.status(0 if flow.normal else next(iter(flow.exits)))

    # -- widening ----------------------------------------------------------------------

    def _conflict(self, place):
        return (_j.bad_in(place.spec) is not None and place.entry is not UNSET
                and type(place.entry) is not Poison and place.obj is self.scope)

    def _widen(self, delta):
        """Takes into the carried places what the region changed; whether any grew."""
        grown = False
        for key, obj in delta.objects.items():
            for name, (old, new) in delta.changed(key).items():
                grown |= self._widen_place(obj, name, self._tracer(obj, old), self._tracer(obj, new))
        return grown

    def _tracer(self, obj, v):
        return TensorTracer(self.session, Storage(v)) if type(v) is IR else v

    def _widen_place(self, obj, name, old, new):
        place = self.places.get((id(obj), name))
        if place is None:
            if isinstance(obj, (list, set)) and (old is UNSET or new is UNSET):
                raise Refused("a list or set that grows in a loop that depends on tensors")
            spec = _j.join(_j.Const(old), new)
            if isinstance(spec, _j.Const):
                return False
            if isinstance(spec, _j.Maybe):
                spec = self._temporary(obj, name, spec, new)
            self.places[id(obj), name] = Place(obj, name, spec, old)
            return True
        spec = _j.join(place.spec, new)
        grown = _j.signature(spec) != _j.signature(place.spec)
        place.spec = spec
        return grown

    def _temporary(self, obj, name, spec, new):
        """A variable that the body makes: carried only when it is read after the loop."""
        if obj is self.scope and not self.live_after(name):
            return _j.Bad("a variable that is assigned in the loop only")
        inner = spec.spec
        return _j.Maybe(_j.as_slot(inner)) if new is not UNSET else spec

    def _widen_exits(self, flow):
        grown = False
        for code, e in flow.exits.items():
            if code not in self.exits:
                self.exits[code] = (e, _j.as_slot(_j.Const(e.value)))
                grown = True
                continue
            first, spec = self.exits[code]
            wider = _j.join(spec, e.value)
            if _j.bad_in(wider) is not None:
                raise Refused("return values of different kinds in one loop")
            grown |= _j.signature(wider) != _j.signature(spec)
            self.exits[code] = (first, wider)
        if flow.exits and not self.has_status:
            self.has_status = grown = True
        return grown

    # -- the op ---------------------------------------------------------------------------

    def _emit(self, inits, regions):
        return self.session.emit("scf.while", inits, {}, self._types(), list(regions))

    def _finish(self, regions):
        s = self.session
        inits = [x for p in self.places.values() for x in _j.leaves(s, p.spec, p.entry)]
        inits += [x for _, spec in self.exits.values() for x in _j.leaves(s, spec, UNSET)]
        if self.has_status:
            inits.append(s.status(0))
        results = iter(self._emit(inits, regions))
        for p in self.places.values():
            value = _j.build(s, p.spec, results, bound=self.certain)
            write_cell(s, p.obj, p.name, value)
        exits = {}
        for code, (e, spec) in self.exits.items():
            exits[code] = Exit(code, e.kind, _j.build(s, spec, results), e.node)
        if not exits:
            return Flow(True)
        return Flow(self.test is not None, exits, s.here(next(results)))


class CountedLoop(Loop):
    """A loop whose number of iterations is known before it; `run` raises `Leaves`
    when an iteration may leave it.

    count: gives the number as an index Value. body: captures an iteration, given
    its number as a 0-d int64 Value.
    """

    def __init__(self, session, branches, count, body, codes, live_after, certain, peeled, scope):
        super().__init__(session, branches, None, body, codes, live_after, certain, peeled, scope)
        self.count = count

    def _attempt(self):
        s = self.session
        self._enter([("index", None)])
        word = s.one("arith.index_cast", self.first, result_types=[("int64", None)])
        number = s.one("tensor.from_elements", [word], result_types=[("int64", ())])
        try:
            flow = self._to_next_iteration(self.body(number))
        except UserError as e:
            raise Leaves() from e
        if flow.exits:
            raise Leaves()
        delta = s.journal.pop()
        grown = self._widen(delta)
        bad = None if self.peeled else next((p for p in self.places.values() if self._conflict(p)), None)
        if bad is not None:
            raise PeelNeeded(_j.bad_in(bad.spec).reason)
        if grown:
            s.abandon_region()
            return None
        return [s.end_region("scf.yield", self._carried(delta))]

    def _emit(self, inits, regions):
        s = self.session
        bounds = [s.constant(0, ("index", None)), self.count(), s.constant(1, ("index", None))]
        return s.emit("scf.for", bounds + inits, {}, self._types(), regions)


def _touching(session, holder, body):
    def run():
        session.journal.touch(holder)
        return body()
    return run
