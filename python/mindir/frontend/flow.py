"""How control leaves a piece of captured code, and the joining of paths.

A `Flow` says whether a path goes on normally and by which exits (return, break,
continue, raise) others leave. As soon as more than one path is open, an i32
status in the IR tells which was taken: 0 goes on, an exit has its code. Values
of the paths meet in the results of an `scf.if` (`Branches.run`).
"""

from . import join as _j
from .errors import Refused, UserError
from .journal import cells
from .values import DICTS, IR, Poison, Storage, TensorTracer, UNSET


class Exit:
    """One way out. kind: "return", "break", "continue" or "raise"; `value` what it
    carries (the value returned, the exception); `code` its status."""

    __slots__ = ("code", "kind", "value", "node")

    def __init__(self, code, kind, value=None, node=None):
        self.code, self.kind, self.value, self.node = code, kind, value, node


class Flow:
    """normal: whether some path goes on. exits: {code: Exit}. status: the `IR` of the
    status, None while only one path is open."""

    __slots__ = ("normal", "exits", "status")

    def __init__(self, normal=True, exits=None, status=None):
        self.normal, self.exits, self.status = normal, exits or {}, status

    @property
    def mixed(self):
        """Whether some path goes on and another does not."""
        return self.normal and bool(self.exits)

    def keeps_locals(self):
        """Whether the variables of the frame matter on some path of it."""
        return self.normal or any(e.kind in ("break", "continue") for e in self.exits.values())


NORMAL = Flow()


def leave(exit_):
    """The flow of a statement that certainly leaves."""
    return Flow(False, {exit_.code: exit_})


class Slots:
    """The values that two paths hand to the code after them."""

    def __init__(self, session):
        self.session, self.specs, self.values, self._memo = session, [], ([], []), {}

    def add(self, a, b, force=False):
        """A slot for value `a` of the first path and `b` of the second; its number.

        force: `UNSET` means that the path does not reach the reader.
        """
        key = (id(a), id(b), force)
        if key in self._memo and a is not UNSET:
            return self._memo[key]
        if force:
            spec = self._travel(b if a is UNSET else a)
            other = UNSET if a is UNSET or b is UNSET else b
            if other is not UNSET:
                spec = _j.join(spec, other)
        else:
            spec = _j.join(_j.Const(a), b)
            spec = self._carry(spec)
        self.specs.append(spec)
        self.values[0].append(a)
        self.values[1].append(b)
        self._memo[key] = len(self.specs) - 1
        return self._memo[key]

    def _carry(self, spec):
        """Constants inside a `Maybe` were made on one path: they travel."""
        if isinstance(spec, _j.Maybe) and isinstance(spec.spec, _j.Const):
            return _j.Maybe(self._travel(spec.spec.value))
        return spec

    def _travel(self, v):
        """The spec of a value made on one path: what is visible outside stays itself."""
        if isinstance(v, TensorTracer):
            seen = self.session.visible(v._storage.ir) or v._storage.real is not None
            return _j.Const(v) if seen else _j.describe(v)
        if type(v).__name__ == "ScalarTracer":
            return _j.Const(v) if self.session.visible(v.ir) else _j.describe(v)
        if type(v) in (tuple, list) + DICTS and v:
            spec = _j.describe(v)
            spec.items = [self._travel(s.value) for s in spec.items]
            return _j.Const(v) if all(isinstance(s, _j.Const) for s in spec.items) else spec
        return _j.Const(v)

    def operands(self, path):
        """The Values that path 0 or 1 yields, made in its region."""
        return [x for spec, v in zip(self.specs, self.values[path])
                for x in _j.leaves(self.session, spec, v)]

    def types(self):
        return [t for spec in self.specs for t in _j.types(spec)]

    def build(self, results):
        """The joined values, in the order of the slots."""
        values = iter(results)
        return [_j.build(self.session, spec, values) for spec in self.specs]


class Branch:
    """One path: its flow, what it changed, and what its exits carry."""

    def __init__(self, flow, delta):
        self.flow, self.delta = flow, delta

    def content(self, key, obj):
        """The parts of an object at the end of this path."""
        after = self.delta.after.get(key)
        if after is None:
            after = obj.ir if type(obj) is Storage else obj
        return dict(cells(after))


