"""Random functions: plain Python and residual Python must do the same, in the
same order, whatever is captured."""

import linecache
import random
import sys
import traceback

import pytest
from recorder import Recorder, Refuser, T, relu

from mindir.frontend.residual import residual


class Program:
    """The text of one random function `f(a, b, box)`."""

    def __init__(self, seed):
        self._random = random.Random(seed)
        self._names = ["a", "b"]
        self._counter = 0
        self._generator = seed % 7 == 3
        self._lines = ["def f(a, b, box):"]
        self._block(1, self._random.randint(3, 6), False)
        self._emit(1, "return %s, %s" % (self._name(), self._expression(2)))
        self.text = "\n".join(self._lines) + "\n"

    def _emit(self, depth, line):
        self._lines.append("    " * depth + line)

    def _name(self):
        return self._random.choice(self._names)

    def _target(self):
        if self._random.random() < 0.5 and len(self._names) < 7:
            self._names.append("v%d" % len(self._names))
            return self._names[-1]
        return self._name()

    def _expression(self, depth):
        r = self._random
        if depth == 0:
            return r.choice([self._name(), self._name(), str(r.randint(0, 3)), "box.item"])
        kind = r.randint(0, 9)
        left, right = self._expression(depth - 1), self._expression(depth - 1)
        if kind < 4:
            return "(%s %s %s)" % (left, r.choice("+-*"), right)
        if kind == 4:
            return "relu(T(0) + %s)" % left
        if kind == 5:
            return "effect(%s, %s)" % (left, right)
        if kind == 6:
            return "(%s / %s)" % (left, right)
        if kind == 7:
            return "box.method(%s, key=%s)" % (left, right)
        if kind == 8:
            return "(%s if %s > 1 else effect(%s))" % (left, right, left)
        return "(T(0) + %s).sum()" % left

    def _block(self, depth, count, loop):
        before = len(self._lines)
        for _ in range(count):
            self._statement(depth, loop)
        if len(self._lines) == before:
            self._emit(depth, "pass")

    def _statement(self, depth, loop):
        r = self._random
        simple = ["assign"] * 6 + ["augment", "effect", "effect", "attribute", "tuple", "delete",
                                   "raise", "append", "yield", "annotate"]
        deep = ["if", "if", "for", "while", "try", "with", "def"] if depth < 3 else []
        kind = r.choice(simple + deep + (["break", "continue", "return"] if loop else []))
        getattr(self, "_" + kind)(depth, loop)

    def _assign(self, depth, loop):
        e = self._expression(2)
        self._emit(depth, "%s = %s" % (self._target(), e))

    def _annotate(self, depth, loop):
        e = self._expression(2)
        self._emit(depth, "%s: int = %s" % (self._target(), e))

    def _augment(self, depth, loop):
        self._emit(depth, "%s += %s" % (self._name(), self._expression(2)))

    def _tuple(self, depth, loop):
        e = self._expression(1), self._expression(2)
        self._emit(depth, "%s, %s = %s, %s" % (self._target(), self._target(), *e))

    def _effect(self, depth, loop):
        self._emit(depth, "effect(%s)" % self._expression(2))

    def _attribute(self, depth, loop):
        self._emit(depth, "box.item %s %s" % (self._random.choice(["=", "+="]), self._expression(2)))

    def _append(self, depth, loop):
        self._emit(depth, "box.items.append(%s)" % self._expression(2))

    def _delete(self, depth, loop):
        if self._random.random() < 0.3:
            self._emit(depth, "del %s" % self._name())

    def _raise(self, depth, loop):
        self._emit(depth, "if %s > 20: raise ValueError(repr(%s))" % (self._name(), self._name()))

    def _yield(self, depth, loop):
        if self._generator:
            self._emit(depth, "%s = (yield %s) or %s" % (self._target(), self._expression(1), self._name()))

    def _break(self, depth, loop):
        self._emit(depth, "if %s > 2: break" % self._expression(1))

    def _continue(self, depth, loop):
        self._emit(depth, "if %s > 2: continue" % self._expression(1))

    def _return(self, depth, loop):
        self._emit(depth, "if %s > 9: return %s" % (self._expression(1), self._expression(1)))

    def _if(self, depth, loop):
        test = self._random.choice(["%s > %s", "%s > 1 and %s", "not %s or %s < 3"])
        self._emit(depth, "if %s:" % (test % (self._expression(1), self._expression(1))))
        self._block(depth + 1, 2, loop)
        if self._random.random() < 0.5:
            self._emit(depth, "else:")
            self._block(depth + 1, 2, loop)

    def _for(self, depth, loop):
        self._counter += 1
        name = "i%d" % self._counter
        self._names.append(name)
        self._emit(depth, "for %s in range(%d):" % (name, self._random.randint(0, 3)))
        self._emit(depth + 1, "pass")
        self._block(depth + 1, 2, True)
        if self._random.random() < 0.3:
            self._emit(depth, "else:")
            self._emit(depth + 1, "effect(%s)" % self._name())

    def _while(self, depth, loop):
        self._counter += 1
        k = "k%d" % self._counter
        self._emit(depth, "%s = T(0)" % k)
        self._emit(depth, "while %s < 3:" % k)
        self._emit(depth + 1, "%s = %s + 1" % (k, k))
        self._block(depth + 1, 2, True)

    def _try(self, depth, loop):
        self._emit(depth, "try:")
        self._emit(depth + 1, "%s = %s / %s" % (self._target(), self._name(), self._name()))
        self._block(depth + 1, 2, loop)
        self._emit(depth, "except (ZeroDivisionError, UnboundLocalError) as error:")
        self._emit(depth + 1, "effect(str(error))")
        self._block(depth + 1, 1, loop)
        if self._random.random() < 0.5:
            self._emit(depth, "finally:")
            self._emit(depth + 1, "%s = T(1) * 2" % self._target())
            self._block(depth + 1, 1, False)

    def _with(self, depth, loop):
        self._emit(depth, "with box.manager(%s):" % self._name())
        self._emit(depth + 1, "effect(1)")
        self._block(depth + 1, 2, loop)

    def _def(self, depth, loop):
        self._counter += 1
        f, outer = "g%d" % self._counter, self._names
        self._names = ["p", "q"] + ([outer[0]] if self._random.random() < 0.5 else [])
        generator, self._generator = self._generator, False
        self._emit(depth, "def %s(p, q=T(2)):" % f)
        self._block(depth + 1, 2, False)
        self._emit(depth + 1, "return p + %s" % self._expression(1))
        self._names, self._generator = outer, generator
        self._emit(depth, "%s = %s(%s)" % (self._target(), f, self._name()))


