"""Prints what a boundary between residual Python and a segment costs, and what
writing a residual function costs. Run it as a script; the figures are in
docs/Rationale/ResidualPython.md."""

import sys
import time
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[3] / "python")]

from recorder import Recorder, Refuser  # noqa: E402
from mindir.frontend.residual import residual  # noqa: E402
from mindir.frontend.segment import Unsupported  # noqa: E402

LENGTH = 20


def foreign(x):
    return x


class Instant(Recorder):
    """Its segments do nothing: what is measured is the way to them and back."""

    def key(self, values):
        return tuple(map(type, values))

    def callee(self, function):
        return function

    def compile(self, request):
        super().compile(request)
        outs = (1,) * len(request.live_out)

        class Segment:
            operations, restartable = 1, True
            statements = len(request.statements)

            def __call__(self, values):
                return self.statements, outs
        return Segment()

    def _check_call(self, n, known, request):
        raise Unsupported(n, "foreign", always=True)


def program(statements):
    """A function of LENGTH times the statements, with `a` and `b` in scope."""
    import linecache
    text = "def f(a, b):\n    x = y = a\n" + "".join(
        "    %s\n" % s for _ in range(LENGTH) for s in statements) + "    return x\n"
    name = "<measure %d>" % abs(hash(text))
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    scope = {"foreign": foreign}
    exec(compile(text, name, "exec"), scope)
    return scope["f"]


def seconds(f, *values, repeat=50):
    """The best of many short averages: other work on the machine disturbs few."""
    best = float("inf")
    for _ in range(300):
        start = time.perf_counter()
        for _ in range(repeat):
            f(*values)
        best = min(best, (time.perf_counter() - start) / repeat)
    return best


def main():
    call = program(["foreign(a)"])
    both = program(["x = a + b", "foreign(a)"])
    closed = program(["if y: z = a + b", "foreign(a)"])
    plain = seconds(call, 1, 2)
    refused = residual(program(["foreign(a)"]), Instant())
    for _ in range(50):
        refused(1, 2)
    print("foreign call, plain                       %6.0f ns" % (plain / LENGTH * 1e9))
    print("foreign call, in residual Python          %6.0f ns" % (seconds(refused, 1, 2) / LENGTH * 1e9))
    for label, function in (("segment, names surely bound", both), ("segment, names of the frame", closed)):
        made = residual(function, Instant())
        for _ in range(50):
            made(1, 2)
        cost = (seconds(made, 1, 2) - seconds(refused, 1, 2)) / LENGTH
        print("%-41s %6.0f ns" % (label + ", there and back", cost * 1e9))
    start = time.perf_counter()
    residual(both, Refuser())
    print("writing a function of %d statements       %6.1f ms"
          % (2 * LENGTH, (time.perf_counter() - start) * 1e3))


if __name__ == "__main__":
    main()
