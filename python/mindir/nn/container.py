"""Containers of Cells: SequentialCell and CellList."""

from ..frontend import epoch as _epoch
from .cell import Cell


def _check(cell, where):
    if not isinstance(cell, Cell):
        raise TypeError(f"For '{where}', expected Cells, found {type(cell).__name__}.")
    return cell


class _Sequence(Cell):
    """Child Cells under the names "0", "1", ..."""

    def _fill(self, cells):
        """Renumbers the children as `cells`."""
        self._cells.clear()
        for i, cell in enumerate(cells):
            self._insert_cell(str(i), _check(cell, type(self).__name__))
        _epoch.bump()

    def _place(self, index):
        if isinstance(index, bool) or not isinstance(index, int):
            raise TypeError(f"For '{type(self).__name__}', expected an int as index, found {index!r}.")
        if not -len(self) <= index < len(self):
            raise IndexError(f"For '{type(self).__name__}', expected an index in [{-len(self)}, {len(self)}), "
                             f"found {index}.")
        return index % len(self)

    def __len__(self):
        return len(self._cells)

    def __iter__(self):
        return iter(list(self._cells.values()))

    def __bool__(self):
        return True

    def __getitem__(self, index):
        if isinstance(index, slice):
            return type(self)(list(self)[index])
        if isinstance(index, str):
            return self._cells[index]
        return list(self)[self._place(index)]

    def __setitem__(self, index, cell):
        self._insert_cell(str(self._place(index)), _check(cell, type(self).__name__))

    def __delitem__(self, index):
        cells = list(self)
        del cells[index if isinstance(index, slice) else self._place(index)]
        self._fill(cells)

    def append(self, cell):
        """Adds a Cell at the end; gives the container."""
        self._insert_cell(str(len(self)), _check(cell, type(self).__name__))
        return self

    def extend(self, cells):
        """Adds Cells at the end; gives the container."""
        for cell in cells:
            self.append(cell)
        return self

    def insert(self, index, cell):
        """Puts a Cell before `index`."""
        cells = list(self)
        cells.insert(index, _check(cell, type(self).__name__))
        self._fill(cells)


class SequentialCell(_Sequence):
    """Runs its Cells one after another: `SequentialCell(a, b)`, `([a, b])` or `(OrderedDict)`."""

    def __init__(self, *args):
        super().__init__()
        if len(args) == 1 and isinstance(args[0], dict):
            for name, cell in args[0].items():
                self._insert_cell(name, _check(cell, "SequentialCell"))
            return
        self._fill(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)

    def construct(self, input_data):
        """The last Cell's output."""
        for cell in self:
            input_data = cell(input_data)
        return input_data


class CellList(_Sequence):
    """A list of Cells whose Parameters belong to the Cell that holds it; it computes nothing."""

    def __init__(self, *args, **kwargs):
        super().__init__(kwargs.get("auto_prefix", True))
        self._fill(args[0] if len(args) == 1 and isinstance(args[0], (list, tuple)) else args)
