"""Adam and AdamWeightDecay."""

from ...dtype import float32
from ...ops import elementwise as _el
from ...ops.primitive import Updates, primitive
from ...parameter import Parameter
from ...tensor import Tensor
from .optimizer import Optimizer, at_least, in_range, prepared


def _moments(m, v, g, beta1, beta2):
    m = _el.add(_el.mul(m, beta1), _el.mul(g, 1.0 - beta1))
    return m, _el.add(_el.mul(v, beta2), _el.mul(_el.square(g), 1.0 - beta2))


@primitive(mutates=("parameters", "moment1", "moment2", "powers"))
def adam_update(parameters, moment1, moment2, powers, gradients, rates, decays, loss_scale, beta1, beta2, eps, nesterov):
    """Adam with bias correction in the rate.

    `m = beta1 m + (1 - beta1) g`, `v = beta2 v + (1 - beta2) g^2`,
    `p -= lr sqrt(1 - beta2^t) / (1 - beta1^t) m / (sqrt(v) + eps)`; `powers` hold
    `beta1^t` and `beta2^t`. With `nesterov`, `beta1 m + (1 - beta1) g` in place of m.
    """
    power1, power2 = _el.mul(powers[0], beta1), _el.mul(powers[1], beta2)
    correction = _el.div(_el.sqrt(_el.sub(1.0, power2)), _el.sub(1.0, power1))
    moved, kept1, kept2 = [], [], []
    for p, m, v, g, r, d in zip(parameters, moment1, moment2, gradients, rates, decays):
        g = prepared(g, p, d, loss_scale)
        m, v = _moments(m, v, g, beta1, beta2)
        ahead = _el.add(_el.mul(m, beta1), _el.mul(g, 1.0 - beta1)) if nesterov else m
        step = _el.mul(_el.div(ahead, _el.add(_el.sqrt(v), eps)), _el.mul(correction, r))
        moved.append(_el.sub(p, _el.cast(step, p.dtype)))
        kept1.append(_el.cast(m, p.dtype))
        kept2.append(_el.cast(v, p.dtype))
    return Updates(moved + kept1 + kept2 + [power1, power2])


@primitive(mutates=("parameters", "moment1", "moment2"))
def adam_weight_decay_update(parameters, moment1, moment2, gradients, rates, decays, beta1, beta2, eps):
    """Adam without bias correction and with decoupled decay: `p -= lr (m / (sqrt(v) + eps) + decay p)`."""
    moved, kept1, kept2 = [], [], []
    for p, m, v, g, r, d in zip(parameters, moment1, moment2, gradients, rates, decays):
        m, v = _moments(m, v, g, beta1, beta2)
        step = _el.div(m, _el.add(_el.sqrt(v), eps))
        step = step if d == 0.0 else _el.add(step, _el.mul(p, d))
        moved.append(_el.sub(p, _el.cast(_el.mul(step, r), p.dtype)))
        kept1.append(_el.cast(m, p.dtype))
        kept2.append(_el.cast(v, p.dtype))
    return Updates(moved + kept1 + kept2)


def _check(name, beta1, beta2, eps):
    in_range(name, "beta1", beta1, 0, 1)
    in_range(name, "beta2", beta2, 0, 1)
    at_least(name, "eps", eps, 0)


class Adam(Optimizer):
    """Adam: see `adam_update` for the formulas. ValueError: betas outside [0, 1), numbers below 0."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, use_locking=False,
                 use_nesterov=False, weight_decay=0.0, loss_scale=1.0, use_amsgrad=False):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        _check("Adam", beta1, beta2, eps)
        if use_amsgrad:
            raise NotImplementedError("nn.Adam(use_amsgrad=True) is not implemented in MindIR")
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.use_nesterov = bool(use_nesterov)
        self.moment1, self.moment2 = self.states("moment1"), self.states("moment2")
        self.beta1_power = Parameter(Tensor(1.0, float32), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(1.0, float32), name="beta2_power", requires_grad=False)

    def construct(self, gradients):
        """Updates the Parameters by their gradients, a tuple; gives True."""
        gradients, rates = self.checked(gradients), self.get_lr()
        adam_update(self.parameters, self.moment1, self.moment2, [self.beta1_power, self.beta2_power], gradients,
                    rates, self.weight_decays, self.loss_scale, self.beta1, self.beta2, self.eps, self.use_nesterov)
        return True


class AdamWeightDecay(Optimizer):
    """Adam with decoupled weight decay: see `adam_weight_decay_update` for the formulas."""

    def __init__(self, params, learning_rate=1e-3, beta1=0.9, beta2=0.999, eps=1e-6, weight_decay=0.0):
        super().__init__(learning_rate, params, weight_decay)
        _check("AdamWeightDecay", beta1, beta2, eps)
        self.beta1, self.beta2, self.eps = float(beta1), float(beta2), float(eps)
        self.moments1, self.moments2 = self.states("adam_m"), self.states("adam_v")

    def construct(self, gradients):
        """Updates the Parameters by their gradients, a tuple; gives True."""
        gradients, rates = self.checked(gradients), self.get_lr()
        adam_weight_decay_update(self.parameters, self.moments1, self.moments2, gradients, rates, self.weight_decays,
                                 self.beta1, self.beta2, self.eps)
        return True
