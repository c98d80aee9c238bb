"""`mindspore.common`: tensors, Parameters, dtypes, seeds and initializers."""

from .. import dtype
from ..dtype import *  # noqa: F401,F403
from ..parameter import Parameter, ParameterTuple
from ..runtime.generator import get_seed, set_seed
from ..tensor import Tensor, tensor
from . import initializer

__all__ = ["Parameter", "ParameterTuple", "Tensor", "dtype", "get_seed", "initializer", "set_seed", "tensor",
           *dtype.__all__]


def __getattr__(name):
    from .._missing import missing
    return missing(__name__, name)
