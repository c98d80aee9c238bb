"""From a Python callable and the arguments of one call to a compiled `Entry`."""

import ast

from ..ops import emitter as _emitter
from . import guards as _g
from . import scopes as _scopes
from .calls import bind
from .entry import Finisher
from .errors import CallRaises, Refused, Restart, Unsupported, UserError
from .flow import Exit, leave
from .functions_source import definition
from .scope import Frame
from .segment import BREAK, CONTINUE, MISSING, RETURN
from .session import Session
from .values import Poison, UNSET
from .visitor import Interpreter

_RESTARTS = 8


def _attempts(specialization, run):
    """Runs `run(interpreter)` in a session of its own, again while it restarts."""
    for _ in range(_RESTARTS):
        session = Session(specialization)
        interpreter = Interpreter(session)
        try:
            with _emitter.emitting(session):
                session.begin_function("main")
                return run(interpreter)
        except Restart:
            continue
        except UserError as e:
            raised = CallRaises()
            raised.node = interpreter.raised_at
            raise raised from e.error
        except (Unsupported, KeyboardInterrupt):
            raise
        except Exception as e:                      # noqa: BLE001 - ours; Python runs the call instead
            raise Unsupported(None, f"an error of the capture itself ({type(e).__name__}: {e})") from e
    raise RuntimeError("capture does not settle on which sizes are fixed")


def capture_function(function, values, specialization):
    """Captures a whole function. values: those of its parameters, in order.

    Returns its `Entry`. Raises `Unsupported` at what cannot be in a graph, and
    `CallRaises` where the call certainly raises.
    """
    try:
        node = definition(function)
    except Refused as e:
        raise Unsupported(None, str(e), always=True) from None
    names = parameter_names(node.args)

    def run(interpreter):
        code = function.__code__
        closure = dict(zip(code.co_freevars, function.__closure__ or ()))
        frame = Frame(interpreter.session, interpreter.reader, node, function.__name__,
                      code.co_filename, function.__globals__, closure)
        parts = function.__qualname__.rsplit(".", 2)
        frame.class_name = parts[-2] if len(parts) > 1 and parts[-2] != "<locals>" else None
        for i, (name, value) in enumerate(zip(names, values)):
            frame.scope[name] = interpreter.reader.wrap(value, _g.Arg(i), ("argument", name), lazy=True)
        frame.first_argument = frame.scope.get(names[0]) if names else None
        if isinstance(node, ast.Lambda):
            body = [ast.copy_location(ast.Return(value=node.body), node.body)]
        else:
            body = node.body
        flow = interpreter.run_root(frame, body, interpreter.ended)
        return _finish(interpreter, frame, flow, UNSET, body)
    return _attempts(specialization, run)


def capture_call(target, args, kwargs, specialization):
    """Captures `target(*args, **kwargs)` for a callable that is no function (a Cell, a gradient)."""
    names = [f"argument{i}" for i in range(len(args))] + list(kwargs)
    values = list(args) + list(kwargs.values())
    call = ast.parse("target()").body[0]

    def run(interpreter):
        frame = Frame(interpreter.session, interpreter.reader, [call], "call", "<call>", {}, None, None,
                      set(names), {})
        wrapped = [interpreter.reader.wrap(v, _g.Arg(i), ("argument", i), lazy=True) for i, v in enumerate(values)]
        shape = (len(args), tuple(kwargs))
        interpreter.session.guards.require(f"(a[-2:] == {shape!r})", "other arguments are given")

        def body():
            interpreter.enter(frame)
            try:
                result = interpreter.call(target, tuple(wrapped[:len(args)]), dict(zip(kwargs, wrapped[len(args):])))
                flow = leave(Exit(interpreter.new_code(), "return", result))
                for raised in frame.pending:
                    flow = interpreter._add_raise(flow, raised)
                return flow
            except Refused as e:
                raise Unsupported(None, f"{e} (in {getattr(e, 'place', 'the call')})") from e
            finally:
                interpreter.frames.pop()
                interpreter.frame = None
        return _finish(interpreter, frame, body(), UNSET, [call])
    return _attempts(specialization, run)


def _finish(interpreter, frame, flow, normal, statements):
    interpreter.enter(frame)
    try:
        return Finisher(interpreter).finish(flow, normal)
    except Refused as e:
        raise Unsupported(statements[-1], str(e)) from e
    finally:
        interpreter.frames.pop()
        interpreter.frame = None


def capture_statements(request, specialization):
    """Captures a `SegmentRequest`; returns (entry, statuses by exit kind)."""
    context = request.context
    assigned = set()
    for statement in request.statements:
        assigned |= _scopes.facts(statement).assigned
    if assigned & context.cells:
        raise Unsupported(request.statements[0], "an assignment to a variable that nested functions share")
    declared = {n: "global" if n not in context.closure else "nonlocal" for n in context.declared}

    def run(interpreter):
        local = (set(request.live_in) | assigned) - set(declared)
        frame = Frame(interpreter.session, interpreter.reader, list(request.statements), context.name,
                      context.filename, context.globals, dict(context.closure), None, local, declared)
        frame.class_name = context.class_name
        frame.live_out = set(request.live_out)
        for i, (name, value) in enumerate(zip(request.live_in, request.values)):
            if value is not MISSING:
                frame.scope[name] = interpreter.reader.wrap(value, _g.Arg(i), ("live", name), lazy=True)
            else:
                interpreter.session.guards.identity(_g.Arg(i), MISSING)
        if "self" in frame.scope:
            frame.first_argument = frame.scope["self"]
        frame.loops.append((interpreter.new_code(), interpreter.new_code()))
        flow = interpreter.run_root(frame, list(request.statements))
        values = [frame.scope.get(n, UNSET) for n in request.live_out]
        bad = next((v for v in values if type(v) is Poison), None)
        if bad is not None and (flow.normal or flow.keeps_locals()):
            raise Unsupported(request.statements[-1], bad.reason)
        payload = tuple(MISSING if v is UNSET or type(v) is Poison else v for v in values)
        return _finish(interpreter, frame, flow, payload, request.statements)
    return _attempts(specialization, run)


def parameter_names(a):
    """The parameters of a function in the order in which calls are flattened."""
    names = [x.arg for x in a.posonlyargs + a.args + a.kwonlyargs]
    return names + [x.arg for x in (a.vararg, a.kwarg) if x]


def flatten_call(function, names, args, kwargs):
    """The values of the parameters for one call; TypeError as Python's."""
    a = definition(function).args
    try:
        bound = bind(a, function.__name__, args, kwargs, function.__defaults__ or (),
                     function.__kwdefaults__ or {})
    except UserError as e:
        raise e.error from None
    return tuple(bound[n] for n in names)
