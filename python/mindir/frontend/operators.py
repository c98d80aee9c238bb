"""Python operators on captured values: natively where everything is known, on
0-d tensors for numbers known only when run, by `Tensor`'s methods for tensors."""

import ast
import functools
import operator

from ..tensor import Tensor
from .errors import Refused, UserError
from .values import NO_SAMPLE, ScalarTracer, TensorTracer, is_number, kind_of

BINARY = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.MatMult: operator.matmul, ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}
INPLACE = {
    ast.Add: operator.iadd, ast.Sub: operator.isub, ast.Mult: operator.imul,
    ast.Div: operator.itruediv, ast.FloorDiv: operator.ifloordiv, ast.Mod: operator.imod,
    ast.Pow: operator.ipow, ast.MatMult: operator.imatmul, ast.LShift: operator.ilshift,
    ast.RShift: operator.irshift, ast.BitAnd: operator.iand, ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
}
UNARY = {ast.UAdd: operator.pos, ast.USub: operator.neg, ast.Invert: operator.invert}
COMPARE = {ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le,
           ast.Gt: operator.gt, ast.GtE: operator.ge}
_PREDICATES = {operator.eq: "eq", operator.ne: "ne", operator.lt: "lt", operator.le: "le",
               operator.gt: "gt", operator.ge: "ge"}
_SCALAR_OPS = {operator.add: "mindir.add", operator.sub: "mindir.sub", operator.mul: "mindir.mul",
               operator.floordiv: "mindir.floor_div", operator.mod: "mindir.floor_mod"}


def native(function, *args, **kwargs):
    """Calls what is not captured; an exception is the user's."""
    try:
        return function(*args, **kwargs)
    except (Refused, UserError):
        raise
    except RecursionError as e:
        raise Refused("a recursion that depends on values") from e
    except Exception as e:                          # noqa: BLE001 - whatever the user would get
        if type(e).__module__.startswith("mindir.frontend"):
            raise
        raise UserError(e) from e


def binary(session, function, a, b):
    """`a op b` for an operator function, in place or not."""
    if type(a) is not ScalarTracer and type(b) is not ScalarTracer:
        return native(function, a, b)
    other = b if type(a) is ScalarTracer else a
    if isinstance(other, Tensor):
        op = _tensor_ops().get(_plain(function))
        if op is not None:
            return native(op, session.weak(a), session.weak(b))
    if is_number(other) or type(other) is ScalarTracer:
        return number_binary(session, _plain(function), a, b)
    return native(function, session.concretize(a), session.concretize(b))


@functools.lru_cache(None)
def _tensor_ops():
    """The op of `mindir.ops` behind each operator on tensors."""
    from ..ops import elementwise as el
    return {operator.add: el.add, operator.sub: el.sub, operator.mul: el.mul, operator.truediv: el.div,
            operator.floordiv: el.floor_div, operator.mod: el.floor_mod, operator.pow: el.pow,
            operator.eq: el.equal, operator.ne: el.not_equal, operator.lt: el.less,
            operator.le: el.less_equal, operator.gt: el.greater, operator.ge: el.greater_equal,
            operator.and_: el.bitwise_and, operator.or_: el.bitwise_or, operator.xor: el.bitwise_xor}


def _plain(function):
    """The operator that an in-place one is on immutable operands."""
    for node, inplace in INPLACE.items():
        if inplace is function:
            return BINARY[node]
    return function


def number_binary(session, function, a, b):
    """An operator on Python numbers of which one at least is traced."""
    roots = tuple({id(r): r for v in (a, b) if type(v) is ScalarTracer for r in v.roots}.values())
    samples = [v.sample if type(v) is ScalarTracer else v for v in (a, b)]
    known = NO_SAMPLE not in samples
    if function in _PREDICATES:
        if known and not any(r.source.__class__.__name__ == "DimOf" for r in roots):
            return native(function, session.concretize(a), session.concretize(b))
        return _compare(session, function, a, b)
    if function is operator.truediv:
        return _divide(session, a, b, known)
    simple = function in _SCALAR_OPS and not (known and _overflows(function, samples))
    if simple and function in (operator.floordiv, operator.mod):
        simple = is_number(b) and b != 0
    if not simple:
        return native(function, session.concretize(a), session.concretize(b))
    kind = "float" if "float" in (kind_of(a), kind_of(b)) else "int"
    x, y = (to_kind(session, v, kind) for v in (a, b))
    value = session.one(_SCALAR_OPS[function], [x, y])
    sample = native(function, *samples) if known else NO_SAMPLE
    return ScalarTracer(kind, session.here(value), sample, roots if known else ())


