"""The compiler of segments that residual functions use; see `segment`."""

import sysconfig
import types
import weakref

import numpy as np

from ..nn.cell import Cell
from ..specialization import Specialization
from ..tensor import Tensor
from .capture import capture_statements
from .entry import Rerun
from .errors import CallRaises
from .segment import BREAK, CONTINUE, GuardFailed, MISSING, RETURN, Unsupported
from .values import DICTS

_STATUS = {"return": RETURN, "break": BREAK, "continue": CONTINUE}
_LIBRARY = tuple(sysconfig.get_paths()[k] for k in ("stdlib", "platstdlib", "purelib", "platlib"))


class CompiledSegment:
    """A segment over an `Entry`; its protocol is `segment.Segment`."""

    def __init__(self, entry, count, options):
        self._entry, self._count = entry, count
        self.operations, self.restartable = entry.operations, entry.restartable
        if self.operations:
            entry.module(options)

    def __call__(self, values):
        inputs = self._entry.check(values)
        if inputs is None:
            raise GuardFailed(self._entry.failed(values) or "an input changed")
        try:
            kind, payload = self._entry.run(inputs, values)
        except Rerun:
            return 0, ()
        return (self._count if kind == "normal" else _STATUS[kind]), payload


class CaptureSegmentCompiler:
    """Compiles segments by capture. options() gives the options of `_core.compile`."""

    def __init__(self, options=dict, jit_of=None):
        self._options, self._jit_of = options, jit_of
        self._learnt = {}

    def compile(self, request):
        """The segment of a `SegmentRequest`; raises `Unsupported`."""
        first = request.statements[0]
        key = (request.context.qualname, first.lineno, first.col_offset)
        learnt = self._learnt.setdefault(key, Specialization())
        try:
            entry = capture_statements(request, learnt)
            return CompiledSegment(entry, len(request.statements), self._options())
        except CallRaises as e:
            cause = e.__cause__
            raise Unsupported(getattr(e, "node", None), f"it raises {type(cause).__name__}: {cause}") from e
        except (RuntimeError, NotImplementedError) as e:
            raise Unsupported(first, f"the compiler refuses the graph: {e}") from e

    def key(self, values):
        """The types of the live-ins."""
        return tuple([type_key(v) for v in values])

    def callee(self, function):
        """The jitted version of a user's function; others as they are."""
        if self._jit_of is None:
            return function
        if type(function) is types.MethodType and type(function.__func__) is types.FunctionType:
            inner = self.callee(function.__func__)
            return types.MethodType(inner, function.__self__) if inner is not function.__func__ else function
        if type(function) is not types.FunctionType or function.__code__.co_filename.startswith(_LIBRARY) \
                or (function.__module__ or "").split(".")[0] == "mindir":
            return function
        return self._jit_of(function)


def type_key(v):
    """A hashable that stands for what a capture assumes of a value."""
    cls = type(v)
    if isinstance(v, Tensor):
        return (cls, v.dtype.name, tuple([s if s < 2 else -1 for s in v.shape]),
                bool(getattr(v, "requires_grad", False)))
    if cls in (bool, str, type(None), bytes):
        return (cls, v)
    if cls is int:
        return (cls, -2**31 <= v < 2**31)
    if cls in (tuple, list):
        return (cls,) + tuple([type_key(x) for x in v]) if len(v) < 64 else (cls, len(v))
    if cls in DICTS:
        return (cls, tuple(v) if all(type(k) in (str, int) for k in v) else len(v),
                tuple([type_key(x) for x in v.values()]))
    return (cls,)
