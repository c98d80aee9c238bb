#!/usr/bin/env python3
"""Measures the guards of compiled calls against their budgets: 2 us for a function of
two tensors, 20 us for a network with the Cells and Parameters of a ResNet-50.

Prints one line a case; the exit status is 1 when a budget is exceeded. Nothing is
compiled: the guards are those of the capture.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

import numpy as np

import mindir as ms
from mindir import nn
from mindir.frontend.capture import capture_function
from mindir.specialization import Specialization


class Unit(nn.Cell):
    """A convolution and its normalization."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(4, 4, 3)
        self.norm = nn.BatchNorm2d(4)

    def construct(self, x):
        return self.norm(self.conv(x))


class Network(nn.Cell):
    """As many convolutions and normalizations as a ResNet-50 has."""

    def __init__(self):
        super().__init__()
        self.units = nn.CellList([Unit() for _ in range(53)])
        self.head = nn.Dense(4, 10)

    def construct(self, x):
        for unit in self.units:
            x = unit(x)
        return self.head(x.mean((2, 3)))


def best(check, values, seconds=0.5):
    """The least time of one check, in microseconds."""
    least, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end:
        start = time.perf_counter()
        for _ in range(100):
            check(values)
        least = min(least, (time.perf_counter() - start) / 100)
    return least * 1e6


def add(a, b):
    return a + b


def main():
    x = ms.Tensor(np.ones((2, 4, 8, 8), np.float32))
    net = Network()
    net.set_train(True)
    cases = [("two tensors", add, (x, x + 1), 2.0),
             ("ResNet-50, training", Network.construct, (net, x), 20.0)]
    met = True
    for name, function, values, budget in cases:
        entry = capture_function(function, values, Specialization())
        found = best(entry.check, values)
        met &= found <= budget
        print(f"{name}: {found:.2f} us of {budget:.0f}, {len(entry.check(values))} inputs")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