def _overflows(function, samples):
    """Whether an int result leaves what two inputs of 32 bits can give."""
    result = function(*samples) if 0 not in samples[1:] or function in (operator.add, operator.sub, operator.mul) else 0
    return type(result) is int and abs(result) >= 2 ** 62


def _divide(session, a, b, known):
    if known or not (is_number(b) and b != 0):
        return native(operator.truediv, session.concretize(a), session.concretize(b))
    x, y = (to_kind(session, v, "float") for v in (a, b))
    return ScalarTracer("float", session.here(session.one("mindir.div", [x, y])))


def _compare(session, function, a, b):
    kind = "float" if "float" in (kind_of(a), kind_of(b)) else "int"
    x, y = (to_kind(session, v, kind) for v in (a, b))
    return ScalarTracer("bool", session.here(session.compare(_PREDICATES[function], x, y)))


def to_kind(session, v, kind):
    """The 0-d Value of a number as int64 or float64."""
    value = session.local(session.scalar(v).ir)
    dtype = ScalarTracer.DTYPES[kind]
    if value.dtype == dtype:
        return value
    return session.one("mindir.cast", [value], result_types=[(dtype, ())])


def unary(session, function, v):
    """`+v`, `-v`, `~v`."""
    if type(v) is not ScalarTracer:
        return native(function, v)
    if function is operator.pos and v.kind != "bool":
        return v
    if function is operator.neg and v.kind != "bool":
        value = session.one("mindir.neg", [session.local(v.ir)])
        sample = -v.sample if v.sample is not NO_SAMPLE else NO_SAMPLE
        return ScalarTracer(v.kind, session.here(value), sample, v.roots)
    return native(function, session.concretize(v))


def compare(session, function, a, b):
    """`a op b` for ==, !=, <, <=, >, >=."""
    if type(a) is ScalarTracer or type(b) is ScalarTracer:
        return binary(session, function, a, b)
    if type(a) in (list, tuple) and type(b) is type(a):
        return _compare_sequences(session, function, a, b)
    return native(function, a, b)


def _compare_sequences(session, function, a, b):
    a, b = (type(v)(session.concretize(x) for x in v) for v in (a, b))
    return native(function, a, b)


def truth(session, v):
    """The truth of a value: a Python bool, or a 0-d bool Value when known only when run."""
    if isinstance(v, Tensor):
        return _tensor_truth(session, v)
    if type(v) is ScalarTracer:
        if v.sample is not NO_SAMPLE:
            return bool(session.concretize(v))
        return _nonzero(session, session.local(v.ir))
    return native(bool, v)


def _tensor_truth(session, tensor):
    value = session.unwrap(tensor)
    sizes = [s for s in value.shape if s != 1]
    if None in sizes:
        raise Refused("the truth of a tensor whose size is known only when run")
    if sizes:
        raise UserError(ValueError(
            f"The truth value of a tensor of shape {list(value.shape)} is ambiguous: "
            "expected one element. Use .any() or .all()."))
    if value.shape:
        value = session.one("mindir.reshape", [value], result_types=[(value.dtype, ())])
    return _nonzero(session, value)


def _nonzero(session, value):
    if value.dtype == "bool":
        return value
    return session.one("mindir.cast", [value], result_types=[("bool", ())])


def negate(session, value):
    """The complement of a 0-d bool Value."""
    return session.one("mindir.not", [value])


def as_number(session, v, kind):
    """`int(v)`, `float(v)`, `bool(v)` of a tensor or traced number."""
    if isinstance(v, Tensor):
        value = session.unwrap(v)
        sizes = [s for s in value.shape if s != 1]
        if sizes:
            raise Refused("a Python number of a tensor of several elements")
        if value.shape:
            value = session.one("mindir.reshape", [value], result_types=[(value.dtype, ())])
        known, roots = NO_SAMPLE, ()
    else:
        value, known, roots = session.local(v.ir), v.sample, v.roots
    dtype = ScalarTracer.DTYPES[kind]
    if value.dtype != dtype:
        value = session.one("mindir.cast", [value], result_types=[(dtype, ())])
    sample = NO_SAMPLE if known is NO_SAMPLE else ScalarTracer.CLASSES[kind](known)
    return ScalarTracer(kind, session.here(value), sample, roots)
