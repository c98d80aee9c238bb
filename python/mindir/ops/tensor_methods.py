"""The operators and methods of Tensor, each an op of the same or another name.

Operators are slots of the C type, which come here for operands that are no
tensors or numbers. `METHODS` maps a method's name to a function whose first argument is the tensor.
Capture executes the same functions on its own tensors.
"""

import numpy as np

from . import activation, elementwise as el, host, indexing, linear, movement, random, reduction
from .._native import core
from ..tensor import Tensor, array_of

METHODS = {}


def _method(fn, name=None):
    METHODS[name or fn.__name__] = fn
    return fn


# --- operators ----------------------------------------------------------------


def _operand(x):
    return isinstance(x, (Tensor, bool, int, float))


def _both(left, right):
    """An operator of operands of which one is a Tensor, the other anything."""
    return lambda a, b: left(a, b) if isinstance(a, Tensor) else right(b, a)


def _operators():
    pairs = {"add": el.add, "sub": el.sub, "mul": el.mul, "truediv": el.div, "floordiv": el.floor_div,
             "mod": el.floor_mod, "pow": el.pow, "and": el.bitwise_and, "or": el.bitwise_or,
             "xor": el.bitwise_xor, "matmul": linear.matmul}
    for name, op in pairs.items():
        METHODS[f"__{name}__"], METHODS[f"__r{name}__"] = _left(op), _right(op)
        core.set_operator(name, op, _both(METHODS[f"__{name}__"], METHODS[f"__r{name}__"]))
    for name, op in {"lt": el.less, "le": el.less_equal, "gt": el.greater, "ge": el.greater_equal}.items():
        METHODS[f"__{name}__"] = _left(op)
        core.set_operator(name, op, METHODS[f"__{name}__"])
    for name, op in {"neg": el.neg, "abs": el.abs, "invert": el.bitwise_not}.items():
        METHODS[f"__{name}__"] = _unary(op)
        core.set_operator(name, op, METHODS[f"__{name}__"])
    METHODS["__pos__"] = lambda self: self


def _convert(other):
    if _operand(other):
        return other
    if isinstance(other, np.generic):
        return other.item() if not isinstance(other, np.floating) else Tensor(other)
    if isinstance(other, (np.ndarray, list, tuple)):
        return Tensor(other)
    return None


def _left(op):
    def method(self, other):
        if not isinstance(other, (Tensor, int, float)):
            other = _convert(other)
            if other is None:
                return NotImplemented
        return op(self, other)
    return method


def _right(op):
    def method(self, other):
        other = _convert(other)
        return NotImplemented if other is None else op(other, self)
    return method


def _unary(op):
    return lambda self: op(self)


_operators()


@_method
def __eq__(self, other):
    other = _convert(other)
    return False if other is None else el.equal(self, other)


@_method
def __ne__(self, other):
    other = _convert(other)
    return True if other is None else el.not_equal(self, other)


core.set_operator("eq", el.equal, __eq__)
core.set_operator("ne", el.not_equal, __ne__)


# --- subscripts ---------------------------------------------------------------


@_method
def __getitem__(self, index):
    return indexing.getitem(self, _resolved(self, index))


core.set_operator("getitem", indexing.getitem, __getitem__)


def _resolved(tensor, index):
    """The index with lists and numpy arrays as Tensors, and bool tensors as integer ones."""
    if type(index) is int or index is None or index is Ellipsis:
        return index
    items = index if isinstance(index, tuple) else (index,)
    out = []
    for item in items:
        if type(item) is slice:
            item = slice(*map(_bound, (item.start, item.stop, item.step)))
        if isinstance(item, range):
            item = list(item)
        if isinstance(item, (list, np.ndarray)):
            item = Tensor(item if np.size(item) else np.zeros(np.shape(item), np.int64))
        if isinstance(item, np.integer):
            item = int(item)
        if isinstance(item, Tensor) and item.dtype.kind == "bool":
            held = np.asarray(item)
            out += [Tensor(places) for places in np.nonzero(held)] if held.ndim else [bool(held)]
        else:
            out.append(bool(item) if isinstance(item, np.bool_) else item)
    return tuple(out) if isinstance(index, tuple) or len(out) != 1 else out[0]


