"""Views of a storage at capture: what an op that gives a view gives, how its value is
derived from what the storage holds, and how a write to it is put back."""

from ..ops import emitter as _emitter
from ..tensor import Tensor
from .values import TensorTracer, viewed


class Views:
    """The part of the session that knows views."""

    def as_view(self, primitive, args, result):
        """The result of an op that gives a view of its first argument, as such."""
        base = args[0]
        if not isinstance(base, TensorTracer) or not isinstance(result, TensorTracer) or base._storage.phi:
            return result
        if any(isinstance(a, Tensor) or type(a).__name__ == "WeakScalar" for a in args[1:]):
            return result
        if any(isinstance(i, Tensor) for a in args[1:] if isinstance(a, tuple) for i in a):
            return result
        views = base._views + ((primitive, args[1:]),)
        if viewed(base._storage.ir.shape, views) is None:
            return result
        view = TensorTracer(self, base._storage, views)
        view._cache = (base._storage.ir, result.ir)
        return view

    def derive_view(self, tracer):
        """The `IR` of a view, from what its storage holds now."""
        base = tracer._storage.ir
        cache = tracer._cache
        if cache is not None and cache[0] is base and cache[1].owner is self.functions[-1] and self.visible(cache[1]):
            return cache[1]
        value = self.local(base)
        for primitive, args in tracer._views:
            value = self.body(primitive, value, args)
        ir = self.here(value)
        tracer._cache = (base, ir)
        return ir

    def body(self, primitive, value, args):
        """Runs the body of an op on a Value."""
        _emitter.state.in_body, before = True, _emitter.state.in_body
        try:
            return primitive.apply((value, *args))
        finally:
            _emitter.state.in_body = before

    def write_through(self, view, value):
        """The storage's new Value when `value` is written to a view of it."""
        held = [self.local(view._storage.ir)]
        for primitive, args in view._views[:-1]:
            held.append(self.body(primitive, held[-1], args))
        for (primitive, args), base in zip(reversed(view._views), reversed(held)):
            value = self._put_back(primitive.name, base, args, value)
        return value

    def _put_back(self, name, base, args, value):
        """`base` with the elements that a view op of that name shows replaced by `value`."""
        from ..ops import indexing, movement
        rank = len(base.shape)
        if name == "getitem":
            return self.body(indexing.setitem, base, (args[0], value))
        if name == "narrow":
            axis, start, length = args
            index = (slice(None),) * (axis % rank) + (slice(start, start + length),)
            return self.body(indexing.setitem, base, (index, value))
        if name == "transpose":
            order = [a % rank for a in args[0]]
            return self.body(movement.transpose, value, (tuple(sorted(range(rank), key=order.__getitem__)),))
        if name == "swapaxes":
            return self.body(movement.swapaxes, value, args)
        return self.body(movement.reshape, value, (tuple(base.shape),))
