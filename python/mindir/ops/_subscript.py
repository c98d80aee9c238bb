"""A numpy subscript resolved against a tensor's shape.

Its parts act in order: blocks at places known when run (a position is one of size
one), static ranges (one slice per dimension), index tensors (a gather), and last
the dropping and inserting of dimensions.
"""

import numpy as np

from . import emitter as _e
from ._promotion import cast, to_value, weak_kind
from ._shape import index_op, sizes_of
from .emitter import WeakScalar, emit, is_value
from .movement import reshape

_END = -(2 ** 63)
_BOOLS = (bool, np.bool_)


def _clipped(bound, size):
    """A slice's bound moved into [0, size], as an index Value; negative ones count from the end."""
    place = index_op("addi", size, bound) if bound < 0 else bound
    return index_op("maxsi", index_op("minsi", place, size), 0)


def _position_of(number):
    """A 0-d int64 Value of an index Value."""
    word = emit("arith.index_cast", [number], result_types=[("int64", None)])
    return emit("tensor.from_elements", [word], result_types=[("int64", ())])


def without_bools(x, index):
    """(x, index) with a dimension of size one for each bool of the index, and in its
    place the positions that numpy takes of it: the one (True) or none (False)."""
    items = index if isinstance(index, tuple) else (index,)
    if not any(isinstance(i, _BOOLS) for i in items):
        return x, index
    out, sizes = [], list(sizes_of(x))
    for item in _expanded(tuple(x.shape), items):
        if isinstance(item, _BOOLS):
            sizes.insert(sum(i is not None for i in out), 1)
            item = np.zeros(int(item), np.int64)
        out.append(item)
    return reshape(x, tuple(sizes)), tuple(out)


def _expanded(shape, items):
    """The items with full slices for Ellipsis and for what is left out; IndexError."""
    used = sum(i is not None and i is not Ellipsis and not isinstance(i, _BOOLS) for i in items)
    if used > len(shape):
        raise IndexError(f"too many indices: expected at most {len(shape)} for shape {shape}, found {used}")
    if sum(i is Ellipsis for i in items) > 1:
        raise IndexError("an index can only have a single Ellipsis")
    fill = [slice(None)] * (len(shape) - used)
    out = []
    for item in items:
        out += fill if item is Ellipsis else [item]
    return out if any(i is Ellipsis for i in items) else out + fill


