"""Random choices of a generator: shapes, element types, values, attributes."""

import numpy as np

from oracle import dtypes
from oracle.case import ZERO_TOO, Operand, is_unknown

SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33]
# What one element may take at most, so that a case stays fast.
MAX_ELEMENTS = 6000


class Draw:
    """Draws for one case. Case 0 of an op is one without elements, case 1 has sizes of
    one, and case 2 is one without elements whose sizes are unknown (not if `captured`:
    then 0 is always known).

    `smooth` asks for what finite differences can check: f64, static shapes, moderate
    values away from special ones; sizes are small, but of every eighth case zero and
    of every eighth larger than a vector."""

    def __init__(self, rng, number, smooth=False, captured=False):
        self.rng = rng
        self.smooth = smooth
        self.dynamic = not smooth and rng.random() < 0.3
        self.given_size = {1: 0}.get(number % 8) if smooth else {0: 0, 1: 1, 2: 0}.get(number)
        self.is_large = smooth and number % 8 == 2
        if number == 2 and not smooth:
            self.dynamic = True if captured else ZERO_TOO

    @property
    def is_empty(self):
        """Whether the case is one without elements."""
        return self.given_size == 0

    def choice(self, options):
        return options[int(self.rng.integers(len(options)))]

    def integer(self, low, high):
        """A number in [low, high]."""
        return int(self.rng.integers(low, high + 1))

    def chance(self, probability=0.5):
        return bool(self.rng.random() < probability)

    def element(self, options):
        return "f64" if self.smooth and "f64" in options else self.choice(options)

    def size(self, low=0):
        if self.smooth and self.given_size is None:
            return self.integer(8, 19) if self.is_large and self.chance(0.4) else self.integer(max(low, 1), 3)
        return max(low, self.choice(SIZES) if self.given_size is None else self.given_size)

    def shape(self, min_rank=0, max_rank=4, low=0):
        rank = self.integer(min_rank, max_rank)
        shape = [self.size(low) for _ in range(rank)]
        if rank and not self.smooth and self.chance(0.1):
            shape = [1] * rank
            shape[self.integer(0, rank - 1)] = self.choice([1000, 1023, 4097])
        if self.given_size is not None:
            shape = [max(low, 1) for _ in range(max(rank, 1, min_rank))]
            shape[self.integer(0, len(shape) - 1)] = max(low, self.given_size)
        while np.prod(shape, dtype=float) > MAX_ELEMENTS:
            shape[int(np.argmax(shape))] = max(low, 2)
        return tuple(shape)

    def axis(self, rank):
        return self.integer(0, rank - 1)

    def axes(self, rank):
        return [axis for axis in range(rank) if self.chance()]

    def values(self, shape, element, low=-4.0, high=4.0, special=True):
        """Values of an element type; floats in [low, high) and, when `special`,
        now and then a NaN, an infinity, a zero, a subnormal or an extreme."""
        if element == "i1":
            return np.asarray(self.rng.random(shape) < 0.5)
        if not dtypes.is_float(element):
            return self._integers(shape, element, special)
        values = dtypes.round_to(self.rng.uniform(low, high, shape), element)
        if special and not self.smooth and self.chance(0.4):
            precision, least = dtypes.PRECISION[element]
            pool = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 0.5,
                             2.0**least, 2.0**(least - precision + 1),
                             dtypes.GREATEST[element], -dtypes.GREATEST[element]])
            picked = dtypes.round_to(self.rng.choice(pool, np.shape(values)), element)
            values = np.where(self.rng.random(np.shape(values)) < 0.2, picked, values)
        return np.asarray(values, dtypes.NUMPY[element])

    def _integers(self, shape, element, special):
        info = np.iinfo(dtypes.NUMPY[element])
        if special and self.chance(0.3):
            low, high = info.min, info.max
        else:
            low, high = max(info.min, -20), 20
        return self.rng.integers(low, high, shape, dtype=dtypes.NUMPY[element], endpoint=True)

    def operand(self, shape, element, **options):
        return Operand(self.values(shape, element, **options), element, self.dynamic)


def sizes_operand(draw, shape):
    """How an op that is given its result's shape is told the `?`s of the type.

    Gives the operands to add to the case, the lines to put before the op, and the
    `sizes(...)` clause. `{n}` in the lines stands for the operand's number.
    """
    unknown = [size for size in shape if is_unknown(size, draw.dynamic)]
    if not unknown:
        return [], "", ""
    operand = Operand(np.array(unknown, np.int64), "i64", shared=True)
    lines = []
    for i in range(len(unknown)):
        lines.append(f"%i{i} = arith.constant {i} : index")
        lines.append(f"%e{i} = tensor.extract %a{{n}}[%i{i}] : {operand.type}")
        lines.append(f"%s{i} = arith.index_cast %e{i} : i64 to index")
    names = ", ".join(f"%s{i}" for i in range(len(unknown)))
    return [operand], "\n".join(lines) + "\n", f"sizes({names})"
