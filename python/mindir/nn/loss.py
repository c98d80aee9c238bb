"""Losses as Cells, and the Cells that join a net with its loss and optimizer."""

from .. import ops
from ..gradient import value_and_grad
from .cell import Cell


class LossBase(Cell):
    """Base of losses: `reduction` is "mean", "sum" or "none" (ValueError for another)."""

    def __init__(self, reduction="mean"):
        super().__init__()
        if reduction not in ("mean", "sum", "none"):
            raise ValueError(f"For '{type(self).__name__}', expected reduction 'mean', 'sum' or 'none', "
                             f"found {reduction!r}.")
        self.reduction = reduction

    def get_loss(self, x, weights=1.0):
        """`x * weights`, reduced."""
        x = x * weights
        if self.reduction == "mean":
            return x.mean()
        if self.reduction == "sum":
            return x.sum()
        return x


class MSELoss(LossBase):
    """`(logits - labels)^2`, reduced."""

    def construct(self, logits, labels):
        """The loss."""
        return ops.mse_loss(logits, labels, self.reduction)


class L1Loss(LossBase):
    """`|logits - labels|`, reduced."""

    def construct(self, logits, labels):
        """The loss."""
        return ops.l1_loss(logits, labels, self.reduction)


class SmoothL1Loss(LossBase):
    """`0.5 d^2 / beta` where `d < beta`, else `d - 0.5 beta`; reduced."""

    def __init__(self, beta=1.0, reduction="none"):
        super().__init__(reduction)
        self.beta = beta

    def construct(self, logits, labels):
        """The loss."""
        return ops.smooth_l1_loss(logits, labels, self.beta, self.reduction)


class HuberLoss(LossBase):
    """`0.5 d^2` where `d <= delta`, else `delta (d - 0.5 delta)`; reduced."""

    def __init__(self, reduction="mean", delta=1.0):
        super().__init__(reduction)
        self.delta = delta

    def construct(self, logits, labels):
        """The loss."""
        return ops.huber_loss(logits, labels, self.reduction, self.delta)


class CrossEntropyLoss(LossBase):
    """Cross entropy of softmaxed logits with class indices or probabilities; see `ops.cross_entropy`."""

    def __init__(self, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
        super().__init__(reduction)
        self.weight, self.ignore_index, self.label_smoothing = weight, ignore_index, label_smoothing

    def construct(self, logits, labels):
        """The loss."""
        return ops.cross_entropy(logits, labels, self.weight, self.ignore_index, self.reduction, self.label_smoothing)


class SoftmaxCrossEntropyWithLogits(LossBase):
    """Cross entropy per row: with class indices when `sparse`, else with probabilities; reduced."""

    def __init__(self, sparse=False, reduction="none"):
        super().__init__(reduction)
        self.sparse = sparse

    def construct(self, logits, labels):
        """The loss."""
        if not self.sparse:
            labels = labels.astype(logits.dtype)
        return ops.cross_entropy(logits, labels, reduction=self.reduction)


class BCELoss(LossBase):
    """Binary cross entropy of probabilities; see `ops.binary_cross_entropy`."""

    def __init__(self, weight=None, reduction="mean"):
        super().__init__(reduction)
        self.weight = weight

    def construct(self, logits, labels):
        """The loss."""
        return ops.binary_cross_entropy(logits, labels, self.weight, self.reduction)


class BCEWithLogitsLoss(LossBase):
    """Binary cross entropy of sigmoid(logits); see `ops.binary_cross_entropy_with_logits`."""

    def __init__(self, reduction="mean", weight=None, pos_weight=None):
        super().__init__(reduction)
        self.weight, self.pos_weight = weight, pos_weight

    def construct(self, logits, labels):
        """The loss."""
        return ops.binary_cross_entropy_with_logits(logits, labels, self.weight, self.pos_weight, self.reduction)


class WithLossCell(Cell):
    """`loss_fn(backbone(data), label)`."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone, self._loss_fn = backbone, loss_fn

    def construct(self, data, label):
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self):
        """The net without the loss."""
        return self._backbone


class TrainOneStepCell(Cell):
    """One training step: the loss of `network`, whose gradients go to `optimizer`.

    `sens` is the loss' cotangent; gradients are divided by it where the
    optimizer's loss_scale says so.
    """

    def __init__(self, network, optimizer, sens=1.0):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.sens = network, optimizer, float(sens)
        self.weights = optimizer.parameters
        self._value_and_grad = value_and_grad(self._scaled, None, self.weights, has_aux=True)

    def _scaled(self, *inputs):
        loss = self.network(*inputs)
        return loss * self.sens, loss

    def construct(self, *inputs):
        """The loss before the step."""
        (_, loss), gradients = self._value_and_grad(*inputs)
        return ops.depend(loss, self.optimizer(gradients))
