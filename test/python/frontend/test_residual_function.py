"""The residual function as an object, the protocol with the compiler of
segments, and the report."""

import gc
import functools
import inspect
import linecache
import threading
import weakref

import pytest
from recorder import Recorder, T, relu

from mindir.frontend.explain import Report, operation_executed, under_jit
from mindir.frontend.residual import residual
from mindir.frontend.segment import MISSING, GuardFailed, Unsupported


def foreign(x):
    return x


def decorator(f):
    return f


@decorator
@functools.partial(decorator)
def documented(a: int, /, b: "T" = T(2), *rest, c=3, **more) -> T:
    """What it does."""
    x = a * b
    foreign(x)
    return x * c


def test_it_looks_like_the_users_function():
    made = residual(documented, Recorder())
    assert isinstance(made, type(documented)) and made is not documented
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__defaults__",
                 "__kwdefaults__", "__annotations__", "__closure__"):
        assert getattr(made, name) == getattr(documented, name)
    assert inspect.signature(made) == inspect.signature(documented)
    assert inspect.getsource(made) == inspect.getsource(documented)
    assert made.__globals__ is documented.__globals__
    for name in ("co_filename", "co_firstlineno", "co_name", "co_qualname", "co_argcount"):
        assert getattr(made.__code__, name) == getattr(documented.__code__, name)


def test_it_is_made_once_and_dies_with_the_function():
    compiler = Recorder()

    def local(a):
        return local if a is None else a * 2 + foreign(a)

    assert residual(local, compiler) is residual(local, compiler)
    assert residual(local, compiler)(T(2)).value == 6

    @functools.wraps(local)
    def other(a):
        return a * 3
    assert residual(other, compiler)(T(2)).value == 6
    watched = weakref.ref(local), weakref.ref(residual(local, compiler))
    del local, other
    gc.collect()
    assert [w() for w in watched] == [None, None]


TEXT = "def f(a):\n    x = a * 2\n    foreign(x)\n    return x + 1\n"


class Private:
    __scale = 3

    def make(self):
        def inner(a):
            foreign(a)
            return a * self.__scale + __class__.__scale
        return inner


def test_private_names_and_class_cell_of_a_nested_function():
    made = residual(Private().make(), Recorder())
    assert made(T(2)).value == 9


class Base:
    def apply(self, a):
        return a * 2


class Derived(Base):
    def apply(self, a):
        x = super(Derived, self).apply(a) + super().apply(a)
        foreign(x)
        return x * 3


def test_super_and_the_name_of_the_class():
    report = Report()
    made = residual(Derived.apply, Recorder(), report)
    assert made is not Derived.apply, report.text()
    assert made(Derived(), T(2)).value == 24


def test_text_that_is_registered_is_used():
    name = "<cell 7>"
    linecache.cache[name] = (len(TEXT), None, TEXT.splitlines(True), name)
    scope = {"foreign": foreign}
    exec(compile(TEXT, name, "exec"), scope)
    compiler = Recorder()
    made = residual(scope["f"], compiler)
    assert made is not scope["f"] and made(T(2)).value == 5 and compiler.log
    del linecache.cache[name]


@pytest.mark.parametrize("text,reason", [
    (TEXT, "no source"), ("f = lambda a: a * 2 + 1\n", "def statement"),
    ("async def f(a): return a\n", "coroutine")])
def test_without_text_it_runs_as_it_is(text, reason, tmp_path):
    path = tmp_path / "m.py" if reason != "no source" else "<string>"
    if reason != "no source":
        path.write_text(text)
    scope = {"foreign": foreign}
    exec(compile(text, str(path), "exec"), scope)
    report = Report()
    assert residual(scope["f"], Recorder(), report) is scope["f"]
    assert reason in report.fallbacks[0].reason


def test_calls_of_what_the_module_imports():
    """CPython compiles them unlike other calls of attributes."""
    def imports(a):
        return relu(T(inspect.CO_OPTIMIZED + len(inspect.cleandoc("x")))) * a + inspect.unwrap(a)
    report = Report()
    assert residual(imports, Recorder(), report) is not imports, report.text()


def test_a_file_that_was_changed_is_not_believed(tmp_path):
    path = tmp_path / "m.py"
    path.write_text(TEXT.replace("* 2", "* 3"))
    scope = {"foreign": foreign}
    exec(compile(TEXT, str(path), "exec"), scope)
    report = Report()
    assert residual(scope["f"], Recorder(), report) is scope["f"]
    assert "not that of the running code" in report.fallbacks[0].reason


def piecewise(a, n):
    x = a * 2
    foreign(x)
    y = x + n
    z = y * 3
    return z - 1


def test_segments_are_keyed_by_types():
    compiler, report = Recorder(), Report()
    made = residual(piecewise, compiler, report)
    for _ in range(3):
        assert made(T(2), 1).value == 14
    assert compiler.compiled == 2 and not report.events("recompilation")
    assert made(T(2), T(1)).value == 14
    assert compiler.compiled == 3  # what does not depend on n is kept
    assert {e.reason for e in report.events("recompilation")} == {"new types"}
    lines = [(s.place.line, s.last_line) for s in report.segments]
    first = piecewise.__code__.co_firstlineno
    assert lines[:2] == [(first + 1, first + 1), (first + 3, first + 5)]
    assert [(e.place.line, e.reason) for e in report.fallbacks][0] \
        == (first + 2, "call of a foreign function")