def _bound(bound):
    """A slice's bound; that of a 0-d integer Tensor is its number."""
    if not isinstance(bound, Tensor):
        return bound
    if bound.ndim or not bound.dtype.name.startswith(("int", "uint")):
        raise TypeError("expected ints or 0-d integer tensors in a slice, "
                        f"found a tensor of dtype {bound.dtype} and shape {bound.shape}")
    return int(bound.asnumpy())


def write_item(tensor, index, value):
    """`tensor[index] = value`: numpy's rules, cast to the tensor's dtype, in its storage."""
    from ..runtime import tape
    from .emitter import state
    if value is None:
        raise TypeError("expected a number, a tensor or an array to assign, found None")
    if state.emitter is None and not tape.state.tapes:
        _write_host(tensor, index, value)
        return
    if isinstance(value, (np.ndarray, np.generic, list, tuple)):
        value = Tensor(value)
    if not (isinstance(index, Tensor) and index.dtype.kind == "bool" and _spreads(value, tensor)):
        index = _resolved(tensor, index)
    tensor.assign_value(indexing.setitem(tensor, index, value))


def _spreads(value, tensor):
    return not isinstance(value, Tensor) or value.shape in ((), (1,), tensor.shape)


def _write_host(tensor, index, value):
    """The write without gradients or capture: by numpy, into the storage."""
    value = value.asnumpy() if isinstance(value, Tensor) else value
    index = tuple(map(_host_index, index)) if isinstance(index, tuple) else _host_index(index)
    target = tensor.asnumpy()
    with np.errstate(invalid="ignore"):
        if isinstance(value, np.ndarray):
            value = value.astype(target.dtype, copy=False)
        target[index] = value
    if tensor.dtype.name == "bfloat16":
        tensor._array.assign(array_of(target, "bfloat16"))
    else:
        tensor._array.bump_version()


def _host_index(item):
    if isinstance(item, Tensor):
        data = item.asnumpy()
        return data.item() if data.ndim == 0 and data.dtype.kind in "iu" else data
    return item


# --- reductions ---------------------------------------------------------------


def _axis(axis, dim):
    return dim if axis is None else axis


@_method
def sum(self, axis=None, dtype=None, keepdims=False, initial=None, *, dim=None, keepdim=False):
    """The sum along `axis`; see `ops.sum`. `initial` is added."""
    total = reduction.sum(self, _axis(axis, dim), keepdims or keepdim, dtype=dtype)
    return total if initial is None else el.add(total, initial)


@_method
def mean(self, axis=None, keep_dims=False, *, keepdims=False, dim=None, keepdim=False, dtype=None):
    """The mean along `axis`; see `ops.mean`."""
    x = self if dtype is None else el.cast(self, dtype)
    return reduction.mean(x, _axis(axis, dim), keep_dims or keepdims or keepdim)


@_method
def prod(self, axis=None, keep_dims=False, dtype=None, *, keepdims=False, dim=None):
    """The product along `axis`; see `ops.prod`."""
    return reduction.prod(self, _axis(axis, dim), keep_dims or keepdims, dtype)


@_method
def max(self, axis=None, keepdims=False, *, initial=None, where=True, return_indices=False, dim=None):
    """The maximum along `axis`, with its index when `return_indices`."""
    return _extreme(self, _axis(axis, dim), keepdims, initial, return_indices, reduction.amax, reduction.max, el.maximum)


@_method
def min(self, axis=None, keepdims=False, *, initial=None, where=True, return_indices=False, dim=None):
    """The minimum along `axis`, with its index when `return_indices`."""
    return _extreme(self, _axis(axis, dim), keepdims, initial, return_indices, reduction.amin, reduction.min, el.minimum)


