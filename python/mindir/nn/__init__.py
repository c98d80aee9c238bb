"""The layers of MindIR: `mindspore.nn`."""

from . import optim
from .activation import *  # noqa: F401,F403
from .activation import get_activation
from .cell import Cell
from .container import CellList, SequentialCell
from .layers import (AdaptiveAvgPool2d, AvgPool2d, BatchNorm1d, BatchNorm2d, Conv2d, Dense, Dropout, Embedding,
                     Flatten, GroupNorm, Identity, LayerNorm, MaxPool2d)
from .loss import (BCELoss, BCEWithLogitsLoss, CrossEntropyLoss, HuberLoss, L1Loss, LossBase, MSELoss, SmoothL1Loss,
                   SoftmaxCrossEntropyWithLogits, TrainOneStepCell, WithLossCell)
from .optim import SGD, Adam, AdamWeightDecay, Momentum, Optimizer

__all__ = ["Adam", "AdamWeightDecay", "AdaptiveAvgPool2d", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d",
           "BatchNorm2d", "Cell", "CellList", "Conv2d", "CrossEntropyLoss", "Dense", "Dropout", "Embedding", "Flatten",
           "GroupNorm", "HuberLoss", "Identity", "L1Loss", "LayerNorm", "LossBase", "MSELoss", "MaxPool2d", "Momentum",
           "Optimizer", "SGD", "SequentialCell", "SmoothL1Loss", "SoftmaxCrossEntropyWithLogits", "TrainOneStepCell",
           "WithLossCell", "get_activation", "optim"]


def __getattr__(name):
    from .._missing import missing
    return missing(__name__, name)
