"""`ms.jit`: compiles functions, methods and Cells when they are called.

A call is looked up among the compiled entries by their guards. A new one is
captured whole; where that is not possible the function becomes residual Python
around compiled segments (`frontend.residual`), with the same results.
"""

import functools
import threading
import types
import weakref

from . import context
from .frontend import explain as _explain
from .frontend.capture import capture_call, capture_function, flatten_call, parameter_names
from .frontend.entry import Rerun
from .frontend.errors import CallRaises, Refused, Unsupported, not_captured
from .frontend.functions_source import definition
from .frontend.residual import residual
from .frontend.segments import CaptureSegmentCompiler
from .nn.cell import Cell
from .ops import emitter as _emitter
from .specialization import Specialization

__all__ = ["jit", "explain"]

_MOST_ENTRIES = 64
_jitted = weakref.WeakKeyDictionary()       # function -> its JitFunction in graph mode and residual code
_jitted_lock = threading.Lock()


def compile_options():
    """The options of `_core.compile` from the context."""
    options = {}
    if context.get_context("save_graphs"):
        options["save_graphs_path"] = context.get_context("save_graphs_path") or "."
    return options


class _Entries:
    """The compiled entries of one function (and Cell), most recently used first."""

    __slots__ = ("entries", "specialization", "plain", "__weakref__")

    def __init__(self):
        self.entries, self.specialization, self.plain = [], Specialization(), False

    def find(self, values):
        """(entry, inputs) for a flattened call, or None."""
        for i, entry in enumerate(self.entries):
            try:
                inputs = entry.check(values)
            except (AttributeError, IndexError, KeyError, TypeError):
                continue                    # the place of a guard is gone
            if inputs is not None:
                if i:
                    self.entries = [entry] + [e for e in self.entries if e is not entry]
                return entry, inputs
        return None


class JitFunction:
    """A compiled callable; calls like the function it wraps.

    function: a Python function. fullgraph: what cannot be one graph is a
    SyntaxError. `report` collects what `explain` tells.
    """

    def __init__(self, function, fullgraph=False):
        functools.update_wrapper(self, function)
        self.__mindir_jit__ = function
        self.fullgraph, self.report = fullgraph, _explain.Report()
        self._lock = threading.RLock()
        self._own, self._of_cells = _Entries(), weakref.WeakKeyDictionary()
        self._names = None
        self._residual = None

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args, **kwargs):
        emitter = _emitter.state.emitter
        if emitter is not None:
            return emitter.interpreter.call(self.__mindir_jit__, args, kwargs)
        values = self._flatten(args, kwargs)
        if values is None:
            return self.__mindir_jit__(*args, **kwargs)
        entries = self._entries(args)
        try:
            found = entries.find(values) or (None if entries.plain else self._compiled(entries, values))
            if found is not None:
                entry, inputs = found
                self.report.segment_run(entry.operations)
                return entry.run(inputs, values)[1]
        except (CallRaises, Rerun):
            found = entries
        # Here, not in the handler: what Python raises then has no other cause.
        return self._run_residual(args, kwargs) if found is None else self.__mindir_jit__(*args, **kwargs)

    def _compiled(self, entries, values):
        with self._lock:
            return entries.find(values) or self._compile(entries, values)

    def _flatten(self, args, kwargs):
        """The values of the parameters; None for a function without source text."""
        if self._names is None:
            try:
                self._arguments = definition(self.__mindir_jit__).args
            except Refused as why:
                self._names = False
                self._tell(None, str(why))
            else:
                self._names = parameter_names(self._arguments)
                a = self._arguments
                self._simple = not (a.vararg or a.kwarg or a.kwonlyargs)
        if self._names is False:
            if self.fullgraph:
                raise not_captured(Unsupported(None, "its source text cannot be had"),
                                   self.__mindir_jit__.__code__.co_filename, self.__qualname__)
            return None
        if not kwargs and self._simple and len(args) == len(self._names):
            return args
        return flatten_call(self.__mindir_jit__, self._names, args, kwargs)

    def _entries(self, args):
        """Where compiled code hangs: on the Cell that a method is called on, else here."""
        if args and isinstance(args[0], Cell):
            found = self._of_cells.get(args[0])
            if found is None:
                found = self._of_cells.setdefault(args[0], _Entries())
            return found
        return self._own

    def _compile(self, entries, values):
        if len(entries.entries) >= _MOST_ENTRIES:
            self._tell(None, f"compiled {_MOST_ENTRIES} times already")
            return None
        if entries.entries:
            reason = entries.entries[0].failed(values) or "a new signature"
            self.report.recompilation(self._place(None), reason)
        try:
            entry = capture_function(self.__mindir_jit__, values, entries.specialization)
        except Unsupported as why:
            if self.fullgraph:
                raise not_captured(why, self.__mindir_jit__.__code__.co_filename, self.__qualname__) from None
            self._tell(why.node, why.reason)
            entries.plain = True
            return None
        refused = _compiled(entry)
        if refused:
            self._tell(None, refused)
            entries.plain = True
            return None
        entries.entries = [entry] + entries.entries
        place = self._place(None)
        last = getattr(definition(self.__mindir_jit__), "end_lineno", place.line)
        self.report.segment_compiled(place, last, entry.operations)
        inputs = entry.check(values)
        if inputs is None:
            raise RuntimeError(f"a guard does not hold for the call it was made for: {entry.failed(values)}")
        return entry, inputs

    def _run_residual(self, args, kwargs):
        if self._residual is None:
            self._residual = residual(self.__mindir_jit__, _segment_compiler(), self.report)
        with _explain.under_jit(self.report):
            return self._residual(*args, **kwargs)

    def _place(self, node):
        code = self.__mindir_jit__.__code__
        return _explain.Place(code.co_filename, getattr(node, "lineno", code.co_firstlineno), self.__qualname__)

    def _tell(self, node, reason):
        self.report.fallback(self._place(node), reason)


