"""SGD and Momentum."""

from ...ops import elementwise as _el
from ...ops.primitive import Updates, primitive
from .optimizer import Optimizer, at_least, prepared


@primitive(mutates=("parameters",))
def sgd_update(parameters, gradients, rates, decays, loss_scale):
    """`p -= lr * g` for each Parameter."""
    return Updates([_step(p, prepared(g, p, d, loss_scale), r)
                    for p, g, r, d in zip(parameters, gradients, rates, decays)])


def _step(parameter, direction, rate):
    return _el.sub(parameter, _el.cast(_el.mul(direction, rate), parameter.dtype))


@primitive(mutates=("parameters", "accumulations", "stats"))
def sgd_momentum_update(parameters, accumulations, stats, gradients, rates, decays, loss_scale, momentum, dampening,
                        nesterov):
    """`v = g` at the first step, then `momentum * v + (1 - dampening) * g`; `p -= lr * v`.

    With `nesterov`, `p -= lr * (g + momentum * v)`. A `stat` of 1 marks the first step.
    """
    moved, kept, done = [], [], []
    for p, v, s, g, r, d in zip(parameters, accumulations, stats, gradients, rates, decays):
        g = prepared(g, p, d, loss_scale)
        later = _el.add(_el.mul(v, momentum), _el.mul(g, 1.0 - dampening))
        v = _el.select(_el.greater(s, 0), g, later)
        moved.append(_step(p, _el.add(g, _el.mul(v, momentum)) if nesterov else v, r))
        kept.append(_el.cast(v, p.dtype))
        done.append(_el.zeros_like(s))
    return Updates(moved + kept + done)


@primitive(mutates=("parameters", "moments"))
def momentum_update(parameters, moments, gradients, rates, decays, loss_scale, momentum, nesterov):
    """`v = momentum * v + g`; `p -= lr * v`, with `nesterov` `p -= lr * (g + momentum * v)`."""
    moved, kept = [], []
    for p, v, g, r, d in zip(parameters, moments, gradients, rates, decays):
        g = prepared(g, p, d, loss_scale)
        v = _el.add(_el.mul(v, momentum), g)
        moved.append(_step(p, _el.add(g, _el.mul(v, momentum)) if nesterov else v, r))
        kept.append(_el.cast(v, p.dtype))
    return Updates(moved + kept)


class SGD(Optimizer):
    """Gradient descent, with momentum: see `sgd_momentum_update` for the formulas.

    ValueError: `nesterov` without momentum or with dampening, numbers below 0.
    """

    def __init__(self, params, learning_rate=0.1, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False,
                 loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        at_least("SGD", "momentum", momentum, 0)
        at_least("SGD", "dampening", dampening, 0)
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("For 'SGD', expected momentum above 0 and dampening 0 with nesterov, found "
                             f"{momentum} and {dampening}.")
        self.momentum, self.dampening, self.nesterov = float(momentum), float(dampening), bool(nesterov)
        if self.momentum:
            self.accum = self.states("accum")
            self.stat = self.states("stat", "ones")

    def construct(self, gradients):
        """Updates the Parameters by their gradients, a tuple; gives True."""
        gradients, rates = self.checked(gradients), self.get_lr()
        if self.momentum:
            sgd_momentum_update(self.parameters, self.accum, self.stat, gradients, rates, self.weight_decays,
                                self.loss_scale, self.momentum, self.dampening, self.nesterov)
        else:
            sgd_update(self.parameters, gradients, rates, self.weight_decays, self.loss_scale)
        return True


class Momentum(Optimizer):
    """Gradient descent with momentum: see `momentum_update` for the formulas."""

    def __init__(self, params, learning_rate, momentum, weight_decay=0.0, loss_scale=1.0, use_nesterov=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        at_least("Momentum", "momentum", momentum, 0)
        self.momentum, self.use_nesterov = float(momentum), bool(use_nesterov)
        self.moments = self.states("moments")

    def construct(self, gradients):
        """Updates the Parameters by their gradients, a tuple; gives True."""
        gradients, rates = self.checked(gradients), self.get_lr()
        momentum_update(self.parameters, self.moments, gradients, rates, self.weight_decays, self.loss_scale,
                        self.momentum, self.use_nesterov)
        return True
