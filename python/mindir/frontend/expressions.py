"""Capture of expressions: one `visit_X` per node, each gives a captured value."""

import ast
import types

from ..nn.container import _Sequence
from ..tensor import Tensor
from . import operators as _o
from .errors import Refused, UserError
from .flow import Flow
from .scope import Frame
from .values import CONTAINERS, Closure, DICTS, Poison, ScalarTracer, TensorTracer, Union, UNSET, is_number

_VIEWS = (zip, enumerate, map, filter, reversed, type({}.keys()), type({}.values()), type({}.items()))


class Expressions:
    """The part of the interpreter that evaluates expressions."""

    # -- leaves ----------------------------------------------------------------------

    def visit_Constant(self, node):
        return node.value

    def visit_Name(self, node):
        return self.frame.lookup(node.id)

    def opened(self, value):
        """A value whose containers from outside, at any depth, have their content read
        and guarded. `visit` gives nothing else, so whatever works on it natively sees it all."""
        if type(value) in CONTAINERS or isinstance(value, tuple) or type(value) is types.BuiltinMethodType:
            self.reader.read_whole(value)
        return value

    def visit_NamedExpr(self, node):
        value = self.visit(node.value)
        self.frame.store(node.target.id, value)
        return value

    # -- displays ----------------------------------------------------------------------

    def _elements(self, nodes):
        values = []
        for n in nodes:
            if isinstance(n, ast.Starred):
                values.extend(self.iterate(self.visit(n.value)))
            else:
                values.append(self.visit(n))
        return values

    def visit_Tuple(self, node):
        return tuple(self._elements(node.elts))

    def visit_List(self, node):
        return self.session.journal.note(self._elements(node.elts))

    def visit_Set(self, node):
        return self.session.journal.note({self.session.concretize(v) for v in self._elements(node.elts)})

    def visit_Dict(self, node):
        result = self.session.journal.note({})
        for key, value in zip(node.keys, node.values):
            if key is None:
                result.update(self.visit(value))
            else:
                k = self.session.concretize(self.visit(key))
                result[k] = self.visit(value)
        return result

    def visit_JoinedStr(self, node):
        return "".join(self.visit(v) for v in node.values)

    def visit_FormattedValue(self, node):
        value = self.visit(node.value)
        if isinstance(value, Tensor):
            raise Refused("the text of a tensor, which is known only when run")
        value = self.session.concretize(value)
        spec = self.visit(node.format_spec) if node.format_spec else ""
        convert = {-1: lambda v: v, 115: str, 114: repr, 97: ascii}[node.conversion]
        return _o.native(format, _o.native(convert, value), spec)

    # -- operators ----------------------------------------------------------------------

    def visit_BinOp(self, node):
        a, b = self.visit(node.left), self.visit(node.right)
        self.at(node)
        return self._made(_o.binary(self.session, _o.BINARY[type(node.op)], a, b))

    def _made(self, value):
        return self.session.journal.note(value) if type(value) in CONTAINERS else value

    def visit_UnaryOp(self, node):
        value = self.visit(node.operand)
        self.at(node)
        if not isinstance(node.op, ast.Not):
            return _o.unary(self.session, _o.UNARY[type(node.op)], value)
        known = _o.truth(self.session, value)
        if isinstance(known, bool):
            return not known
        return ScalarTracer("bool", self.session.here(_o.negate(self.session, known)))

    def visit_Compare(self, node):
        left = self.visit(node.left)
        return self._compare_chain(node, left, list(zip(node.ops, node.comparators)))

    def _compare_chain(self, node, left, rest):
        (op, right_node), rest = rest[0], rest[1:]
        right = self.visit(right_node)
        self.at(node)
        result = self._compare_one(op, left, right)
        if not rest:
            return result
        return self.choose(result, lambda: self._compare_chain(node, right, rest), lambda: result)

    def _compare_one(self, op, a, b):
        if isinstance(op, (ast.Is, ast.IsNot)):
            return self._is(a, b) == isinstance(op, ast.Is)
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self._contains(a, b)
            return found if isinstance(op, ast.In) else not found
        return _o.compare(self.session, _o.COMPARE[type(op)], a, b)

    def _is(self, a, b):
        if type(a) is ScalarTracer or type(b) is ScalarTracer:
            other = b if type(a) is ScalarTracer else a
            if other is None or not (is_number(other) or type(other) is ScalarTracer):
                return False
            a, b = self.session.concretize(a), self.session.concretize(b)
        if isinstance(a, TensorTracer) and isinstance(b, TensorTracer):
            return a is b or (a._storage.real is not None and a._storage is b._storage
                              and not a._views and not b._views)
        return a is b

    def _contains(self, a, b):
        a = self.session.concretize(a)
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            if isinstance(b, (list, tuple)) and any(self._is(a, x) for x in b):
                return True
            raise Refused("a search for a tensor by value")
        if isinstance(b, (list, tuple)):
            b = [self.session.concretize(x) if not isinstance(x, Tensor) else x for x in b]
        return _o.native(lambda: a in b)

    def visit_BoolOp(self, node):
        return self._bool_op(node, isinstance(node.op, ast.And), node.values)

    def _bool_op(self, node, is_and, values):
        first = self.visit(values[0])
        if len(values) == 1:
            return first
        rest = lambda: self._bool_op(node, is_and, values[1:])
        keep = lambda: first
        self.at(node)
        return self.choose(first, rest, keep) if is_and else self.choose(first, keep, rest)

    def test(self, node):
        """The truth of a condition: a Python bool or a 0-d bool Value. Of `and`, `or`
        and `not` only the truth is needed, not which operand decided."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            known = self.test(node.operand)
            return not known if isinstance(known, bool) else _o.negate(self.session, known)
        if isinstance(node, ast.BoolOp):
            return self._test_all(isinstance(node.op, ast.And), node.values)
        value = self.visit(node)
        self.at(node)
        return _o.truth(self.session, value)

    def _test_all(self, is_and, nodes):
        known = self.test(nodes[0])
        if len(nodes) == 1:
            return known
        if isinstance(known, bool):
            return self._test_all(is_and, nodes[1:]) if known == is_and else known
        s = self.session

        def as_tensor(v):
            return s.tracer(s.constant(v, "bool") if isinstance(v, bool) else v)
        rest = lambda: as_tensor(self._test_all(is_and, nodes[1:]))
        decided = lambda: as_tensor(not is_and)
        held = s.tracer(known)
        joined = self.choose(held, rest, decided) if is_and else self.choose(held, decided, rest)
        return s.local(joined.ir)

    def visit_IfExp(self, node):
        return self.choose_by(self.test(node.test), lambda: self.visit(node.body),
                           lambda: self.visit(node.orelse))

    def choose(self, condition, first, second):
        """`first()` where the condition is true, else `second()`."""
        return self.choose_by(_o.truth(self.session, condition), first, second)

    def choose_by(self, known, first, second):
        """As `choose`, by a Python bool or a 0-d bool Value."""
        if isinstance(known, bool):
            return first() if known else second()
        holder = self.session.journal.note({"value": None})

        def path(evaluate):
            def run():
                self.session.journal.touch(holder)
                holder["value"] = evaluate()
                return Flow()
            return run
        flow = self.branches().run(known, path(first), path(second))
        self.add_pending(flow)
        value = holder["value"]
        if type(value) is Poison:
            raise Refused(value.reason)
        return value

    # -- access -----------------------------------------------------------------------------

    def visit_Attribute(self, node):
        value = self.visit(node.value)
        self.at(node)
        return self.attribute(value, self.mangled(node.attr))

    def visit_Subscript(self, node):
        value, index = self.visit(node.value), self.visit(node.slice)
        self.at(node)
        return self._made(self.subscript(value, index))

    def subscript(self, value, index):
        """`value[index]`."""
        if isinstance(value, Tensor):
            return _o.native(type(value).__getitem__, value, self.tensor_index(index))
        if isinstance(value, (list, tuple, str, dict, range, bytes)):
            return self.opened(_o.native(lambda: value[self.known(index)]))
        getitem = getattr(type(value), "__getitem__", None)
        if getitem is None:
            return _o.native(lambda: value[index])
        if isinstance(value, _Sequence) and getitem is _Sequence.__getitem__:
            at = self.known(index)
            self.children(value)
            return self.reader.probe(lambda cells: _o.native(getitem, cells, at), value)
        return self.call(getitem, (value, index), {})

    def tensor_index(self, index):
        """An index with traced numbers as 0-d tensors; bounds of slices and lists must be known."""
        if type(index) is ScalarTracer:
            if index.sample is not UNSET and index.roots:
                return self.session.as_tensor(index)
            return self.session.as_tensor(index)
        if type(index) in (slice, list):
            return self.known(index)
        if type(index) is tuple:
            return tuple(self.tensor_index(i) for i in index)
        return index

    def known(self, value):
        """The value with every traced number in it made known."""
        if type(value) is ScalarTracer:
            return self.session.concretize(value)
        if type(value) is slice:
            return slice(*(self.known(v) for v in (value.start, value.stop, value.step)))
        if type(value) in (tuple, list) and any(type(v) in (ScalarTracer, tuple, list, slice) for v in value):
            return type(value)(self.known(v) for v in value)
        if type(value) in DICTS and any(type(v) in (ScalarTracer, tuple, list, slice) for v in value.values()):
            return type(value)((k, self.known(v)) for k, v in value.items())
        return value

    def visit_Slice(self, node):
        return slice(*(self.visit(n) if n else None for n in (node.lower, node.upper, node.step)))

    def visit_Starred(self, node):
        return self.visit(node.value)

    # -- functions and comprehensions -----------------------------------------------------------

    def visit_Lambda(self, node):
        return self.closure(node, "<lambda>")

    def closure(self, node, name):
        """The function object of a lambda or nested def."""
        defaults = [self.visit(d) for d in node.args.defaults]
        kw_defaults = {a.arg: self.visit(d) for a, d in zip(node.args.kwonlyargs, node.args.kw_defaults) if d}
        return Closure(self, node, self.frame, name, defaults, kw_defaults)

    def visit_ListComp(self, node):
        return self.session.journal.note(self._comprehension(node, lambda: self.visit(node.elt)))

    def visit_GeneratorExp(self, node):
        return self.session.journal.note(self._comprehension(node, lambda: self.visit(node.elt)))

    def visit_SetComp(self, node):
        values = self._comprehension(node, lambda: self.session.concretize(self.visit(node.elt)))
        return self.session.journal.note(set(values))

    def visit_DictComp(self, node):
        pairs = self._comprehension(
            node, lambda: (self.session.concretize(self.visit(node.key)), self.visit(node.value)))
        return self.session.journal.note(dict(pairs))

    def _comprehension(self, node, element):
        results = []
        first = self.visit(node.generators[0].iter)
        outer = self.frame
        names = {n.id for g in node.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
        inner = Frame(self.session, self.reader, node, outer.name, outer.filename, outer.namespace,
                      outer.closure, outer, names, {})
        inner.is_comprehension, inner.pending, inner.chain = True, outer.pending, outer.chain
        self.frame = inner
        try:
            self._generate(node.generators, first, element, results)
        finally:
            self.frame = outer
        return results

    def _generate(self, generators, iterable, element, results):
        g, rest = generators[0], generators[1:]
        if g.is_async:
            raise Refused("an asynchronous comprehension")
        for item in self.iterate(iterable):
            self.assign(g.target, item)
            if not all(self._filter(c) for c in g.ifs):
                continue
            if rest:
                self._generate(rest, self.visit(rest[0].iter), element, results)
            else:
                results.append(element())

    def _filter(self, condition):
        known = _o.truth(self.session, self.visit(condition))
        if not isinstance(known, bool):
            raise Refused("a comprehension whose length depends on tensors")
        return known

    def visit_Await(self, node):
        raise Refused("await")

    visit_Yield = visit_YieldFrom = visit_Await

    # -- iteration at capture ------------------------------------------------------------------

    def iterate(self, value):
        """The items of an iterable whose length is known."""
        value = self.opened(value)
        if type(value) is ScalarTracer:
            raise UserError(TypeError(f"'{value.kind}' object is not iterable"))
        if isinstance(value, Tensor):
            return self._rows(value)
        if isinstance(value, (list, tuple, dict, set, str, range, frozenset, bytes)):
            return list(value)
        if isinstance(value, _VIEWS) or hasattr(value, "__next__"):
            return _o.native(list, value)
        iterator = getattr(type(value), "__iter__", None)
        if iterator is None and not hasattr(type(value), "__getitem__"):
            raise UserError(TypeError(f"'{type(value).__name__}' object is not iterable"))
        return self.iterate_object(value, iterator)

    def _rows(self, tensor):
        if not tensor.shape:
            raise UserError(TypeError("iteration over a 0-d tensor"))
        rows = tensor.shape[0]
        if rows is None:
            raise Refused("iteration over a tensor whose first size is known only when run")
        return [self.subscript(tensor, i) for i in range(rows)]
