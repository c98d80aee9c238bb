"""MindIR: a graph compiler for deep learning with the MindSpore API.

    import mindir as ms
    from mindir import nn, ops, Tensor

`python -m mindir script.py` runs a script in which `import mindspore` means
this package.
"""

from . import context, dtype
from .dtype import *  # noqa: F401,F403
from .context import GRAPH_MODE, PYNATIVE_MODE, get_context, reset_context, set_context
from .tensor import Tensor, tensor
from .parameter import Parameter, ParameterTuple
from .runtime.generator import get_seed, set_seed
from .gradient import get_grad, grad, jvp, value_and_grad, vjp
from .mapping import jacfwd, jacrev, vmap
from . import ops
from . import common, nn
from .jit import explain, jit
from .serialization import load_param_into_net

__version__ = "2.10.0"      # the MindSpore release whose API this is

__all__ = ["GRAPH_MODE", "PYNATIVE_MODE", "Parameter", "ParameterTuple", "Tensor", "common", "context", "dtype",
           "explain", "get_context", "get_grad", "get_seed", "grad", "jacfwd", "jacrev", "jit", "jvp", "load_param_into_net", "nn", "ops",
           "reset_context", "set_context", "set_seed", "tensor", "value_and_grad", "vjp", "vmap", *dtype.__all__]


def __getattr__(name):
    from ._missing import missing
    return missing(__name__, name)
