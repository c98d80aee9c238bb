"""Tensor: a multi-dimensional array of one element type.

Its state and operators are the C type `_core.TensorBase`: `_array`, the
`_core.Array`; `_spec`, (dtype name, shape); `_node`, the value's identity on
gradient tapes; of a view `_view`, (base, op, arguments), and `_seen`, the base's
count of writes, `_writes`, for which `_node` holds. Methods such as `x.sum()` are
ops of `mindir.ops` (`ops/tensor_methods.py` attaches them); here are construction,
attributes, conversion and writing.
"""

import numpy as np

from . import dtype as _dtype
from ._native import core


def array_of(data, dtype):
    """An Array of a numpy array's values as `dtype` (a name), copied."""
    data = np.asarray(data)
    if dtype == "bfloat16":
        made = core.Array.empty("bfloat16", data.shape)
        made.numpy().view(np.uint16)[...] = core.round_to_bfloat16(data)
        return made
    return core.Array.from_numpy(data.astype(dtype, copy=False))


def numpy_of(array):
    """A numpy array of an Array: a view of its storage; of bfloat16, a float32 copy."""
    data = array.numpy()
    if array.dtype == "bfloat16":
        return (data.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    return data


def wrap(array):
    """A Tensor over an Array, sharing it."""
    return core.wrap(array)


def _data_dtype(data):
    """MindSpore's dtype for plain Python data: float32 of floats, int64 of ints, else numpy's."""
    if isinstance(data, np.ndarray):
        return data.dtype.name
    if isinstance(data, np.generic):
        return data.dtype.name
    name = np.asarray(data).dtype.name
    return "float32" if name == "float64" and not _holds_numpy(data) else name


def _holds_numpy(data):
    while isinstance(data, (list, tuple)) and data:
        data = data[0]
    return isinstance(data, (np.ndarray, np.generic)) and data.dtype == np.float64


def _plain(data):
    """Nested sequences with numpy arrays in place of Tensors."""
    if isinstance(data, Tensor):
        return data.asnumpy()
    if isinstance(data, (list, tuple)):
        return [_plain(d) for d in data]
    return data


class Tensor(core.TensorBase):
    """`Tensor(input_data, dtype=None, shape=None, init=None)`.

    `input_data`: a number, nested lists of numbers (float32 of floats, int64 of
    ints), a numpy array (its dtype) or a Tensor; the data is copied. Or give
    `shape`, `dtype` and `init`, an initializer. TypeError for other data or a
    dtype that is none; ValueError for ragged lists or a shape that is not the data's.
    """

    __array_priority__ = 100

    def __init__(self, input_data=None, dtype=None, shape=None, init=None, const_arg=False, device=None):
        if dtype is not None:
            dtype = _dtype.of(dtype)
        if init is not None:
            self._array = _initialized(init, shape, dtype)
        elif input_data is None:
            raise ValueError("expected input_data, or init with shape and dtype, found neither")
        else:
            self._array = _array_from(input_data, dtype)
            if shape is not None and tuple(shape) != self.shape:
                raise ValueError(f"expected data of shape {tuple(shape)}, found {self.shape}")

    @staticmethod
    def from_numpy(array):
        """A Tensor that shares a contiguous numpy array's memory. TypeError for anything else."""
        if not isinstance(array, np.ndarray):
            raise TypeError(f"expected a numpy array, found {type(array).__name__}")
        _dtype.of(array.dtype)
        return wrap(core.Array.from_numpy(array, copy=not (array.flags.c_contiguous and array.flags.writeable)))

    @staticmethod
    def from_array(array):
        """A Tensor over a `_core.Array`, sharing it."""
        return wrap(array)

    # --- attributes -----------------------------------------------------------

    @property
    def array(self):
        """The `_core.Array` under the tensor."""
        return self._array

    @property
    def dtype(self):
        """The element type, such as `mindspore.float32`."""
        return _dtype.BY_NAME[self._spec[0]]

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)

    def dim(self):
        """The number of dimensions."""
        return self.ndim

    @property
    def size(self):
        """The number of elements."""
        total = 1
        for s in self.shape:
            total *= s
        return total

    def numel(self):
        """The number of elements."""
        return self.size

    @property
    def itemsize(self):
        """The bytes of an element."""
        return self.dtype.itemsize

    @property
    def nbytes(self):
        """The bytes of all elements."""
        return self.size * self.itemsize

    @property
    def strides(self):
        """The bytes from one element to the next along each dimension."""
        return tuple(s * self.itemsize for s in self._array.strides)

    def stride(self):
        """The elements from one to the next along each dimension."""
        return tuple(self._array.strides)

    def is_contiguous(self):
        """Whether the elements lie in row-major order without gaps."""
        return self._array.is_contiguous

    @property
    def data_ptr_(self):
        """The address of the first element."""
        return self._array.data_ptr

    # --- conversion -----------------------------------------------------------

    def asnumpy(self):
        """A numpy array that shares the storage (of bfloat16: a float32 copy)."""
        return numpy_of(self._array)

    numpy = asnumpy

    def __array__(self, dtype=None, copy=None):
        data = self.asnumpy()
        if dtype is not None and data.dtype != dtype:
            return data.astype(dtype)
        return data.copy() if copy else data

    def item(self, index=None):
        """The only element as a Python number, or the one at `index`. ValueError if there are more."""
        data = self.asnumpy()
        if index is not None:
            return data.item(index)
        if data.size != 1:
            raise ValueError(f"expected a tensor of one element, found shape {self.shape}")
        return data.item()

    def tolist(self):
        """The elements as nested lists of Python numbers."""
        return self.asnumpy().tolist()

    def __bool__(self):
        if self.size != 1:
            raise ValueError("the truth value of a tensor of several elements is ambiguous: expected one "
                             f"element, found shape {self.shape}; use .any() or .all()")
        return bool(self.item())

    def __int__(self):
        return int(self.item())

    def __float__(self):
        return float(self.item())

    def __index__(self):
        value = self.item()
        if not isinstance(value, int) or isinstance(value, bool):
            raise TypeError(f"expected an integer tensor as index, found dtype {self.dtype}")
        return value

    def __len__(self):
        if not self.shape:
            raise TypeError("expected a tensor of at least one dimension for len(), found a 0-d one")
        return self.shape[0]

    def __iter__(self):
        if not self.shape:
            raise TypeError("expected a tensor of at least one dimension to iterate over, found a 0-d one")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, element):
        return bool((self == element).any())

    def __repr__(self):
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={self.__str__()})"

    def __str__(self):
        return np.array2string(self.asnumpy(), separator=" ") if self.shape else str(self.asnumpy())

    def __format__(self, spec):
        return format(self.item(), spec) if spec else str(self)

    def __reduce__(self):
        return _unpickle, (type(self), np.array(self.asnumpy()), self.dtype.name, dict(self._state()))

    def _state(self):
        """What pickling keeps besides data and dtype."""
        return {}

    def __deepcopy__(self, memo):
        made = _unpickle(type(self), np.array(self.asnumpy()), self.dtype.name, self._state())
        memo[id(self)] = made
        return made

    def _replace_array(self, array):
        """Puts another Array under the tensor: of other shape or dtype, in other storage."""
        self._array = array

    # --- values ---------------------------------------------------------------

    def copy(self):
        """A tensor of the same value in storage of its own; differentiable."""
        from .ops.state import identity
        return identity(self)

    clone = copy

    def detach(self):
        """The same storage, as a constant to differentiation."""
        array = self._array
        return wrap(array.view(0, array.shape, array.strides))

    def value(self):
        """The tensor itself."""
        return self

    def contiguous(self):
        """The tensor itself when contiguous, else a copy."""
        return self if self.is_contiguous() else self.copy()

    def init_data(self, *args, **kwargs):
        """The tensor itself: data is always present."""
        return self

    def assign_value(self, value):
        """Writes a tensor or number of this shape, cast to this dtype, into the storage.

        ValueError for another shape. Inside captured code the emitter takes the
        write. The one road by which a whole tensor's value changes.
        """
        from .ops import emitter as _e
        from .ops.elementwise import cast
        from .ops.movement import broadcast_to
        if not isinstance(value, Tensor):
            value = Tensor(value, self.dtype)
        if value.shape != self.shape:
            if value.size != 1 and value.shape not in ((), (1,)):
                raise ValueError(f"expected a value of shape {self.shape}, found {value.shape}")
            value = broadcast_to(value.reshape(()), self.shape)
        if value.dtype is not self.dtype:
            value = cast(value, self.dtype)
        if _e.state.emitter is not None:
            _e.state.emitter.write(self, value)
            return self
        from .runtime.tape import write
        write(self, value)
        return self

    def __setitem__(self, index, value):
        from .ops.tensor_methods import write_item
        write_item(self, index, value)


