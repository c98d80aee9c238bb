"""What optimizers share: parameter groups, learning rates, decay, loss scale."""

from ... import ops
from ...dtype import float32, int32
from ...ops import elementwise as _el
from ...parameter import Parameter, ParameterTuple
from ...tensor import Tensor
from ..cell import Cell


class Optimizer(Cell):
    """Base of optimizers: `optimizer(gradients)` updates `parameters`, in one call over all of them.

    `parameters`: a sequence of Parameters, or of groups
    `{"params": [...], "lr": ..., "weight_decay": ...}`. `learning_rate`: a
    number, a list (one a step), a 0-d or 1-d Tensor, or a Cell of the step.
    Gradients are divided by `loss_scale`, then `weight_decay * parameter` is
    added (without groups, not for names with "beta" or "gamma").
    """

    def __init__(self, learning_rate, parameters, weight_decay=0.0, loss_scale=1.0):
        super().__init__(auto_prefix=False)
        name = type(self).__name__
        groups = _groups(name, parameters)
        _at_least(name, "weight_decay", weight_decay, 0)
        if not isinstance(loss_scale, (int, float)) or loss_scale <= 0:
            raise ValueError(f"For '{name}', expected loss_scale above 0, found {loss_scale!r}.")
        self.loss_scale = float(loss_scale)
        members, rates, decays = [], [], []
        self.is_group = isinstance(groups[0], dict)
        for group in groups if self.is_group else [{"params": groups}]:
            rate = _Rate(name, group.get("lr", learning_rate))
            decay = float(group.get("weight_decay", weight_decay))
            for parameter in group["params"]:
                members.append(parameter)
                rates.append(rate)
                decays.append(decay if self.is_group or _decays(parameter) else 0.0)
        self.parameters = ParameterTuple(members)
        self.params = self.parameters
        self.weight_decays = tuple(decays)
        self._set_rates(rates)

    def _set_rates(self, rates):
        """One Parameter or schedule for each distinct rate; which of them each Parameter uses."""
        distinct = list({id(r): r for r in rates}.values())
        self.rate_places = tuple([distinct.index(r) for r in rates])
        self.dynamic_lr = any(r.schedule is not None or r.table is not None for r in distinct)
        self.global_step = Parameter(Tensor(0, int32), name="global_step", requires_grad=False)
        self.rate_kinds = tuple("schedule" if r.schedule is not None else "table" if r.table is not None else "number"
                                for r in distinct)
        for i, rate in enumerate(distinct):
            label = "learning_rate" if len(distinct) == 1 else f"learning_rate_{i}"
            if rate.schedule is not None:
                setattr(self, label, rate.schedule)
            else:
                values = rate.number if rate.table is None else rate.table
                setattr(self, label, Parameter(Tensor(values, float32), name=label, requires_grad=False))

    def _rate(self, index):
        label = "learning_rate" if len(self.rate_kinds) == 1 else f"learning_rate_{index}"
        source = getattr(self, label)
        if self.rate_kinds[index] == "schedule":
            return source(self.global_step)
        if self.rate_kinds[index] == "table":
            return ops.gather(source, ops.minimum(self.global_step, source.shape[0] - 1), 0)
        return source

    def get_lr(self):
        """The learning rates of this step: a 0-d Tensor for each Parameter. Advances the step."""
        distinct = [self._rate(i) for i in range(len(self.rate_kinds))]
        rates = [distinct[place] for place in self.rate_places]
        if self.dynamic_lr:
            ops.assign_add(self.global_step, 1)
        return rates

    def checked(self, gradients):
        """The gradients as a list. TypeError, ValueError: not one for each Parameter."""
        if not isinstance(gradients, (tuple, list)):
            raise TypeError(f"For '{type(self).__name__}', expected a tuple of gradients, found "
                            f"{type(gradients).__name__}.")
        if len(gradients) != len(self.parameters):
            raise ValueError(f"For '{type(self).__name__}', expected {len(self.parameters)} gradients, one a Parameter, "
                             f"found {len(gradients)}.")
        return list(gradients)

    def states(self, prefix, init="zeros"):
        """Parameters like `parameters`, named `prefix.<name>`, that are not trained."""
        made = self.parameters.clone(prefix, init)
        for parameter in made:
            parameter.requires_grad = False
        return made


def prepared(gradient, parameter, decay, loss_scale):
    """`gradient / loss_scale + decay * parameter`, for the bodies of updates."""
    if loss_scale != 1.0:
        gradient = _el.mul(gradient, 1.0 / loss_scale)
    return gradient if decay == 0.0 else _el.add(gradient, _el.mul(parameter, decay))


class _Rate:
    """A learning rate: `number`, `table` (one a step) or `schedule` (a Cell)."""

    def __init__(self, name, rate):
        self.number = self.table = self.schedule = None
        if isinstance(rate, Cell):
            self.schedule = rate
            return
        if isinstance(rate, Tensor):
            rate = rate.tolist()
        if isinstance(rate, (list, tuple)) or hasattr(rate, "__iter__"):
            self.table = [float(r) for r in rate]
            if not self.table or min(self.table) < 0:
                raise ValueError(f"For '{name}', expected learning_rate of numbers of at least 0, found {rate!r}.")
            return
        _at_least(name, "learning_rate", rate, 0)
        self.number = float(rate)


def _at_least(name, label, value, least):
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"For '{name}', expected {label} as a number, found {value!r}.")
    if not value >= least:
        raise ValueError(f"For '{name}', expected {label} of at least {least}, found {value}.")


def in_range(name, label, value, low, high):
    """ValueError unless `low <= value < high`; TypeError unless a number."""
    _at_least(name, label, value, low)
    if value >= high:
        raise ValueError(f"For '{name}', expected {label} in [{low}, {high}), found {value}.")


at_least = _at_least


def _decays(parameter):
    return "beta" not in parameter.name and "gamma" not in parameter.name


def _groups(name, parameters):
    if isinstance(parameters, Parameter) or not hasattr(parameters, "__iter__"):
        raise TypeError(f"For '{name}', expected a sequence of Parameters, found {type(parameters).__name__}.")
    items = list(parameters)
    if not items:
        raise ValueError(f"For '{name}', expected at least one Parameter, found none.")
    if not all(isinstance(i, Parameter) for i in items) and not all(
            isinstance(i, dict) and ("params" in i or "order_params" in i) for i in items):
        raise TypeError(f"For '{name}', expected Parameters, or groups with the key 'params', found {items[0]!r}.")
    return [i for i in items if not isinstance(i, dict) or "params" in i]