class Scripted(Recorder):
    """Segments that behave as the test says."""

    def __init__(self, behaviour):
        super().__init__()
        self.behaviour = behaviour

    def compile(self, request):
        segment = super().compile(request)
        behaviour = self.behaviour

        class Wrapped:
            operations, restartable = segment.operations, True

            def __call__(self, values):
                return behaviour(segment, request, values)
        return Wrapped()


def whole(a, b):
    x = a * 2
    y = x + b
    if y > 100:
        raise ValueError("at %r" % y)
    z = y * 3
    return z + x


class Guarded(Scripted):
    def _check(self, s, known, request):
        pass  # takes `raise` into a segment


def test_a_segment_may_stop_before_a_statement():
    def behaviour(segment, request, values):
        a, b = values
        if a.value * 2 + b.value <= 100:
            return segment(values)
        x = a * 2
        known = {"x": x, "y": x + b}
        return 2, tuple(known.get(n, MISSING) for n in request.live_out)
    made = residual(whole, Guarded(behaviour))
    assert made(T(2), T(3)).value == 25
    with pytest.raises(ValueError, match=r"at T\(201\)") as error:
        made(T(99), T(3))
    assert error.traceback[-1].lineno == whole.__code__.co_firstlineno + 3
    frame = error.traceback[-1].frame
    assert {n: repr(v) for n, v in frame.f_locals.items() if not n.startswith(".")} \
        == {"a": "T(99)", "b": "T(3)", "x": "T(198)", "y": "T(201)"}


def test_an_exception_in_a_segment_is_raised_by_its_statement():
    def behaviour(segment, request, values):
        raise RuntimeError("inside")
    report = Report()
    made = residual(whole, Guarded(behaviour), report)
    assert made(T(2), T(3)).value == 25
    assert "RuntimeError in the segment: inside" in report.text()


def test_guards_that_fail_recompile():
    scale = [2]

    class Watching(Recorder):
        def compile(self, request):
            segment = super().compile(request)
            seen = scale[0]

            class Wrapped:
                operations, restartable = segment.operations, True

                def __call__(self, values):
                    if scale[0] != seen:
                        raise GuardFailed("scale changed")
                    return segment(values)
            return Wrapped()

    compiler, report = Watching(), Report()
    made = residual(piecewise, compiler, report)
    for scale[0] in (2, 2, 3, 3):
        assert made(T(2), 1).value == 14
    assert compiler.compiled == 4
    assert {e.reason for e in report.events("guard failure")} == {"scale changed"}
    for i in range(120):
        scale[0] = 10 + i
        assert made(T(2), 1).value == 14
    assert compiler.compiled < 80
    assert "at every call" in report.text()


def test_an_error_of_the_compiler_leaves_python():
    class Broken(Recorder):
        def compile(self, request):
            raise TypeError("For 'MatMul', shapes differ")
    report = Report()
    assert residual(piecewise, Broken(), report)(T(2), 1).value == 14
    assert "For 'MatMul'" in report.text()


def hot(a, n):
    for i in range(n):
        foreign(i)
        k = i
        foreign(k)
        a = a * 1
        foreign(a)
    return a


def test_sites_that_never_start_a_segment_disappear():
    compiler = Recorder()

    class Static(Recorder):
        def _check_call(self, n, known, request):
            try:
                super()._check_call(n, known, request)
            except Unsupported as refusal:
                refusal.always = True
                raise
    made = residual(hot, Static())
    before = made.__code__
    for _ in range(3):
        assert made(T(2), 50).value == 2
    assert made.__code__ is not before
    assert len(made.__code__.co_code) < len(before.co_code)


def test_threads_share_segments():
    compiler, results = Recorder(), []
    made = residual(piecewise, compiler)
    barrier = threading.Barrier(8)

    def work(i):
        barrier.wait()
        for k in range(50):
            results.append(made(T(i), k).value == (i * 2 + k) * 3 - 1)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(results) == 400 and all(results)
    assert compiler.compiled == 2


def test_tensors_are_not_kept_by_the_frame():
    """A temporary or the result of a segment does not outlive its statement."""
    watched = []

    def watch(x):
        watched.append(weakref.ref(x))
        return x

    def dies(a):
        x = watch(relu(a) * 2) * 3 + watch(a * 1)
        gc.collect()
        alive = [w() is not None for w in watched]
        return x, alive
    assert residual(dies, Recorder())(T(2))[1] == [False, False]


def test_the_report():
    report = Report()
    with under_jit(report):
        operation_executed(5)
        with under_jit(Report()):
            operation_executed()
    operation_executed()
    report.segment_run(95)
    assert (report.operations_inside, report.operations_outside, report.coverage) == (95, 5, 0.95)
    assert "95 of 100 tensor operations (95.0 %)" in str(report)
    assert Report().coverage == 1.0