class Branches:
    """Runs two pieces of captured code as the regions of one `scf.if`."""

    def __init__(self, session, is_local, interpreter):
        """is_local(obj): whether only the frame can see the object, so that a path
        which leaves the frame need not hand it on. interpreter: gives exits codes."""
        self.session, self.is_local, self._interpreter = session, is_local, interpreter
        self.new_code = interpreter.new_code

    @property
    def codes(self):
        """The last exit code given; setting it back gives the same codes again."""
        return self._interpreter.codes

    @codes.setter
    def codes(self, last):
        self._interpreter.codes = last

    def run(self, condition, first, second):
        """Runs `first()` where the 0-d bool Value holds, `second()` elsewhere; both
        return a `Flow`. Returns the joined flow; changes are joined in place."""
        s = self.session
        branches = []
        i1 = s.i1(condition)
        s.begin_region()
        branches.append(self._branch(first))
        # Both regions are open at once, but the second does not lie in the first.
        first_id = s.regions.pop()
        s.begin_region()
        branches.append(self._branch(second))
        second_id = s.regions.pop()
        slots = Slots(s)
        places = self._join_state(slots, branches)
        flow, exits, status = self._join_exits(slots, branches)
        # The second region is the innermost open one: it ends first.
        s.regions.append(second_id)
        operands = self._finish(slots, branches, 1, status)
        second_region = s.end_region("scf.yield", operands)
        s.regions.append(first_id)
        operands = self._finish(slots, branches, 0, status)
        first_region = s.end_region("scf.yield", operands)
        types = slots.types() + ([("int32", ())] if status else [])
        results = s.emit("scf.if", [i1], {}, types, [first_region, second_region])
        values = slots.build(results[:len(slots.types())])
        self._write_back(places, values)
        for exit_, number in exits:
            exit_.value = values[number]
        if status:
            flow.status = s.here(results[-1])
        return flow

    def _branch(self, body):
        s = self.session
        s.journal.push()
        try:
            flow = body()
        except UserError as e:
            flow = leave(Exit(self.new_code(), "raise", e.error))
        except BaseException:
            s.journal.pop()
            raise
        return Branch(flow, s.journal.pop())

    def _join_state(self, slots, branches):
        """Slots for everything that either path changed; [(object, cell, slot)]."""
        objects = {}
        for b in branches:
            objects.update(b.delta.objects)
        places = []
        for key, obj in objects.items():
            read = [b.flow.keeps_locals() or not self.is_local(obj) for b in branches]
            if not any(read):
                continue
            contents = [b.content(key, obj) for b in branches]
            if all(read) and isinstance(obj, list) and len(contents[0]) != len(contents[1]):
                raise Refused("a list that is longer on one path than on the other")
            names = list(contents[0]) + [n for n in contents[1] if n not in contents[0]]
            if isinstance(obj, set) and contents[0] != contents[1]:
                raise Refused("a set that differs between the paths")
            place = [obj, not all(read), []]
            for name in names:
                pair = [c.get(name, UNSET) if r else UNSET for c, r in zip(contents, read)]
                if all(read) or pair != [UNSET, UNSET]:
                    place[2].append((name, self._slot(slots, pair, branches, not all(read))))
            places.append(place)
        return places

    def _slot(self, slots, pair, branches, force):
        wrapped = [self._as_tracer(v) for v in pair]
        number = slots.add(wrapped[0], wrapped[1], force)
        return number

    def _as_tracer(self, v):
        if type(v) is not IR:
            return v
        return self._tracer_of(v)

    def _tracer_of(self, ir):
        memo = self.__dict__.setdefault("_memo", {})
        if ir.stamp not in memo:
            memo[ir.stamp] = TensorTracer(self.session, Storage(ir))
        return memo[ir.stamp]

    def _join_exits(self, slots, branches):
        """The joined flow, [(exit, slot of its value)] and whether a status is needed."""
        a, b = (x.flow for x in branches)
        exits, joined = [], {}
        mates = self._return_mates(a, b)
        self.renamed = ({}, {})
        for code, e in a.exits.items():
            other = b.exits.get(code) or mates.get(code)
            new = Exit(code, e.kind, None, e.node)
            if other is not None:
                self.renamed[1][other.code] = code
                number = slots.add(e.value, other.value)
            else:
                number = slots.add(e.value, UNSET, True)
            joined[code] = new
            exits.append((new, number))
        for code, e in b.exits.items():
            if code not in self.renamed[1]:
                new = Exit(code, e.kind, None, e.node)
                joined[code] = new
                exits.append((new, slots.add(UNSET, e.value, True)))
        flow = Flow(a.normal or b.normal, joined)
        return flow, exits, len(joined) + flow.normal > 1

    def _return_mates(self, a, b):
        """Return exits of the two paths whose values one result can carry."""
        mates, taken = {}, set()
        for code, e in a.exits.items():
            if e.kind != "return" or code in b.exits:
                continue
            for other in b.exits.values():
                if other.kind == "return" and other.code not in taken and other.code not in a.exits \
                        and _j.bad_in(_j.join(_j.Const(e.value), other.value)) is None:
                    mates[code] = other
                    taken.add(other.code)
                    break
        return mates

    def _finish(self, slots, branches, path, status):
        s, branch = self.session, branches[path]
        branch.delta.apply()
        operands = slots.operands(path)
        branch.delta.undo()
        if status:
            operands.append(self._status(branch.flow, self.renamed[path]))
        return operands

    def _status(self, flow, renamed):
        s = self.session
        if flow.status is None:
            code = 0 if flow.normal else next(iter(flow.exits))
            return s.status(renamed.get(code, code))
        value = s.local(flow.status)
        for old, new in renamed.items():
            if old != new:
                value = replace_status(s, value, old, new)
        return value

    def _write_back(self, places, values):
        s = self.session
        for obj, partial, cells_ in places:
            s.journal.touch(obj)
            for name, number in cells_:
                value = values[number]
                if type(obj) is Storage:
                    obj.ir = value.ir
                elif isinstance(obj, list):
                    obj[name] = value if name < len(obj) else obj.append(value) or value
                elif isinstance(obj, set):
                    obj.add(value)
                elif value is UNSET:
                    obj.pop(name, None)
                else:
                    obj[name] = value


def replace_status(s, value, old, new):
    """The status Value with code `old` turned into `new`."""
    hit = s.compare("eq", value, s.status(old))
    return s.one("mindir.select", [hit, s.status(new), value], result_types=[("int32", ())])


def without(s, flow, codes):
    """The flow with the exits of `codes` going on normally."""
    gone = [c for c in flow.exits if c in codes]
    if not gone:
        return flow
    exits = {c: e for c, e in flow.exits.items() if c not in gone}
    status = flow.status
    if not exits:
        return Flow(True)
    if status is not None:
        value = s.local(status)
        for c in gone:
            value = replace_status(s, value, c, 0)
        status = s.here(value)
    return Flow(True, exits, status)