core.set_tensor_class(Tensor)


def _unpickle(cls, data, dtype, state):
    made = cls.__new__(cls)
    made._array = array_of(data, dtype)
    made.__dict__.update(state)
    return made


def _array_from(data, dtype):
    if isinstance(data, Tensor):
        name = dtype.name if dtype else data.dtype.name
        return array_of(np.array(data.asnumpy()), name)
    if isinstance(data, str) or not isinstance(data, (bool, int, float, list, tuple, np.ndarray, np.generic)):
        raise TypeError("expected a number, nested lists of numbers, a numpy array or a Tensor as data, "
                        f"found {type(data).__name__}")
    plain = _plain(data)
    try:
        values = np.array(plain)
    except ValueError as error:
        raise ValueError(f"expected nested lists of one shape, found ragged ones ({error})") from None
    if values.dtype.kind not in "biuf" or values.dtype.name == "float128":
        raise TypeError(f"expected numbers as data, found elements of type {values.dtype}")
    return array_of(values, dtype.name if dtype else ("float32" if values.size == 0 and isinstance(
        data, (list, tuple)) else _data_dtype(plain)))


def _initialized(init, shape, dtype):
    from .common.initializer import initializer
    if shape is None or dtype is None:
        raise ValueError(f"expected shape and dtype with init, found shape {shape} and dtype {dtype}")
    return initializer(init, shape, dtype)._array


def tensor(input_data=None, dtype=None, shape=None, init=None):
    """A Tensor; see there."""
    return Tensor(input_data, dtype, shape, init)


def __getattr__(name):
    if name == "Parameter":
        from .parameter import Parameter
        return Parameter
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
