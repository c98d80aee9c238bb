"""Which sizes and numbers a compilation fixes: the one policy of eager and jit.

- Static first: the first call with given dtypes, ranks and attributes is compiled
  for its sizes.
- `?` at the second value: when such a call comes back with another size in some
  dimension, that dimension is left open (None) from there on, so that one more
  compilation serves all its sizes.
- 0 and 1 specialise: they decide about broadcasting and emptiness. They are always
  fixed, and meeting them opens nothing.
- What a capture had to know is pinned for good: it stays fixed at each value.
- Growth is bounded: a policy forgets the keys that it met longest ago, and starts
  with them anew.
"""

import threading


class BoundedTable:
    """A dict that drops its older half when it is full. Safe to share among threads."""

    def __init__(self, most):
        self._most, self._items, self._lock = most, {}, threading.Lock()

    def get(self, key, default=None):
        """The value of a key, or the default."""
        return self._items.get(key, default)

    def add(self, key, value):
        """Sets the value of a key; gives it."""
        with self._lock:
            if len(self._items) >= self._most:
                for old in list(self._items)[:self._most // 2]:
                    del self._items[old]
            self._items[key] = value
        return value

    def __len__(self):
        return len(self._items)


class _Sizes:
    """What is known of one key. `seen`: the first size of each dimension that is
    neither 0 nor 1, or None; `open`, `pinned`: dimensions."""

    __slots__ = ("seen", "open", "pinned")

    def __init__(self, rank):
        self.seen, self.open, self.pinned = [None] * rank, set(), set()


class ShapePolicy:
    """Sizes by key. `key` is all of a signature but the sizes; hashable. At most
    `most` keys are kept."""

    def __init__(self, most=4096):
        self._known = BoundedTable(most)
        self._lock = threading.Lock()
        self.all_pinned = False

    def dims(self, key, shape):
        """The sizes to compile for: `shape` with None where the size is left open."""
        with self._lock:
            known = self._of(key, len(shape))
            for axis, size in enumerate(shape):
                if size < 2:
                    continue
                if known.seen[axis] is None:
                    known.seen[axis] = size
                elif known.seen[axis] != size and axis not in known.pinned:
                    known.open.add(axis)
            if self.all_pinned:
                return tuple(shape)
            return tuple(None if size > 1 and axis in known.open else size for axis, size in enumerate(shape))

    def leave_open(self, key, rank, axis):
        """The size is left open from the first call on, unless it must be known."""
        with self._lock:
            known = self._of(key, rank)
            if axis not in known.pinned:
                known.open.add(axis)

    def pin(self, key, rank, axis):
        """The size must be known: fixed from here on."""
        with self._lock:
            known = self._of(key, rank)
            known.pinned.add(axis)
            known.open.discard(axis)

    def pin_all(self):
        """Every size must be known (one that derives from several decides something)."""
        self.all_pinned = True

    def _of(self, key, rank):
        found = self._known.get((key, rank))
        return found or self._known.add((key, rank), _Sizes(rank))


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
