"""Parameter: a named tensor that belongs to a Cell and is trained."""

from .frontend import epoch as _epoch
from .tensor import Tensor

DEFAULT_NAME = "Parameter"


class Parameter(Tensor):
    """`Parameter(default_input, name=None, requires_grad=True)`.

    `default_input`: a Tensor, number, nested list or numpy array; copied. A
    Parameter has one value: eager calls, compiled functions, optimizers and
    checkpoints read and write the same storage. `name` is set by the Cell that
    first holds it when not given.
    """

    def __init__(self, default_input, name=None, requires_grad=True, layerwise_parallel=False,
                 parallel_optimizer=True, storage_format="", device=None):
        if name is not None and not isinstance(name, str):
            raise TypeError(f"expected the name of a Parameter as a str, found {name!r}")
        super().__init__(default_input)
        self._name = DEFAULT_NAME if not name else name
        self._requires_grad = _flag("requires_grad", requires_grad)
        self.layerwise_parallel = layerwise_parallel
        self.parallel_optimizer = parallel_optimizer
        self.is_init = False

    @property
    def name(self):
        """The name, unique among the Parameters of a net."""
        return self._name

    @name.setter
    def name(self, value):
        if not isinstance(value, str) or not value:
            raise ValueError(f"expected the name of a Parameter as a str, found {value!r}")
        self._name = value

    @property
    def has_default_name(self):
        """Whether no name was given yet."""
        return self._name == DEFAULT_NAME

    @property
    def requires_grad(self):
        """Whether it is trained: `trainable_params()` lists it."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value):
        self._requires_grad = _flag("requires_grad", value)
        _epoch.bump()

    @property
    def data(self):
        """The Parameter itself."""
        return self

    @property
    def has_init(self):
        """Whether data is still to be made: never."""
        return False

    def set_data(self, data, slice_shape=False):
        """Takes the values of a Tensor (or number) of the same shape, cast to this dtype.

        With `slice_shape` another shape is taken too. ValueError for another
        shape, TypeError for data that is no number or Tensor, or a float given
        to an integer Parameter. Gives the Parameter.
        """
        if not isinstance(data, Tensor):
            if not isinstance(data, (bool, int, float, list)):
                raise TypeError(f"For '{self.name}', expected a Tensor or number as data, found {type(data).__name__}")
            data = Tensor(data)
            if data.shape == () and self.shape != ():
                return self.assign_value(data)
        if data.dtype.is_float and not self.dtype.is_float:
            raise TypeError(f"For Parameter '{self.name}' of dtype {self.dtype}, expected integer data, found "
                            f"{data.dtype}. Convert it with astype().")
        if data.shape == self.shape:
            return self.assign_value(data)
        if not slice_shape:
            raise ValueError(f"For Parameter '{self.name}', expected data of shape {self.shape}, found {data.shape}. "
                             "Give slice_shape=True to change the shape.")
        self._replace_array(data.astype(self.dtype).copy()._array)
        _epoch.bump()
        return self

    def set_dtype(self, dtype):
        """Converts the Parameter to another dtype."""
        self._replace_array(Tensor(self, dtype)._array)
        _epoch.bump()
        return self

    def clone(self, init="same"):
        """A new Parameter of equal name and flags: same values, or made by an initializer."""
        from .common.initializer import initializer
        value = self if isinstance(init, str) and init == "same" else initializer(init, self.shape, self.dtype)
        made = Parameter(Tensor(value), self.name, self.requires_grad, self.layerwise_parallel, self.parallel_optimizer)
        return made

    def _state(self):
        return {"_name": self._name, "_requires_grad": self._requires_grad, "is_init": False,
                "layerwise_parallel": self.layerwise_parallel, "parallel_optimizer": self.parallel_optimizer}

    def __repr__(self):
        return (f"Parameter (name={self.name}, shape={self.shape}, dtype={self.dtype}, "
                f"requires_grad={self.requires_grad})")

    __str__ = __repr__


def _flag(name, value):
    if not isinstance(value, bool):
        raise TypeError(f"expected {name} as a bool, found {value!r}")
    return value


class ParameterTuple(tuple):
    """A tuple of Parameters. TypeError for other items."""

    def __new__(cls, iterable):
        items = tuple(iterable)
        for item in items:
            if not isinstance(item, Parameter):
                raise TypeError(f"expected Parameters, found {type(item).__name__}")
        return super().__new__(cls, items)

    def clone(self, prefix, init="same"):
        """Clones of all, their names behind `prefix.`."""
        made = []
        for item in self:
            copy = item.clone(init)
            copy.name = f"{prefix}.{item.name}"
            made.append(copy)
        return ParameterTuple(made)