def _extreme(x, axis, keepdims, initial, return_indices, plain, indexed, combine):
    if return_indices:
        return indexed(x, axis, keepdims)
    result = plain(x, axis, keepdims)
    return result if initial is None else combine(result, initial)


@_method
def all(self, axis=None, keep_dims=False, *, keepdims=False):
    """Whether all elements along `axis` are not zero."""
    return reduction.all(self, axis, keep_dims or keepdims)


@_method
def any(self, axis=None, keep_dims=False, *, keepdims=False):
    """Whether some element along `axis` is not zero."""
    return reduction.any(self, axis, keep_dims or keepdims)


@_method
def argmax(self, axis=None, keepdims=False, *, dim=None, keepdim=False):
    """The index of the first maximum; of the flattened tensor for None."""
    return reduction.argmax(self, _axis(axis, dim), keepdims or keepdim)


@_method
def argmin(self, axis=None, keepdims=False, *, dim=None, keepdim=False):
    """The index of the first minimum; of the flattened tensor for None."""
    return reduction.argmin(self, _axis(axis, dim), keepdims or keepdim)


@_method
def var(self, axis=None, ddof=0, keepdims=False):
    """The variance along `axis`; see `ops.var`."""
    return reduction.var(self, axis, ddof, keepdims)


@_method
def std(self, axis=None, ddof=0, keepdims=False):
    """The standard deviation along `axis`; see `ops.std`."""
    return reduction.std(self, axis, ddof, keepdims)


# --- shapes -------------------------------------------------------------------


def _sizes(first, rest):
    return tuple(first) if isinstance(first, (tuple, list)) and not rest else (first, *rest)


@_method
def reshape(self, *shape):
    """The elements under another shape: `reshape(2, 3)` or `reshape((2, 3))`."""
    return movement.reshape(self, _sizes(shape[0], shape[1:]) if shape else ())


@_method
def view(self, *shape):
    """As `reshape`; shares storage where strides can express it."""
    return reshape(self, *shape)


@_method
def flatten(self, order="C", *, start_dim=0, end_dim=-1):
    """Dimensions start_dim .. end_dim joined in one; all by default."""
    return movement.flatten(self, order, start_dim=start_dim, end_dim=end_dim)


@_method
def transpose(self, *axes):
    """The dimensions in another order, reversed when none is given."""
    if not axes:
        axes = tuple(reversed(range(self.ndim)))
    elif len(axes) == 2 and self.ndim > 2:
        return movement.swapaxes(self, *axes)
    return movement.transpose(self, _sizes(axes[0], axes[1:]))


@_method
def permute(self, *axes):
    """The dimensions in the order given."""
    return movement.transpose(self, _sizes(axes[0], axes[1:]))


@_method
def broadcast_to(self, shape):
    """Broadcast to a shape; see `ops.broadcast_to`."""
    return movement.broadcast_to(self, shape)


@_method
def expand(self, *size):
    """Broadcast to a shape, -1 keeping a size."""
    return movement.broadcast_to(self, _sizes(size[0], size[1:]))


@_method
def expand_as(self, other):
    """Broadcast to the shape of another tensor."""
    return movement.broadcast_to(self, other.shape)


@_method
def view_as(self, other):
    """Under the shape of another tensor."""
    return movement.reshape(self, other.shape)


@_method
def repeat(self, *repeats):
    """Tiled `repeats[i]` times along each dimension."""
    return movement.tile(self, _sizes(repeats[0], repeats[1:]))


@_method
def squeeze(self, *axis):
    """Without dimensions of size one."""
    return movement.squeeze(self, axis[0] if axis else None)


# --- conversion ---------------------------------------------------------------


@_method
def astype(self, dtype, copy=True):
    """As another dtype; see `ops.cast`."""
    return el.cast(self, dtype)


@_method
def to(self, dtype):
    """As another dtype."""
    return el.cast(self, dtype)


