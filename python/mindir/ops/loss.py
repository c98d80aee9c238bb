"""Losses. `reduction` is "mean", "sum" or "none"; ValueError names another."""

from .. import dtype as _dtype
from . import elementwise as _el
from . import indexing as _ix
from . import reduction as _red
from ._promotion import floating, to_value, widened
from ._shape import multiply, sizes_of
from .activation import log_softmax
from .emitter import emit
from .movement import reshape, swapaxes
from .primitive import primitive


def _reduced(title, loss, reduction):
    if reduction == "mean":
        return _red.mean(loss)
    if reduction == "sum":
        return _red.sum(loss)
    if reduction != "none":
        raise ValueError(f"For '{title}', expected reduction 'mean', 'sum' or 'none', found {reduction!r}.")
    return loss


@primitive
def mse_loss(input, target, reduction="mean"):
    """`(input - target)^2`, reduced."""
    return _reduced("mse_loss", _el.square(_el.sub(floating(input), floating(target))), reduction)


@primitive
def l1_loss(input, target, reduction="mean"):
    """`|input - target|`, reduced."""
    return _reduced("l1_loss", _el.abs(_el.sub(floating(input), floating(target))), reduction)


@primitive
def smooth_l1_loss(input, target, beta=1.0, reduction="none"):
    """`0.5 d^2 / beta` where `d = |input - target| < beta`, else `d - 0.5 beta`; reduced."""
    d = _el.abs(_el.sub(floating(input), floating(target)))
    near = _el.div(_el.mul(_el.square(d), 0.5), beta)
    return _reduced("smooth_l1_loss", _el.select(_el.less(d, beta), near, _el.sub(d, 0.5 * beta)), reduction)


@primitive
def huber_loss(input, target, reduction="mean", delta=1.0):
    """`0.5 d^2` where `d = |input - target| <= delta`, else `delta (d - 0.5 delta)`; reduced."""
    d = _el.abs(_el.sub(floating(input), floating(target)))
    far = _el.mul(_el.sub(d, 0.5 * delta), delta)
    return _reduced("huber_loss", _el.select(_el.less_equal(d, delta), _el.mul(_el.square(d), 0.5), far), reduction)


@primitive
def binary_cross_entropy(logits, labels, weight=None, reduction="mean"):
    """`-(labels ln p + (1 - labels) ln(1 - p))` of probabilities p, each ln at least -100; reduced."""
    p, t = floating(logits), floating(labels)
    logs = [_el.maximum(_el.log(v), -100.0) for v in (p, _el.sub(1, p))]
    loss = _el.neg(_el.add(_el.mul(t, logs[0]), _el.mul(_el.sub(1, t), logs[1])))
    return _reduced("binary_cross_entropy", loss if weight is None else _el.mul(loss, weight), reduction)


@primitive
def binary_cross_entropy_with_logits(logits, label, weight=None, pos_weight=None, reduction="mean"):
    """Binary cross entropy of sigmoid(logits), without overflow; reduced.

    `pos_weight` scales the term of positive labels, `weight` the whole.
    """
    x, t = floating(logits), floating(label)
    tail = _el.log1p(_el.exp(_el.neg(_el.abs(x))))
    softplus_neg = _el.add(_el.maximum(_el.neg(x), 0), tail)        # -ln sigmoid(x)
    factor = 1 if pos_weight is None else _el.add(_el.mul(_el.sub(pos_weight, 1), t), 1)
    loss = _el.add(_el.mul(_el.sub(1, t), x), _el.mul(softplus_neg, factor))
    loss = loss if weight is None else _el.mul(loss, weight)
    return _reduced("binary_cross_entropy_with_logits", loss, reduction)


@primitive
def kl_div(logits, labels, reduction="mean"):
    """`labels (ln labels - logits)`, zero where labels are 0; "batchmean" divides the sum by rows."""
    x, t = floating(logits), floating(labels)
    positive = _el.greater(t, 0)
    logs = _el.log(_el.select(positive, t, 1.0))
    loss = _el.select(positive, _el.mul(t, _el.sub(logs, x)), 0.0)
    if reduction == "batchmean":
        return _el.div(_red.sum(loss), _red.count_of(x, [0], x.dtype))
    return _reduced("kl_div", loss, reduction)


