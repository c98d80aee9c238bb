"""Capture of Python's own constructs: each case as plain Python and under jit."""

import collections
import math

import numpy as np
import pytest

from mindir import ops
import mindir as ms
from capturing import check, tensor

X = tensor([1., 2., 3.])


def test_defaults_keywords_and_stars():
    def f(x, scale=2.0, *, bias=1.0):
        return x * scale + bias

    def g(*xs, **named):
        s = xs[0]
        for v in xs[1:]:
            s = s + v
        for k in named:
            s = s * named[k]
        return s
    check(f, (X,), (X, {"keywords": {"scale": 3.0}}), (X, 4.0, {"keywords": {"bias": X}}))
    check(g, (X, X), (X, X, X, {"keywords": {"w": X}}))


def test_comprehensions():
    def f(x):
        a = [x * i for i in range(5) if i % 2 == 1]
        d = {str(i): x + i for i in range(3)}
        t = tuple(v.sum() for v in a)
        s = {i // 2 for i in range(5)}
        return ops.stack(a), d["2"], t, len(s)
    check(f, (X,))


def test_closures_and_lambdas():
    def f(x, k):
        def inner(v):
            return v * k + x
        twice = lambda h, v: h(h(v))
        return twice(inner, x + 1) + sum(map(lambda q: q * 2, [1, 2, 3]))
    check(f, (X, 2), (X, 7))


def test_nonlocal_in_a_nested_function():
    def f(x):
        count = 0

        def bump(v):
            nonlocal count
            count += 1
            return v + count
        return bump(bump(x)), count
    check(f, (X,))


def test_strings():
    def f(x):
        name = "mode=%s n=%d" % ("a", 3)
        tag = f"{name}|{x.shape[0]}|{2.5:.2f}"
        return (x + 1, tag) if tag.startswith("mode=a") else (x - 1, tag)
    check(f, (X,))


def test_dicts():
    def f(x):
        d = {"a": x, "b": x * 2}
        d["c"] = x * 3
        d.update({"a": x * 10})
        s = x * 0
        for k, v in d.items():
            if k != "b":
                s += v
        del d["b"]
        return s, list(d.keys()), "b" in d, d.get("zz", 4), {**d, "e": 1}["e"]
    check(f, (X,))


def test_unpacking():
    def f(pair):
        (a, b), *rest = pair
        c, d = rest
        return a - b, c, [*rest, a]
    check(f, (((X, X * 3), X, X + 1),))


def test_builtins():
    def f(x):
        n = max(3, 7) + min(1, 2) + abs(-4) + round(2.4) + int(3.9) + len([1, 2])
        return x * n, isinstance(x, ms.Tensor), sorted([3, 1, 2]), any([False, True]), all([True, False])
    check(f, (X,))


def test_walrus_match_and_slices():
    def f(x, kind):
        if (n := x.shape[0]) > 2 and 0 < n <= 3:
            x = x * n
        match kind:
            case "relu":
                return ops.relu(x)
            case "neg" | "minus":
                return -x
            case _:
                return x, list(range(10))[2:8:2]
    check(f, (-X, "relu"), (X, "minus"), (X, "other"))


def test_attributes_of_a_plain_object():
    class Config:
        def __init__(self):
            self.scale, self.names = 3.0, ["a", "b"]

        def twice(self, v):
            return v * 2

        @property
        def half(self):
            return self.scale / 2
    config = Config()

    def f(x):
        return config.twice(x) * config.scale + len(config.names) + config.half
    compiled = check(f, (X,))
    for scale in (5.0, 3.0, 7.0):
        config.scale = scale
        np.testing.assert_allclose(compiled(X).asnumpy(), f(X).asnumpy())


def test_side_effects_happen_at_every_call():
    def make(wrap):
        log, seen = [], {"calls": 0}

        class Box:
            n = 0
        box = Box()

        def f(x):
            log.append(1)
            seen["calls"] += 1
            box.n = box.n + 2
            return x * 2
        g = wrap(f)
        for i in range(4):
            g(tensor([float(i)]))
        return len(log), seen["calls"], box.n
    assert make(ms.jit) == make(lambda f: f) == (4, 4, 8)


def test_list_argument_is_changed_in_place():
    def f(items, x):
        items.append(x)
        items[0] = x * 2
        return items[0] + x
    check(f, ([X], X))


def test_tensors_stored_on_outer_objects():
    seen = []

    def f(x):
        y = x * 2
        seen.append(y)
        return y + 1
    ms.jit(f)(X)
    np.testing.assert_allclose(seen[0].asnumpy(), [2, 4, 6])


def test_globals_closures_and_attributes_are_guarded():
    scale = 1.0

    @ms.jit
    def f(x):
        return x * scale

    def put(v):
        nonlocal scale
        scale = v
    for v in (1.0, 10.0, 1.0, -3.0):
        put(v)
        np.testing.assert_allclose(f(X).asnumpy(), X.asnumpy() * v)


def test_python_numbers_keep_type_and_bits():
    def f(x, k):
        return x / k if isinstance(k, float) else x + k

    def g(x, z):
        return x * z

    def clip(x, c):
        return ops.clamp(x, -c, c)
    check(f, *[(X, k) for k in (1, 1.0, 2, 2.0, 3.5, 1, True, 4.0, -7)])
    compiled = check(g, (X, float("nan")), (X, 2.0))
    assert np.signbit(compiled(X, -0.0).asnumpy()).all()
    assert not np.signbit(compiled(X, 0.0).asnumpy()).any()
    check(clip, (X, 0.5), (X, 2.5), (X, 0.5))


def test_number_arguments_do_not_recompile():
    compiled = check(lambda x, k: x * k + 1, (X, 2.0), (X, 3.0), (X, 4.5))
    assert not compiled.report.events("recompilation"), str(compiled.report)


def test_sizes_become_unknown_at_their_second_value():
    def f(x, y):
        n = x.shape[0]
        t = ops.matmul(x, y)
        return (t - t.mean(0)) / n
    r = np.random.default_rng(1)
    calls = [(tensor(r.standard_normal((n, 4))), tensor(r.standard_normal((4, 3)))) for n in (2, 3, 5, 8, 2, 1, 13)]
    compiled = check(f, *calls)
    assert len(compiled.report.segments) <= 3, str(compiled.report)


def test_python_number_of_a_tensor():
    def f(x):
        v = x.sum().item()
        return x * v, int(x.max()), float(x.min())
    check(f, (X,), (X * 2,))


def test_recursion_on_python_values():
    def power(x, n):
        if n == 0:
            return ops.ones_like(x)
        return x * power(x, n - 1)

    def f(x):
        return power(x, 3)
    check(f, (X,))


def test_math_and_imports():
    def f(x):
        import math as m
        return x * m.floor(2.7) + math.sqrt(4.0)
    check(f, (X,))


def test_numpy_constants():
    def f(x):
        w = np.array([1.0, 0.5, 2.0], np.float32) * np.sqrt(4.0)
        return x * ms.Tensor(w.astype(np.float32))
    check(f, (X,))


def test_known_exceptions_are_handled():
    def f(x):
        try:
            y = x * 2
            1 / 0
        except ZeroDivisionError as e:
            y = x + 100
        return y
    check(f, (X,))


def test_what_is_not_captured_runs_as_python(capsys):
    def f(x):
        y = x * 2
        print("here")
        return y + 1
    check(f, (X,), fallback=True)
    assert capsys.readouterr().out.count("here") == 2


def test_fullgraph_names_line_and_remedy():
    @ms.jit(fullgraph=True)
    def f(x):
        print("no")
        return x
    with pytest.raises(SyntaxError, match="print.*fullgraph"):
        f(X)


def test_errors_are_those_of_python():
    def missing(x):
        return x + undefined_name                   # noqa: F821 - the point of the test

    def attribute(x):
        return x.nope
    check(missing, (X,))
    check(attribute, (X,))
    with pytest.raises(ValueError, match="For 'MatMul'") as caught:
        ms.jit(lambda a: ops.matmul(a, a))(tensor(np.ones((2, 3))))
    assert any(str(entry.path) == __file__ and entry.name == "<lambda>" for entry in caught.traceback)


def test_ordered_dicts_are_dicts():
    outer = collections.OrderedDict(b=X, a=tensor([4., 5., 6.]))

    def reads(x):
        for name, v in outer.items():
            x = x * v if name == "b" else x - v
        return x, list(outer), outer["a"] + 1

    def rebuilds(x):
        made = collections.OrderedDict([("b", x), ("a", x + 1)])
        made.move_to_end("b")
        if x.sum() > 0:
            made["a"] = made["a"] * 2
        return made

    def writes(d, x):
        d["c"] = x
        d.move_to_end("b")
        return d.popitem(last=False)[1] * 2
    check(reads, (X,))
    check(rebuilds, (X,), (-X,))
    check(writes, (collections.OrderedDict(outer), X))