def _type(self, dtype=None):
    """As another dtype; without one, the name of this."""
    return str(self.dtype) if dtype is None else el.cast(self, dtype)


METHODS["type"] = _type


def _conversions():
    for name, dtype in (("float", "float32"), ("half", "float16"), ("double", "float64"), ("int", "int32"),
                        ("long", "int64"), ("short", "int16"), ("bool", "bool"), ("byte", "uint8"),
                        ("bfloat16", "bfloat16")):
        METHODS[name] = _converter(dtype)


def _converter(dtype):
    return lambda self: el.cast(self, dtype)


_conversions()


# --- in place -----------------------------------------------------------------


def _in_place(op):
    def method(self, *args, **kwargs):
        return self.assign_value(op(self, *args, **kwargs))
    return method


for _name, _op in {"add_": el.add, "sub_": el.sub, "mul_": el.mul, "div_": el.div, "exp_": el.exp,
                   "log_": el.log, "clamp_": el.clamp, "masked_fill_": el.masked_fill,
                   "floor_divide_": el.floor_div, "remainder_": el.floor_mod}.items():
    METHODS[_name] = _in_place(_op)


@_method
def fill_(self, value):
    """Writes one number, or a tensor's value, everywhere."""
    return self.assign_value(el.full_like(self, value))


@_method
def zero_(self):
    """Writes zeros."""
    return self.assign_value(el.zeros_like(self))


@_method
def copy_(self, src):
    """Writes the values of another tensor."""
    return self.assign_value(src)


@_method
def asnumpy_copy(self):
    """A numpy array of its own memory."""
    return np.array(self.asnumpy())


@_method
def new_zeros(self, size, dtype=None):
    """Zeros of a shape, of this dtype or another."""
    from .creation import zeros
    return zeros(size, dtype or self.dtype)


@_method
def new_ones(self, size, dtype=None):
    """Ones of a shape, of this dtype or another."""
    from .creation import ones
    return ones(size, dtype or self.dtype)


@_method
def where(self, condition, y):
    """This where `condition`, else `y`."""
    return el.select(condition, self, y)


def _same_named():
    """Methods that are ops whose first argument is the tensor."""
    for module, names in (
            (el, "abs neg sign ceil floor round trunc exp expm1 log log1p sqrt rsqrt sin cos tan sinh cosh tanh erf "
                 "sigmoid square reciprocal inv add sub mul div true_divide divide floor_div floor_mod remainder "
                 "pow maximum minimum bitwise_and bitwise_or bitwise_xor bitwise_not logical_and logical_or "
                 "logical_xor logical_not equal eq not_equal ne less lt less_equal le greater gt greater_equal "
                 "ge isnan isfinite isinf clamp clip masked_fill lerp"),
            (activation, "relu softmax log_softmax"),
            (reduction, "amax amin norm cumsum logsumexp"),
            (linear, "matmul bmm mm dot"),
            (movement, "swapaxes expand_dims unsqueeze split chunk unbind narrow tile flip roll tril triu "
                       "repeat_interleave"),
            (indexing, "index_select gather_elements gather_nd"),
            (host, "sort argsort topk unique nonzero masked_select")):
        for name in names.split():
            METHODS[name] = getattr(module, name)
    METHODS["absolute"] = el.abs
    METHODS["negative"] = el.neg
    METHODS["gather"] = lambda self, input_indices, axis, batch_dims=0: indexing.gather(
        self, input_indices, axis, batch_dims)


_same_named()


def install():
    """Attaches `METHODS` and the properties to Tensor."""
    for name, fn in METHODS.items():
        if name not in Tensor.__dict__ and name not in core.TensorBase.__dict__:
            setattr(Tensor, name, fn)
    Tensor.T = property(lambda self: transpose(self), doc="The tensor with its dimensions reversed.")
    Tensor.mT = property(lambda self: movement.swapaxes(self, -1, -2), doc="The last two dimensions exchanged.")

install()
