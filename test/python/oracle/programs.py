"""Random smooth programs: the text of a function `f(a, b, v, n)` over names that stand
for numpy's functions or for `mindir.ops`."""

import linecache
import random

import numpy as np

from mindir import ops

ROWS, COLUMNS = 3, 4

NUMPY = {
    "tanh": np.tanh, "sin": np.sin, "cos": np.cos, "exp": np.exp, "sqrt": np.sqrt, "square": np.square,
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "maximum": np.maximum, "matmul": np.matmul,
    "softmax": lambda x: np.exp(x - x.max(-1, keepdims=True)) / np.exp(x - x.max(-1, keepdims=True)).sum(-1, keepdims=True),
    "sum_of": lambda x, axis: np.sum(x, axis), "mean_of": lambda x, axis: np.mean(x, axis, keepdims=True),
    "transpose": np.transpose, "reshape": np.reshape, "joined": lambda x, y: np.concatenate([x, y], 0),
    "where": np.where, "zeros_like": np.zeros_like, "rolled": lambda x: np.concatenate([x[1:], x[:1]], 0),
}
MINDIR = {
    "tanh": ops.tanh, "sin": ops.sin, "cos": ops.cos, "exp": ops.exp, "sqrt": ops.sqrt, "square": ops.square,
    "sigmoid": ops.sigmoid, "maximum": ops.maximum, "matmul": ops.matmul,
    "softmax": lambda x: ops.softmax(x, -1),
    "sum_of": lambda x, axis: ops.sum(x, axis), "mean_of": lambda x, axis: ops.mean(x, axis, True),
    "transpose": lambda x, order: ops.transpose(x, order), "reshape": ops.reshape,
    "joined": lambda x, y: ops.concat([x, y], 0),
    "where": ops.where, "zeros_like": ops.zeros_like, "rolled": lambda x: ops.concat([x[1:], x[:1]], 0),
}


class Program:
    """`a` and `b` stay [ROWS, COLUMNS], `v` [COLUMNS]; values stay of moderate size."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.helper = self._function("g(a, b, v, n)", ["a", "b", "v"], 1, False)
        self.main = self._function("f(a, b, v, n)", ["a", "b", "v"], 2, True)
        self.text = self.helper + self.main

    def _function(self, head, results, depth, calls):
        body = self._block(depth, 6, calls) + [f"return {', '.join(results)}"]
        return f"def {head}:\n" + "".join(f"    {line}\n" for line in body)

    def _block(self, depth, most, calls):
        return [line for _ in range(self.random.randint(2, most)) for line in self._statement(depth, calls)]

    def _statement(self, depth, calls):
        kinds = ["plain"] * 6 + ["if", "for", "while"] * (depth > 0) + ["call"] * calls
        return getattr(self, "_" + self.random.choice(kinds))(depth)

    def _number(self):
        return self.random.choice([0.25, -0.5, 0.75, 1.5])

    def _matrix(self):
        """An expression of the shape of `a`, of moderate values."""
        x, y = self.random.sample(["a", "b"], 2)
        return self.random.choice([
            f"tanh({x} + {y} * {self._number()})", f"sin({x}) * cos({y})", f"{x} / (1 + square({y}))",
            f"sigmoid({x}) - {y} * {self._number()}", f"softmax({x} * {self._number()})", f"sqrt(1 + square({x}))",
            f"tanh(matmul(matmul({x}, transpose({y}, (1, 0))), {x}))", f"{x} + v * {self._number()}",
            f"exp(-square({x})) * {y}", f"{x} - mean_of({x}, {self.random.choice([0, 1])})",
            f"reshape(transpose({x}, (1, 0)), (ROWS, COLUMNS)) * {self._number()}", f"joined({x}[1:], {y}[:1])",
            f"rolled({x})", f"{x}[::-1]", f"where({y} > 0.3, {x}, {y} * {self._number()})",
            f"maximum({x}, {y} * {self._number()})", f"{x}[[2, 0, 2]] * {self._number()}",
        ])

    def _vector(self):
        return self.random.choice(["sum_of(tanh(a), 0)", "tanh(v) * a[1]", "b[2] - v * 0.5", "softmax(v)",
                                   "matmul(transpose(tanh(a), (1, 0)), sum_of(sin(b), 1))"])

    def _plain(self, depth):
        if self.random.random() < 0.25:
            return [f"v = {self._vector()}"]
        return [f"{self.random.choice('ab')} = {self._matrix()}"]

    def _nested(self, depth):
        return ["    " + line for line in self._block(depth - 1, 3, False)]

    def _if(self, depth):
        test = self.random.choice(["a.sum() > b.sum()", "v[0] > 0.1", "(a * b).sum() > 0.2", "n > 2"])
        return [f"if {test}:"] + self._nested(depth) + ["else:"] + self._nested(depth)

    def _for(self, depth):
        leave = self.random.choice([[], ["    if a.sum() > 6.0: break"], ["    if v[1] > 0.7: continue"]])
        return [f"for i in range({self.random.choice(['3', 'n'])}):"] + leave + self._nested(depth) + ["    a = a * 0.5"]

    def _while(self, depth):
        return ["while square(a).sum() > 2.0:"] + self._nested(depth) + ["    a = tanh(a) * 0.25"]

    def _call(self, depth):
        return ["a, b, v = g(tanh(a), b, v, n)"]


def built(text, seed, names):
    """The function `f` of a program over the given names; its source can be found."""
    filename = f"<program {seed} {id(names)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = dict(names, ROWS=ROWS, COLUMNS=COLUMNS)
    exec(compile(text, filename, "exec"), scope)
    return scope["f"]