class Box:
    """Attributes, calls and context managers that leave marks."""

    def __init__(self, effects):
        self.__dict__.update(effects=effects, items=[], _item=T(3))

    @property
    def item(self):
        self.effects.append("get item")
        return self._item

    @item.setter
    def item(self, value):
        self.effects.append("set item %r" % (value,))
        self.__dict__["_item"] = value

    def method(self, x, key):
        self.effects.append("method %r %r" % (x, key))
        return x

    def manager(self, x):
        self.effects.append("manager %r" % (x,))
        return self

    def __enter__(self):
        self.effects.append("enter")

    def __exit__(self, kind, value, tb):
        self.effects.append("exit %r" % (value,))
        return kind is ValueError


def define(seed):
    """The function, its effects, its file name."""
    filename, effects = "<fuzz %d>" % seed, []
    text = Program(seed).text

    def effect(x, *more):
        effects.append(repr((x,) + more))
        return x

    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    scope = {"__name__": "fuzz", "T": T, "relu": relu, "effect": effect}
    exec(compile(text, filename, "exec"), scope)
    return scope["f"], effects, filename


def observe(f, effects, filename, values, traced):
    effects.clear()
    lines = []

    def trace(frame, event, argument):
        if frame.f_code.co_filename != filename:
            return None
        lines.append((frame.f_code.co_name, event, frame.f_lineno))
        return trace

    outer = sys.gettrace()
    if traced:
        sys.settrace(trace)
    try:
        result = f(*values, Box(effects))
        outcome = repr(list(result) if hasattr(result, "send") else result)
    except Exception as error:
        frames = [(e.filename, e.lineno, e.name) for e in traceback.extract_tb(error.__traceback__)]
        outcome = type(error), str(error), [e for e in frames if e[0] == filename]
    finally:
        sys.settrace(outer)
    return outcome, list(effects), lines


VALUES = [(T(2), T(3)), (T(0), T(1)), (T(-5), 2)]


@pytest.mark.parametrize("start", range(0, 200, 25))
def test_random_functions(start):
    for seed in range(start, start + 25):
        f, effects, filename = define(seed)
        # CPython gives the end of a `finally` that re-raises, and of a `with`, the
        # line of whatever instruction precedes it in the code, executed or not.
        cleans_up = "finally:" in Program(seed).text or "with " in Program(seed).text
        plain = [observe(f, effects, filename, v, True) for v in VALUES]
        for compiler in (Recorder(), Refuser())[:1 + (seed % 4 == 0)]:
            made = residual(f, compiler)
            assert made is not f
            for _ in range(2):
                for values, expected in zip(VALUES, plain):
                    traced = type(compiler) is Refuser
                    got = observe(made, effects, filename, values, traced)
                    assert got[:2] == expected[:2], (seed, type(compiler))
                    if traced and not cleans_up:
                        assert got[2] == expected[2], (seed, values)
        del linecache.cache[filename]
