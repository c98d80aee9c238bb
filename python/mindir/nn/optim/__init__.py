"""Optimizers."""

from .adam import Adam, AdamWeightDecay
from .optimizer import Optimizer
from .sgd import SGD, Momentum

__all__ = ["Adam", "AdamWeightDecay", "Momentum", "Optimizer", "SGD"]


def __getattr__(name):
    from ..._missing import missing
    return missing(__name__, name)
