"""Element types: `ms.float32` and its kin, and their numpy counterparts."""

import numpy as np

__all__ = [
    "DType", "bool_", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32",
    "uint64", "float16", "bfloat16", "float32", "float64", "int_", "uint", "float_",
    "dtype_to_nptype", "dtype_to_pytype", "pytype_to_dtype",
]


class DType:
    """An element type.

    `name` is numpy's name of it ("float32", "bool", and "bfloat16"), `kind` one
    of "bool", "int", "uint", "float", `itemsize` its bytes. `str()` gives
    MindSpore's spelling, "Float32". Equal by identity; pickles to itself.
    """

    __slots__ = ("name", "kind", "itemsize", "_title")

    def __init__(self, name, kind, itemsize, title):
        self.name, self.kind, self.itemsize, self._title = name, kind, itemsize, title

    def __str__(self):
        return self._title

    def __repr__(self):
        return "mindspore." + ("bool_" if self.name == "bool" else self.name)

    def __reduce__(self):
        return (of_name, (self.name,))

    @property
    def is_float(self):
        """Whether it is a floating-point type."""
        return self.kind == "float"


bool_ = DType("bool", "bool", 1, "Bool")
int8 = DType("int8", "int", 1, "Int8")
int16 = DType("int16", "int", 2, "Int16")
int32 = DType("int32", "int", 4, "Int32")
int64 = DType("int64", "int", 8, "Int64")
uint8 = DType("uint8", "uint", 1, "UInt8")
uint16 = DType("uint16", "uint", 2, "UInt16")
uint32 = DType("uint32", "uint", 4, "UInt32")
uint64 = DType("uint64", "uint", 8, "UInt64")
float16 = DType("float16", "float", 2, "Float16")
bfloat16 = DType("bfloat16", "float", 2, "BFloat16")
float32 = DType("float32", "float", 4, "Float32")
float64 = DType("float64", "float", 8, "Float64")
int_, uint, float_ = int64, uint64, float32

BY_NAME = {d.name: d for d in (
    bool_, int8, int16, int32, int64, uint8, uint16, uint32, uint64,
    float16, bfloat16, float32, float64)}
_OF_PYTHON = {bool: bool_, int: int64, float: float32}


def of_name(name):
    """The DType whose numpy name is `name`; ValueError for another."""
    try:
        return BY_NAME[name]
    except KeyError:
        raise ValueError(f"expected one of {', '.join(BY_NAME)}, found dtype {name!r}") from None


def of(dtype):
    """The DType that `dtype` means: a DType, its name, a numpy dtype, or bool, int, float.

    Raises TypeError for anything else.
    """
    if isinstance(dtype, DType):
        return dtype
    if isinstance(dtype, type) and dtype in _OF_PYTHON:
        return _OF_PYTHON[dtype]
    if isinstance(dtype, str) and dtype in BY_NAME:
        return BY_NAME[dtype]
    try:
        return BY_NAME[np.dtype(dtype).name]
    except (TypeError, KeyError):
        raise TypeError(
            f"expected an element type such as mindspore.float32, found {dtype!r}") from None


def name_of(dtype):
    """Numpy's name of what `dtype` means; TypeError as `of`."""
    return dtype.name if type(dtype) is DType else of(dtype).name


def dtype_to_nptype(type_):
    """The numpy scalar class of a DType; TypeError for bfloat16, which numpy lacks."""
    if type_ is bfloat16:
        raise TypeError("numpy has no bfloat16: convert the tensor to float32 first")
    return np.dtype(of(type_).name).type


def dtype_to_pytype(type_):
    """bool, int or float, by the kind of a DType."""
    return {"bool": bool, "float": float}.get(of(type_).kind, int)


def pytype_to_dtype(obj):
    """The DType of a Python or numpy class."""
    return of(obj)
