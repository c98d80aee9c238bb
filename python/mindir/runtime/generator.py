"""The program's random generators: the one of ops, and numpy's for initializers.

The ops' generator is a uint64 tensor [seed, offset], written in place by each
draw, in program order, by eager and compiled code alike.
"""

import numpy as np

from ..tensor import array_of, wrap


class Generator:
    """A seed, the state tensor of ops, and the numpy generator of initializers."""

    def __init__(self):
        self._seed, self._state, self._numpy = None, None, None

    def manual_seed(self, seed):
        """Starts both generators anew. TypeError, ValueError unless an int in [0, 2^32)."""
        if isinstance(seed, bool) or not isinstance(seed, int):
            raise TypeError(f"expected the seed as an int, found {seed!r}")
        if not 0 <= seed < 2 ** 32:
            raise ValueError(f"expected a seed in [0, 2^32), found {seed}")
        self._seed = seed
        self._numpy = np.random.RandomState(seed)
        fresh = wrap(array_of(np.array([seed, 0], np.uint64), "uint64"))
        if self._state is None:
            self._state = fresh
        else:
            self._state._array.assign(fresh._array)

    def state(self):
        """The state Tensor, uint64 [seed, offset]."""
        if self._state is None:
            self._start()
        return self._state

    def numpy(self):
        """The numpy RandomState from which initializers draw."""
        if self._numpy is None:
            self._start()
        return self._numpy

    def _start(self):
        seed = int(np.random.SeedSequence().generate_state(1)[0])
        self.manual_seed(seed)
        self._seed = None

    @property
    def seed(self):
        """The seed that was set, or None."""
        return self._seed


default = Generator()


def set_seed(seed):
    """Seeds the random ops, the initializers and numpy's global generator."""
    default.manual_seed(seed)
    np.random.seed(seed)


def get_seed():
    """The seed last set, or None."""
    return default.seed
