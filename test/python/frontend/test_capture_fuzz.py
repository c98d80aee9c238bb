"""Random programs, as plain Python (eager ops) and under jit: loops,
breaks, nested and shared functions, Cells shared between branches, writes in place."""

import random
import sys
import types

import numpy as np
import pytest

import mindir as ms
from capturing import assert_same, plain, tensor
from mindir import nn
from mindir.jit import explain

CELL = '''
class Layer(nn.Cell):
    def __init__(self, k, seen=False):
        super().__init__()
        self.w = ms.Parameter(ms.Tensor(np.full(3, k, np.float32)), name="w")
        self.seen = seen

    def construct(self, x, n):
        x = x * self.w
        if self.seen:
            x = x - 0.25
        for i in range(n):
            if x.sum() > 30:
                break
            x = x + self.w * i
        return x

one, two, three = Layer(0.5), Layer(0.75), Layer(0.5, True)
cells = [one, two, three]
'''


class Program:
    """The text of a random function `f(x, y, n)` and of helpers that it calls."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.helpers = [self.helper(i) for i in range(3)]
        body = ["a, b, k = x * 1, y * 1, 0"] + self.block(3, 7, True) + ["return a, b, k, [a + b, {'k': k}]"]
        self.text = CELL + "\n".join(self.helpers) + "\ndef f(x, y, n):\n" + self.indent(body)

    @staticmethod
    def indent(lines):
        return "".join(f"    {line}\n" for line in lines)

    def helper(self, index):
        body = ["a, b, k = x, y, 1"] + self.block(1, 3, False)
        if self.random.random() < 0.4:
            body.append(f"if a.sum() > b.sum(): return a, b * {self.number()}")
        return f"def g{index}(x, y):\n" + self.indent(body + [self.random.choice(["return a, b", "return b, a + b"])])

    def number(self):
        return self.random.choice([0.5, -1, 2, 0.25, 3])

    def block(self, depth, count, outer):
        return [line for _ in range(self.random.randint(1, count)) for line in self.statement(depth, outer)]

    def statement(self, depth, outer):
        kinds = ["sum", "swap", "write", "number"] + (["call", "cell", "shared", "closure"] if outer else [])
        kinds += ["if", "for", "while", "rows"] if depth else []
        return getattr(self, "_" + self.random.choice(kinds))(depth, outer)

    def _sum(self, depth, outer):
        return [f"a = a * {self.number()} + b", f"b = b - a * {self.number()}"][:self.random.randint(1, 2)]

    def _swap(self, depth, outer):
        return ["a, b = b * 0.5, a + 1"]

    def _write(self, depth, outer):
        return ["a = a * 1", self.random.choice(["a[0] = b[1]", "v = a[1:]", "a[k % 3] = 2.0"]), "a = a - 0.5"]

    def _number(self, depth, outer):
        return [f"k = k + {self.random.randint(1, 3)}"]

    def _call(self, depth, outer):
        return [f"a, b = g{self.random.randrange(3)}(a * 0.5, b * 0.5)"]

    def _cell(self, depth, outer):
        return [f"a = {self.random.choice(['one', 'two', 'three'])}(a, {self.random.choice([2, 20])})"]

    def _shared(self, depth, outer):
        first, second = self.random.choices(["one", "two", "three"], k=2)
        return ["if a.sum() > b.sum():", f"    a = {first}(a, 2)", "else:", f"    b = {second}(b, 2) - {first}(a, 2)"]

    def _closure(self, depth, outer):
        return ["def h(z):", f"    return z * {self.number()} + b", "a = h(h(a))"]

    def _if(self, depth, outer):
        return [f"if {self.condition()}:"] + self.nested(depth, outer) + ["else:"] + self.nested(depth, outer)

    def condition(self):
        return self.random.choice(["a.sum() > b.sum()", "(a * b).sum() > 0", "k % 2 == 0", "a[0] > 0.5"])

    def nested(self, depth, outer):
        return ["    " + line for line in self.block(depth - 1, 2, outer)]

    def _leave(self):
        return self.random.choice([[], [], ["    if a.sum() > 20: break"], ["    if a.sum() < -5: continue"]])

    def _for(self, depth, outer):
        bound = self.random.choice(["3", "20", "n"] if outer else ["3", "18"])
        return [f"for i in range({bound}):"] + self._leave() + self.nested(depth, outer) + \
            ["    a = a * 0.5 + 0.1 * i"] + ["    b = b * 0.5"]

    def _while(self, depth, outer):
        return ["while (a * a).sum() > 4:"] + ["    a = a * 0.5"] + self._leave()[:1]

    def _rows(self, depth, outer):
        return ["for r in a:", "    b = b * 0.5 + r"] + self._leave()


def built(text, name):
    """The function of a program's text, whose lines can be found."""
    import linecache
    filename = f"<fuzz {name}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    module = types.ModuleType(f"fuzz_{name}")
    vars(module).update(nn=nn, ms=ms, np=np)
    sys.modules[module.__name__] = module
    exec(compile(text, filename, "exec"), vars(module))
    return module.f


SEEDS = range(25)


@pytest.mark.parametrize("seed", SEEDS)
def test_random_program(seed):
    program = Program(seed)
    f = built(program.text, seed)
    calls = [(tensor([0.5, -1.0, 2.0]), tensor([1.0, 0.25, -0.5]), ms.Tensor(n, ms.int32)) for n in (0, 3, 2)]
    compiled = ms.jit(f)
    for args in calls:
        with np.errstate(all="ignore"):
            want = plain(f(*args))
        got = plain(compiled(*args))
        assert_same(got, want)
    assert not explain(compiled).fallbacks, str(explain(compiled))
