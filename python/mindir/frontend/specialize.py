"""Which sizes and numbers a compilation fixes: the one policy of eager and jit.

The first call with given dtypes, ranks and attributes compiles for its sizes.
When such a call comes back with another size in some dimension, that dimension
becomes unknown (None) in later compilations. Sizes 0 and 1 always are fixed:
they decide about broadcasting. What a capture had to know is pinned for good.
"""

import threading


class ShapePolicy:
    """Sizes by key. `key` is all of a signature but the sizes; hashable."""

    def __init__(self):
        self._seen, self._dynamic, self._pinned = {}, {}, set()
        self._lock = threading.Lock()
        self.all_pinned = False

    def dims(self, key, shape):
        """The sizes to compile for: `shape` with None where the size is left open."""
        with self._lock:
            key = (key, len(shape))
            seen = self._seen.setdefault(key, tuple(shape))
            dynamic = self._dynamic.setdefault(key, set())
            for axis, (old, new) in enumerate(zip(seen, shape)):
                if old != new and (key, axis) not in self._pinned:
                    dynamic.add(axis)
            if self.all_pinned:
                return tuple(shape)
            return tuple(None if axis in dynamic and size > 1 else size
                         for axis, size in enumerate(shape))

    def pin(self, key, rank, axis):
        """The size must be known: fixed from here on."""
        with self._lock:
            key = (key, rank)
            self._pinned.add((key, axis))
            self._dynamic.setdefault(key, set()).discard(axis)

    def pin_all(self):
        """Every size must be known (one that derives from several decides something)."""
        self.all_pinned = True


class Specialization:
    """What the captures of one function learnt: sizes, and which Python numbers
    outside the arguments change between calls and therefore are inputs."""

    def __init__(self):
        self.shapes = ShapePolicy()
        self._numbers, self._pinned_numbers = {}, set()

    def is_input(self, key, value):
        """Whether the number at `key` is an input: it had another value before."""
        seen = self._numbers.setdefault(key, value)
        if key in self._pinned_numbers:
            return False
        changed = type(seen) is type(value) and (seen != value or repr(seen) != repr(value))
        if changed:
            self._numbers[key] = UNSTABLE
        return changed or seen is UNSTABLE

    def pin_number(self, key):
        """Its value decided something: it stays a constant under guard."""
        self._pinned_numbers.add(key)


class _Unstable:
    def __repr__(self):
        return "UNSTABLE"


UNSTABLE = _Unstable()