@primitive
def cross_entropy(input, target, weight=None, ignore_index=-100, reduction="mean", label_smoothing=0.0):
    """Cross entropy of softmaxed logits [n, c, ...] with class indices [n, ...] or probabilities.

    With indices, rows whose label is `ignore_index` count for nothing, `weight`
    [c] weighs the classes, and "mean" divides by the total weight of the rows.
    With probabilities (of the logits' shape) "mean" divides by n.
    """
    dtype = floating(input).dtype
    x, t = widened(floating(input)), to_value(target)
    return _el.cast(_cross_entropy(x, t, weight, ignore_index, reduction, label_smoothing), dtype)


def _cross_entropy(x, t, weight, ignore_index, reduction, label_smoothing):
    if len(x.shape) == 1:
        x, t = reshape(x, (1, -1)), reshape(t, (1,) + sizes_of(t))
    if _dtype.BY_NAME[t.dtype].kind == "float":
        return _soft(x, t, weight, reduction, label_smoothing)
    if len(t.shape) != len(x.shape) - 1:
        raise ValueError(f"For 'cross_entropy', expected labels of {len(x.shape) - 1} dimensions for logits of shape "
                         f"{tuple(x.shape)}, found shape {tuple(t.shape)}.")
    rows, labels, shape = _as_rows(x), reshape(_labels(t), (-1,)), sizes_of(t)
    losses = _rows_loss(rows, labels, weight, ignore_index, label_smoothing)
    if reduction == "mean":
        return _el.div(_red.sum(losses[0]), _red.sum(losses[1]))
    return _reduced("cross_entropy", reshape(losses[0], shape), reduction)


def _labels(t):
    return t if t.dtype in ("int32", "int64") else _el.cast(t, "int64")


def _as_rows(x):
    """Logits [n, c, d...] as [n * d..., c]."""
    if len(x.shape) == 2:
        return x
    sizes = sizes_of(x)
    flat = swapaxes(reshape(x, (sizes[0], sizes[1], multiply(sizes[2:]))), 1, 2)
    return reshape(flat, (multiply((sizes[0],) + sizes[2:]), sizes[1]))


def _rows_loss(rows, labels, weight, ignore_index, smoothing):
    """(loss, weight) of each row; both zero where the label is ignored."""
    counted = _el.not_equal(labels, ignore_index)
    loss = emit("cross_entropy", [rows, labels], {"ignore_index": int(ignore_index)})
    weights = _el.cast(counted, rows.dtype)
    if weight is not None:
        weights = _el.mul(weights, _ix.gather(weight, _el.select(counted, labels, 0), 0))
    loss = _el.mul(loss, weights)
    if not smoothing:
        return loss, weights
    spread = _el.neg(log_softmax(rows))
    spread = spread if weight is None else _el.mul(spread, weight)
    spread = _el.mul(_red.sum(spread, 1), _el.cast(counted, rows.dtype))
    share = smoothing / rows.shape[1]
    return _el.add(_el.mul(loss, 1.0 - smoothing), _el.mul(spread, share)), weights


def _soft(x, t, weight, reduction, smoothing):
    t = _el.cast(t, x.dtype)
    if smoothing:
        t = _el.add(_el.mul(t, 1.0 - smoothing), smoothing / x.shape[1])
    terms = _el.mul(t, log_softmax(x, 1))
    if weight is not None:
        terms = _el.mul(terms, reshape(weight, (1, -1) + (1,) * (len(x.shape) - 2)))
    loss = _el.neg(_red.sum(terms, 1))
    if reduction == "mean":
        return _el.div(_red.sum(loss), _red.count_of(loss, range(len(loss.shape)), loss.dtype))
    return _reduced("cross_entropy", loss, reduction)


@primitive
def nll_loss(inputs, target, weight=None, ignore_index=-100, reduction="mean"):
    """`-inputs[i, target[i]]` of log probabilities [n, c], reduced as `cross_entropy`."""
    x, t = floating(inputs), _labels(to_value(target))
    counted = _el.not_equal(t, ignore_index)
    safe = _el.select(counted, t, 0)
    chosen = emit("one_hot", [safe], {"depth": x.shape[1], "element_type": ("type", "bool")})
    picked = _red.sum(_el.select(chosen, x, 0.0), 1)
    weights = _el.cast(counted, x.dtype)
    if weight is not None:
        weights = _el.mul(weights, _ix.gather(weight, safe, 0))
    loss = _el.neg(_el.mul(picked, weights))
    if reduction == "mean":
        return _el.div(_red.sum(loss), _red.sum(weights))
    return _reduced("nll_loss", loss, reduction)