class Subscript:
    """The parts of `x[index]`.

    `starts`, `limits`, `strides` of the static ranges (ascending; the axes in
    `reversed_axes` were given descending); `sliced`: whether they leave
    something out; `positions`: axis -> 0-d int64 Value; `blocks`: axis -> (start,
    a 0-d int64 Value, and size, an index Value) along dimensions of unknown size;
    `tensors`: axis -> integer Value; `dropped`: axes that ints remove; `tensor_place`: how many
    dimensions stand before those of the tensors. The index holds no bools
    (`without_bools`). IndexError, TypeError.
    """

    def __init__(self, x, index):
        self.shape = tuple(x.shape)
        self.value = x
        rank = len(self.shape)
        self.starts, self.limits, self.strides = [0] * rank, [_END] * rank, [1] * rank
        self.reversed_axes, self.positions, self.blocks, self.tensors = [], {}, {}, {}
        self.dropped, self.layout = set(), []
        items = _expanded(self.shape, index if isinstance(index, tuple) else (index,))
        self._mixed = any(self._is_array(i) for i in items)
        axis = 0
        for item in items:
            if item is None:
                self.layout.append("new")
                continue
            self._take(axis, item)
            axis += 1
        self._finish()

    @staticmethod
    def _is_array(item):
        if isinstance(item, (list, np.ndarray)):
            return True
        return is_value(item) and len(item.shape) > 0

    def _take(self, axis, item):
        if isinstance(item, slice):
            self._take_range(axis, item)
            self.layout.append(axis)
            return
        if self._is_array(item):
            self.tensors[axis] = self._index_tensor(item)
        elif is_value(item) or isinstance(item, WeakScalar):
            position = self._position(axis, item)
            (self.tensors if self._mixed else self.positions)[axis] = position
        elif hasattr(item, "__index__"):
            self._take_int(axis, item.__index__())
        else:
            raise TypeError("expected ints, slices, None, Ellipsis or integer tensors as index, "
                            f"found {type(item).__name__}")
        if axis not in self.tensors:
            self.dropped.add(axis)
        self.layout.append(axis)

    def _take_int(self, axis, number):
        size = self.shape[axis]
        if size is not None and not -size <= number < size:
            raise IndexError(f"index {number} is out of bounds for dimension {axis} with size {size}")
        if self._mixed:
            self.tensors[axis] = _e.constant(number, "int64")
        elif size is None:      # checked when run
            self.positions[axis] = self._position(axis, _e.constant(number, "int64"))
        else:
            self.starts[axis] = number % size
            self.limits[axis] = self.starts[axis] + 1

    def _take_range(self, axis, item):
        parts = [p for p in (item.start, item.stop, item.step) if p is not None]
        if any(is_value(p) or weak_kind(p) == "float" or not hasattr(p, "__index__") for p in parts):
            raise TypeError(f"expected ints in a slice, found {item}")
        size = self.shape[axis]
        if size is None:
            self._take_open_range(axis, item)
            return
        places = range(*item.indices(size))
        if places.step < 0:
            self.reversed_axes.append(axis)
            places = places[::-1]
        if len(places) == 0:
            self.starts[axis] = self.limits[axis] = 0
            return
        self.starts[axis], self.limits[axis] = places[0], places[-1] + 1
        self.strides[axis] = places.step if len(places) > 1 else 1

    def _take_open_range(self, axis, item):
        """A slice of a dimension of unknown size: its bounds are clipped when run, as numpy's are."""
        step = 1 if item.step is None else item.step
        if step == -1 and item.start is None and item.stop is None:
            self.reversed_axes.append(axis)
            return
        if step < 1:
            raise ValueError("expected a slice with a positive step along a dimension of unknown size, "
                             f"found {item}")
        self.strides[axis] = step
        if item.start in (None, 0) and item.stop is None:
            return
        size = _e.emit_dim(self.value, axis)
        start = _clipped(item.start or 0, size)
        stop = size if item.stop is None else _clipped(item.stop, size)
        count = index_op("maxsi", index_op("subi", stop, start), 0)
        self.blocks[axis] = (_position_of(start), count)

    def _index_tensor(self, item):
        value = to_value(np.asarray(item)) if isinstance(item, (list, np.ndarray)) else item
        if value.dtype == "bool":
            raise TypeError("a bool tensor as index gives a shape that depends on data: expected an integer tensor; "
                            "use ops.select, or index outside jit")
        if value.dtype.startswith("float") or value.dtype == "bfloat16":
            raise TypeError(f"expected an integer tensor as index, found dtype {value.dtype}")
        return value if value.dtype in ("int32", "int64") else cast(value, "int64")

    def _position(self, axis, item):
        value = item.value if isinstance(item, WeakScalar) else item
        value = cast(self._index_tensor(value), "int64")
        size = self.shape[axis]
        if size is None:
            size = _position_of(_e.emit_dim(self.value, axis))
        else:
            size = _e.constant(size, "int64")
        negative = emit("compare", [value, _e.constant(0, "int64")], {"predicate": "lt"})
        return emit("select", [negative, emit("add", [value, size]), value])

    def _finish(self):
        kept = [a for a in self.layout if a == "new" or a not in self.dropped]
        self.reshapes = bool(self.dropped) or "new" in self.layout
        self.sliced = any(s != 0 for s in self.starts) or any(t != 1 for t in self.strides) or any(
            limit not in (_END, self.shape[a]) for a, limit in enumerate(self.limits))
        self.tensor_place = self._tensor_place(kept)

    def _tensor_place(self, kept):
        """Numpy: where adjacent tensors stood; in front when something lies between them."""
        places = [i for i, a in enumerate(kept) if a in self.tensors]
        self._kept = kept
        if not places or places[-1] - places[0] + 1 != len(places):
            return 0
        return sum(1 for a in kept[:places[0]] if a != "new")

    def final_shape(self, sizes):
        """The sizes after the gather, with dimensions dropped and inserted.

        `sizes` has the dimensions of the basic result, those of tensors (if any)
        already replaced by the indices' dimensions.
        """
        if not self.tensors:
            kept = [1 if a == "new" else sizes[a] for a in self.layout if a == "new" or a not in self.dropped]
            return tuple(kept)
        tensor_rank = len(sizes) - (len(self.shape) - len(self.tensors))
        places = [i for i, a in enumerate(self._kept) if a in self.tensors]
        adjacent = places[-1] - places[0] + 1 == len(places)
        lead = list(sizes[self.tensor_place:self.tensor_place + tensor_rank])
        rest = iter(list(sizes[:self.tensor_place]) + list(sizes[self.tensor_place + tensor_rank:]))
        out, placed = ([], False) if adjacent else (lead, True)
        for a in self._kept:
            if a in self.tensors:
                if not placed:
                    out, placed = out + lead, True
            else:
                out.append(1 if a == "new" else next(rest))
        return tuple(out)

    def padding_around(self, block):
        """(low, high, interior) that put a block of the ranges in its places among the shape."""
        low, high, interior = [], [], []
        for axis, size in enumerate(self.shape):
            step, start, count = self.strides[axis], self.starts[axis], block.shape[axis]
            if step == 1 and start == 0 and self.limits[axis] in (_END, size):
                spread = size
            elif size is None or count is None:
                raise ValueError("expected known sizes to assign to a strided slice, found shape "
                                 f"{self.shape}")
            else:
                spread = start + max((count - 1) * step + 1, 0)
            low.append(start)
            high.append(0 if spread is None else size - spread)
            interior.append(step - 1)
        return low, high, interior

    def _copy(self):
        other = object.__new__(Subscript)
        other.__dict__.update(self.__dict__)
        return other

    def ranges_of(self):
        """The static ranges alone."""
        other = self._copy()
        other.positions, other.blocks, other.tensors = {}, {}, {}
        return other

    def without_ranges(self):
        """The index tensors and layout, against the tensor that the ranges leave."""
        other = self._copy()
        rank = len(self.shape)
        other.starts, other.limits, other.strides = [0] * rank, [_END] * rank, [1] * rank
        other.reversed_axes, other.positions, other.blocks, other.sliced = [], {}, {}, False
        return other

    def without_tensors(self):
        """The ranges alone, nothing dropped or inserted."""
        other = self._copy()
        other.tensors, other.dropped, other.reshapes = {}, set(), False
        other.layout = other._kept = list(range(len(self.shape)))
        return other
