"""What captured code changed since a point: the undo log under branches and loops.

Objects that captured code can change are dicts (the variables of a frame, dict
values, attributes of outer objects), lists, sets and `Storage`s. Each is told to
the journal before its first change; a level of the journal can then be undone,
and both contents compared.
"""

from .values import Storage, UNSET


def content(obj):
    """A shallow copy of what the object holds."""
    if type(obj) is Storage:
        return obj.ir
    return obj.copy()


def restore(obj, saved):
    """Makes the object hold `saved` again."""
    if type(obj) is Storage:
        obj.ir = saved
    elif isinstance(obj, list):
        obj[:] = saved
    else:
        obj.clear()
        obj.update(saved)


def cells(saved):
    """The parts of a content by key: a dict's items, a list's by index."""
    if isinstance(saved, dict):
        return saved
    if isinstance(saved, list):
        return dict(enumerate(saved))
    return {None: saved}


class Delta:
    """The changes of one journal level: per object, the content before and after."""

    def __init__(self, objects, before, after):
        self.objects, self.before, self.after = objects, before, after

    def apply(self):
        """Makes the objects hold what they held at the end of the level."""
        for key, obj in self.objects.items():
            restore(obj, self.after[key])

    def apply_logged(self, journal):
        """Makes the changes again, as part of the level that is now open."""
        for obj in self.objects.values():
            journal.touch(obj)
        self.apply()

    def undo(self):
        """Makes the objects hold what they held before."""
        for key, obj in self.objects.items():
            restore(obj, self.before[key])

    def changed(self, key):
        """{cell: (before, after)} of one object, where they are not the same thing."""
        before, after = cells(self.before[key]), cells(self.after[key])
        names = list(before) + [k for k in after if k not in before]
        pairs = {n: (before.get(n, UNSET), after.get(n, UNSET)) for n in names}
        return {n: p for n, p in pairs.items() if p[0] is not p[1]}


class Journal:
    """A stack of levels; without one, changes are final and not noted."""

    def __init__(self):
        self._levels, self._born = [], [{}]

    @property
    def depth(self):
        """The number of levels."""
        return len(self._levels)

    def push(self):
        self._levels.append(({}, {}))
        self._born.append({})

    def note(self, obj):
        """Tells of a container that captured code made (or got) now; code outside of
        the present level cannot see it, so its changes need no joining."""
        if not any(id(obj) in level for level in self._born):
            self._born[-1][id(obj)] = obj
        return obj

    def touch(self, obj):
        """To be called before `obj` is changed."""
        if self._levels and id(obj) not in self._born[-1]:
            objects, before = self._levels[-1]
            if id(obj) not in objects:
                objects[id(obj)] = obj
                before[id(obj)] = content(obj)

    def pop(self):
        """Ends the level and undoes it; returns its `Delta`."""
        objects, before = self._levels.pop()
        self._born.pop()
        delta = Delta(objects, before, {k: content(o) for k, o in objects.items()})
        delta.undo()
        return delta
