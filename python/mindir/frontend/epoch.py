"""A counter that grows whenever the structure of a Cell or Parameter changes.

Compiled calls compare one integer instead of walking the tree of Cells that
they captured: equal epochs mean that no attribute, child or container of any
Cell, and no Parameter's dtype, shape or `requires_grad`, changed in between.
The data of a Parameter is no structure: writing it leaves the epoch alone.
"""

import itertools


class Epoch:
    """A monotonically growing integer; `value` is its present value."""

    __slots__ = ("value", "_next")

    def __init__(self):
        self._next = itertools.count(1).__next__
        self.value = 0

    def bump(self):
        """Takes the next value; atomic among threads."""
        self.value = self._next()


structure = Epoch()


def current():
    """The present epoch of the program's Cells and Parameters, an int."""
    return structure.value


def bump():
    """Marks that a Cell's or Parameter's structure was written."""
    structure.bump()