class JitCall:
    """A compiled callable that is no function: a Cell, or what `ms.grad` gave.

    fallback: called where the whole cannot be captured.
    """

    def __init__(self, target, fallback, fullgraph=False):
        self.target, self.fallback, self.fullgraph = target, fallback, fullgraph
        self.report, self._lock, self._own = _explain.Report(), threading.RLock(), _Entries()
        self.__name__ = getattr(target, "__name__", type(target).__name__)

    @property
    def __mindir_jit__(self):
        return self.target

    def __getattr__(self, name):
        return getattr(object.__getattribute__(self, "target"), name)

    def __call__(self, *args, **kwargs):
        emitter = _emitter.state.emitter
        if emitter is not None:
            return emitter.interpreter.call(self.target, args, kwargs)
        values = args + tuple(kwargs.values()) + (len(args), tuple(kwargs))
        found = self._own.find(values)
        try:
            if found is None:
                with self._lock:
                    found = self._own.find(values) or self._compile(args, kwargs, values)
            if found is not None:
                entry, inputs = found
                self.report.segment_run(entry.operations)
                return entry.run(inputs, values)[1]
        except (CallRaises, Rerun):
            found = self
        if found is not None:
            return self.fallback(*args, **kwargs)
        with _explain.under_jit(self.report):
            return self.fallback(*args, **kwargs)

    def _compile(self, args, kwargs, values):
        if self._own.plain or len(self._own.entries) >= _MOST_ENTRIES:
            return None
        try:
            entry = capture_call(self.target, args, kwargs, self._own.specialization)
        except Unsupported as why:
            if self.fullgraph:
                raise not_captured(why, "<call>", self.__name__) from None
            self.report.fallback(_explain.Place("<call>", 0, self.__name__), why.reason)
            self._own.plain = True
            return None
        refused = _compiled(entry)
        if refused:
            self.report.fallback(_explain.Place("<call>", 0, self.__name__), refused)
            self._own.plain = True
            return None
        self._own.entries = [entry] + self._own.entries
        self.report.segment_compiled(_explain.Place("<call>", 0, self.__name__), 0, entry.operations)
        return entry, entry.check(values)


def _compiled(entry):
    """Compiles an entry; the reason when the compiler lacks something, else None."""
    try:
        entry.module(compile_options())
    except (RuntimeError, NotImplementedError) as why:
        return f"the compiler refuses the graph: {str(why).splitlines()[0] if str(why) else type(why).__name__}"
    return None


_compiler = None


def _segment_compiler():
    global _compiler
    if _compiler is None:
        _compiler = CaptureSegmentCompiler(compile_options, _jit_of)
    return _compiler


def _jit_of(function):
    """The JitFunction of a plain function, one while it lives."""
    found = _jitted.get(function)
    if found is None:
        with _jitted_lock:
            found = _jitted.setdefault(function, JitFunction(function))
    return found


def jit(function=None, *, fullgraph=False, **options):
    """Compiles a function, method, Cell or gradient; as a decorator, with or without options.

    The result is called as before and gives what it gave; statements that are no
    part of a graph run as Python. fullgraph: they are a SyntaxError instead, with
    the line and what to do. Other options are MindSpore's and ask for nothing
    here. TypeError for what cannot be called.
    """
    if function is None:
        return functools.partial(jit, fullgraph=fullgraph, **options)
    if isinstance(function, (JitFunction, JitCall)):
        return function
    if isinstance(function, types.MethodType):
        inner = function.__func__
        inner = inner if isinstance(inner, JitFunction) else JitFunction(inner, fullgraph)
        return types.MethodType(inner, function.__self__)
    if isinstance(function, types.FunctionType):
        return JitFunction(function, fullgraph)
    if isinstance(function, Cell):
        return JitCall(function, _cell_fallback(function), fullgraph)
    if hasattr(function, "eager"):
        return JitCall(function, function.eager, fullgraph)
    if callable(function):
        return JitCall(function, function, fullgraph)
    raise TypeError(f"For 'jit', expected a function or a Cell, found {type(function).__name__}.")


def _cell_fallback(cell):
    construct = type(cell).construct
    inner = construct if isinstance(construct, JitFunction) else _jit_of(construct)
    return types.MethodType(inner, cell)


def compile_call(target, args, kwargs):
    """A call in graph mode: `target` is a Cell's bound construct, or a gradient."""
    if isinstance(target, types.MethodType):
        function = target.__func__
        inner = function if isinstance(function, JitFunction) else _jit_of(function)
        return inner(target.__self__, *args, **kwargs)
    compiled = target.__dict__.get("_mindir_compiled")
    if compiled is None:
        compiled = target.__dict__["_mindir_compiled"] = JitCall(target, target.eager)
    return compiled(*args, **kwargs)


def explain(function):
    """The report of a jitted function: compiled segments, what ran as Python and why,
    guard failures, recompilations. TypeError for what is not jitted."""
    if isinstance(function, types.MethodType):
        function = function.__func__
    report = getattr(function, "report", None)
    if not isinstance(report, _explain.Report):
        raise TypeError(f"For 'explain', expected a jitted function, found {type(function).__name__}.")
    return report
