"""One test of one op: its IR, its inputs, and what numpy says of the result."""

import dataclasses
from collections.abc import Callable

import numpy as np

ZERO_TOO = "zero too"


@dataclasses.dataclass
class Operand:
    """An argument of the case's function."""
    values: np.ndarray
    element: str
    dynamic: bool | str = False  # see `is_unknown`
    shared: bool = False  # vmap needs it equal in all lanes: sizes, generator states

    @property
    def type(self):
        return tensor_type(self.values.shape, self.element, self.dynamic)


@dataclasses.dataclass
class Case:
    """A function `(%a0, %a1, ...) -> (%r0, ...)` with one op.

    `expected(*arrays)` gives the results before rounding to their types: it is
    given the operands' arrays, widened when `kind` is not exact. `scales(*arrays)`
    gives, per result, the sum of magnitudes that went into each element, which
    bounds the error of an accumulation.
    """
    op: str
    body: str
    operands: list[Operand]
    results: list[tuple[tuple, str]]  # shape, element type
    expected: Callable
    kind: str = "exact"  # a class of tolerance.py
    dynamic: bool | str = False
    scales: Callable | None = None
    wrt: tuple[int, ...] = ()  # operands to differentiate with respect to
    static_results: tuple[int, ...] = ()  # whose types know all sizes

    @property
    def result_types(self):
        return [tensor_type(shape, element, i not in self.static_results and self.dynamic)
                for i, (shape, element) in enumerate(self.results)]

    def function(self, name):
        """The text of the case's function."""
        arguments = ", ".join(f"%a{i}: {operand.type}" for i, operand in enumerate(self.operands))
        types = ", ".join(self.result_types)
        values = ", ".join(f"%r{i}" for i in range(len(self.results)))
        body = "\n  ".join(self.body.strip().splitlines())
        return (f"func.func @{name}({arguments}) -> ({types}) {{\n"
                f"  {body}\n  return {values} : {types}\n}}\n")


def tensor_type(shape, element, dynamic=False):
    """`tensor<?x1xf32>`"""
    sizes = ["?" if is_unknown(size, dynamic) else str(size) for size in shape]
    return f"tensor<{'x'.join([*sizes, element])}>"


def is_unknown(size, dynamic):
    """Whether a size is `?` in a type: with `dynamic` those that are neither 0 nor 1,
    as captured code has them; with ZERO_TOO also 0, to which a size may shrink."""
    return size > 1 if dynamic is True else bool(dynamic) and size != 1
