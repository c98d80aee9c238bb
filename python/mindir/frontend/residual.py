"""Residual Python: what cannot be one graph becomes a Python function with the
user's statements, in which as many of them as possible run as compiled
segments, found when they are first reached, with the real values.

The residual function is an ordinary function object with the user's name, file,
lines, signature, globals and closure. See docs/Rationale/ResidualPython.md."""

from __future__ import annotations

import builtins
import types
import weakref
from typing import Optional

from . import source
from .dispatch import Dispatcher, Shared, weak_rewriter
from .emit import CALLEES, DISPATCHER, Emitter
from .explain import Place, Report
from .plan import Table
from .segment import SegmentCompiler

_ATTRIBUTE = "__mindir_residual__"


def residual(function: types.FunctionType, compiler: SegmentCompiler,
             report: Optional[Report] = None) -> types.FunctionType:
    """Returns the residual function of `function`; made once, then kept on it.

    Calling it gives the results, side effects, exceptions and tracebacks of
    calling `function`. Segments are compiled by `compiler` during calls; `report`
    is told of them. A function whose source text cannot be had (see
    `source.function_ast`) is returned as it is, which `report` tells too; so is
    a function nested in a residual one, which is residual already.
    """
    if source.is_residual(function.__code__):
        return function
    kept = function.__dict__.get(_ATTRIBUTE)
    # functools.wraps copies the attribute to other functions: check the owner.
    if kept is not None and kept.owner() is function and kept.compiler is compiler:
        return kept.function
    report = report if report is not None else Report()
    try:
        made = _Residual(function, compiler, report)
    except source.NoSource as why:
        code = function.__code__
        report.fallback(Place(code.co_filename, code.co_firstlineno, code.co_qualname), str(why))
        return function
    function.__dict__[_ATTRIBUTE] = made
    return made.function


class _Residual:
    """A residual function, and how to write it anew when more is known."""

    def __init__(self, function: types.FunctionType, compiler: SegmentCompiler, report: Report):
        self.owner = weakref.ref(function)
        self.compiler = compiler
        self._node = source.function_ast(function)
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or ()))
        self._shared = Shared(compiler, report, function.__globals__, cells,
                              function.__code__.co_filename, source.class_name(function))
        self._shared.rewrite = weak_rewriter(self, "rewrite")
        code = self._version(function)
        self.function = types.FunctionType(
            code, function.__globals__, function.__name__, function.__defaults__,
            tuple(cells[n] for n in code.co_freevars) or None)
        self._dress(function)

    def rewrite(self) -> None:
        """Takes sites out that can never start a segment. Calls that are under
        way finish with the old code."""
        code = self._version(self.function)
        if code.co_freevars == self.function.__code__.co_freevars:
            self.function.__code__ = code

    def _version(self, function: types.FunctionType) -> types.CodeType:
        table = Table(self._shared.never)
        hidden = frozenset(n for n in function.__globals__ if hasattr(builtins, n))
        definition = Emitter(table, hidden).function(self._node, function.__code__.co_qualname)
        code = source.compile_function(definition, function)
        return _inject(code, Dispatcher(table, self._shared))

    def _dress(self, function: types.FunctionType) -> None:
        new = self.function
        new.__qualname__ = function.__qualname__
        new.__module__ = function.__module__
        new.__doc__ = function.__doc__
        new.__kwdefaults__ = function.__kwdefaults__
        if hasattr(function, "__annotate__"):  # evaluated when asked for, since 3.14
            new.__annotate__ = function.__annotate__
        else:
            new.__annotations__ = function.__annotations__
        if hasattr(function, "__type_params__"):
            new.__type_params__ = function.__type_params__
        new.__dict__.update(function.__dict__)


def _inject(code: types.CodeType, dispatcher: Dispatcher) -> types.CodeType:
    """Puts the dispatcher where its placeholder constant is: no name of the
    user's globals, closure or locals has to hold it."""
    known = {DISPATCHER: dispatcher, CALLEES: dispatcher.callees}

    def put(const):
        if isinstance(const, types.CodeType):
            return _inject(const, dispatcher)
        return known.get(const, const) if isinstance(const, str) else const
    return code.replace(co_consts=tuple(put(c) for c in code.co_consts))
