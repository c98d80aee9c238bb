"""A tensor type that counts, and a compiler of segments that needs no graph: it
runs the statements it is given in a scope of their own, and refuses what a graph
could not hold. With it the tests see which statements ran in segments."""

import ast
import copy
import threading
import types

from mindir.frontend.explain import active_report
from mindir.frontend.pieces import has_work
from mindir.frontend.residual import residual
from mindir.frontend.segment import BREAK, CONTINUE, MISSING, RETURN, Unsupported

_state = threading.local()


class T:
    """A tensor of one number. Every operation on it is counted."""

    def __init__(self, value):
        self.value = value

    def _op(self, value):
        if getattr(_state, "inside", None) is not None:
            _state.inside[0] += 1
        elif active_report() is not None:
            active_report().operation_outside()
        return T(value)

    def __add__(self, o): return self._op(self.value + _raw(o))
    def __radd__(self, o): return self._op(_raw(o) + self.value)
    def __sub__(self, o): return self._op(self.value - _raw(o))
    def __mul__(self, o): return self._op(self.value * _raw(o))
    def __rmul__(self, o): return self._op(_raw(o) * self.value)
    def __truediv__(self, o): return self._op(self.value / _raw(o))
    def __neg__(self): return self._op(-self.value)
    def __lt__(self, o): return self._op(self.value < _raw(o))
    def __gt__(self, o): return self._op(self.value > _raw(o))
    def __bool__(self): return bool(self.value)
    def __repr__(self): return "T(%r)" % (self.value,)

    def sum(self): return self._op(self.value)
    def item(self): return self.value


def _raw(o):
    return o.value if isinstance(o, T) else o


def relu(x):
    """A tensor function that segments may call."""
    return x._op(max(x.value, 0))


relu.capturable = True


class RecordedSegment:
    restartable = True

    def __init__(self, request, log):
        self._statements, self._log = request.statements, log
        self._body = _function(request)
        self.operations = 1 if any(map(has_work, request.statements)) else 0

    def __call__(self, values):
        _state.inside = counter = [0]
        try:
            return self._body(values)
        finally:
            _state.inside = None
            self.operations = counter[0] or 1
            self._log.append({line for s in self._statements
                              for line in range(s.lineno, s.end_lineno + 1)})


class Recorder:
    """A SegmentCompiler. Foreign are: calls other than of `relu`, methods of `T`
    and a few builtins; attributes of objects and writes to items; lists; try, with, raise,
    lambda, comprehensions, strings."""

    _forbidden = (ast.Try, ast.With, ast.Raise, ast.Lambda, ast.ListComp, ast.GeneratorExp,
                  ast.List, ast.Dict, ast.Set, ast.JoinedStr, ast.Assert, ast.Starred, ast.Match)

    def __init__(self):
        self.log = []       # lines of the statements of every segment run
        self.compiled = 0

    def key(self, values):
        return tuple(v if isinstance(v, types.FunctionType) else type(v) for v in values)

    def callee(self, function):
        if isinstance(function, types.FunctionType) and function.__module__.startswith("test_"):
            return residual(function, self, active_report())
        return function

    def compile(self, request):
        known = dict(zip(request.live_in, request.values))
        for s in request.statements:
            self._check(s, known, request)
        self.compiled += 1
        return RecordedSegment(request, self.log)

    def _check(self, s, known, request):
        for n in ast.walk(s):
            if isinstance(n, self._forbidden):
                raise Unsupported(n, type(n).__name__ + " is not captured", always=True)
            if isinstance(n, ast.Call):
                self._check_call(n, known, request)
            if isinstance(n, (ast.Attribute, ast.Subscript)) and not isinstance(n.ctx, ast.Load):
                raise Unsupported(n, "a write to an object", always=True)
            if isinstance(n, ast.Attribute) and n.attr != "sum":
                raise Unsupported(n, "attribute of a foreign object", always=True)
            if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load):
                if known.get(n.id, None) is MISSING:
                    raise Unsupported(n, n.id + " is not bound")

    def _check_call(self, n, known, request):
        f = n.func
        if isinstance(f, ast.Attribute) and f.attr == "sum":
            return
        if isinstance(f, ast.Name):
            value = known.get(f.id, request.context.globals.get(f.id))
            if getattr(value, "capturable", False) or f.id in ("range", "len"):
                return
        raise Unsupported(n, "call of a foreign function")


def _function(request):
    """The statements as a function of the tuple of live-ins."""
    names = {n: "v_%d" % i for i, n in enumerate(sorted(
        set(request.live_in) | set(request.live_out)))}
    tree = ast.parse("def segment(values):\n    pass\n    return %d, outs(locals())"
                     % len(request.statements))
    body = tree.body[0].body
    body[:1] = [_Isolate(names).visit(copy.deepcopy(s)) for s in request.statements]
    for i, n in enumerate(request.live_in):
        if request.values[i] is not MISSING:
            body.insert(0, ast.parse("%s = values[%d]" % (names[n], i)).body[0])
    ast.fix_missing_locations(tree)
    order = [names[n] for n in request.live_out]
    scope = _Scope(request.context)
    scope.update(outs=lambda f: tuple(f.get(n, MISSING) for n in order))
    if request.context.class_name:
        tree.body = [ast.ClassDef(request.context.class_name, [], [], tree.body, [], **(
            {"type_params": []} if "type_params" in ast.ClassDef._fields else {}))]
        ast.fix_missing_locations(tree)
        exec(compile(tree, "<segment>", "exec"), scope)
        return scope[request.context.class_name].segment
    exec(compile(tree, "<segment>", "exec"), scope)
    return scope["segment"]


class _Scope(dict):
    """Globals and closure of the function, seen live."""

    def __init__(self, context):
        super().__init__(context.globals)
        for n, c in context.closure.items():
            try:
                self[n] = c.cell_contents
            except ValueError:
                pass


class _Isolate(ast.NodeTransformer):
    """Renames the names of the frame and turns exits into statuses."""

    def __init__(self, names):
        self._names, self._loops = names, 0

    def visit_Name(self, node):
        return ast.copy_location(ast.Name(id=self._names.get(node.id, node.id), ctx=node.ctx), node)

    def visit_Return(self, node):
        self.generic_visit(node)
        value = node.value or ast.Constant(None)
        return ast.copy_location(ast.Return(ast.Tuple([ast.Constant(RETURN), value], ast.Load())), node)

    def visit_For(self, node):
        self._loops += 1
        self.generic_visit(node)
        self._loops -= 1
        return node

    visit_While = visit_For

    def visit_Break(self, node):
        return node if self._loops else self._leave(node, BREAK)

    def visit_Continue(self, node):
        return node if self._loops else self._leave(node, CONTINUE)

    def _leave(self, node, status):
        return ast.copy_location(ast.parse("return %d, outs(locals())" % status).body[0], node)


class Refuser(Recorder):
    """Captures nothing: all is Python."""

    def compile(self, request):
        raise Unsupported(request.statements[0], "refused", always=True)
