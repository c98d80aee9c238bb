"""Layers with weights, pooling, and what moves or drops elements."""

import math

from .. import ops
from ..common.initializer import HeUniform, Uniform, initializer
from ..dtype import float32
from ..parameter import Parameter
from .activation import get_activation
from .cell import Cell


def _positive(name, **sizes):
    for label, value in sizes.items():
        if isinstance(value, bool) or not isinstance(value, int):
            raise TypeError(f"For '{name}', expected {label} as an int, found {value!r}.")
        if value < 1:
            raise ValueError(f"For '{name}', expected {label} above 0, found {value}.")


class Dense(Cell):
    """`activation(x @ weight.T + bias)`: x [.., in_channels] -> [.., out_channels].

    weight [out, in], by HeUniform(sqrt(5)) unless `weight_init`; bias [out],
    uniform within 1 / sqrt(in) unless `bias_init`. ValueError: an input whose
    last size is not `in_channels`.
    """

    def __init__(self, in_channels, out_channels, weight_init=None, bias_init=None, has_bias=True,
                 activation=None, dtype=None):
        super().__init__()
        _positive("Dense", in_channels=in_channels, out_channels=out_channels)
        self.in_channels, self.out_channels, self.has_bias = in_channels, out_channels, bool(has_bias)
        dtype = float32 if dtype is None else dtype
        init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(init, (out_channels, in_channels), dtype), name="weight")
        self.bias = None
        if self.has_bias:
            init = Uniform(1 / math.sqrt(in_channels)) if bias_init is None else bias_init
            self.bias = Parameter(initializer(init, (out_channels,), dtype), name="bias")
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def construct(self, x):
        """The layer's output."""
        x = ops.dense(x, self.weight, self.bias)
        if self.activation is not None:
            x = self.activation(x)
        return x

    def extend_repr(self):
        """Sizes and flags."""
        return f"input_channels={self.in_channels}, output_channels={self.out_channels}, has_bias={self.has_bias}"


class Conv2d(Cell):
    """Two-dimensional convolution: x [n, in, h, w] -> [n, out, h', w'].

    weight [out, in / group, kh, kw], by HeUniform(sqrt(5)) unless `weight_init`.
    `pad_mode`: "same" (the result has ceil(size / stride)), "valid", or "pad"
    with `padding`; a `padding` given with the default mode is used.
    """

    def __init__(self, in_channels, out_channels, kernel_size, stride=1, pad_mode="same", padding=0, dilation=1,
                 group=1, has_bias=False, weight_init=None, bias_init=None, data_format="NCHW", dtype=None):
        super().__init__()
        _positive("Conv2d", in_channels=in_channels, out_channels=out_channels, group=group)
        if in_channels % group or out_channels % group:
            raise ValueError(f"For 'Conv2d', expected channels that group {group} divides, found {in_channels} "
                             f"and {out_channels}.")
        if data_format != "NCHW":
            raise ValueError(f"For 'Conv2d', expected data_format 'NCHW', found {data_format!r}.")
        kernel = kernel_size if isinstance(kernel_size, tuple) else (kernel_size, kernel_size)
        self.in_channels, self.out_channels, self.kernel_size = in_channels, out_channels, kernel
        self.stride, self.dilation, self.group, self.has_bias = stride, dilation, group, has_bias
        self.padding = padding
        self.pad_mode = "pad" if padding not in (0, (0, 0, 0, 0)) and pad_mode == "same" else pad_mode
        dtype = float32 if dtype is None else dtype
        shape = (out_channels, in_channels // group, *kernel)
        init = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(init, shape, dtype), name="weight")
        self.bias = None
        if has_bias:
            init = Uniform(1 / math.sqrt(math.prod(shape[1:]))) if bias_init is None else bias_init
            self.bias = Parameter(initializer(init, (out_channels,), dtype), name="bias")

    def construct(self, x):
        """The layer's output."""
        return ops.conv2d(x, self.weight, self.bias, self.stride, self.pad_mode, self.padding, self.dilation,
                          self.group)

    def extend_repr(self):
        """Sizes and flags."""
        return (f"input_channels={self.in_channels}, output_channels={self.out_channels}, "
                f"kernel_size={self.kernel_size}, stride={self.stride}, pad_mode={self.pad_mode}, "
                f"padding={self.padding}, dilation={self.dilation}, group={self.group}, has_bias={self.has_bias}")


class _BatchNorm(Cell):
    """Batch normalization along dimension 1.

    In training (`set_train()`) by the batch's statistics, which move
    `moving_mean` and `moving_variance` (`momentum` of the old, the unbiased
    variance); else by those. `use_batch_statistics` fixes which.
    """

    rank = 4

    def __init__(self, num_features, eps=1e-5, momentum=0.9, affine=True, gamma_init="ones", beta_init="zeros",
                 moving_mean_init="zeros", moving_var_init="ones", use_batch_statistics=None, data_format="NCHW",
                 dtype=None):
        super().__init__()
        _positive(type(self).__name__, num_features=num_features)
        if not 0 <= momentum <= 1:
            raise ValueError(f"For '{type(self).__name__}', expected momentum in [0, 1], found {momentum}.")
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.use_batch_statistics = use_batch_statistics

        def parameter(name, init, trained):
            return Parameter(initializer(init, (num_features,)), name=name, requires_grad=trained)
        self.moving_mean = parameter("moving_mean", moving_mean_init, False)
        self.moving_variance = parameter("moving_variance", moving_var_init, False)
        self.gamma = parameter("gamma", gamma_init, affine)
        self.beta = parameter("beta", beta_init, affine)

    def construct(self, x):
        """The normalized input."""
        if x.ndim != self.rank:
            raise ValueError(f"For '{type(self).__name__}', expected an input of {self.rank} dimensions, found shape "
                             f"{x.shape}.")
        by_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if by_batch:
            return ops.batch_norm_training(x, self.gamma, self.beta, self.moving_mean, self.moving_variance,
                                           self.momentum, self.eps)
        return ops.batch_norm_inference(x, self.gamma, self.beta, self.moving_mean, self.moving_variance, self.eps)

    def extend_repr(self):
        """Sizes and flags."""
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class BatchNorm1d(_BatchNorm):
    """Batch normalization of [n, c]."""

    rank = 2
    __doc__ += _BatchNorm.__doc__


class BatchNorm2d(_BatchNorm):
    """Batch normalization of [n, c, h, w]."""

    rank = 4
    __doc__ += _BatchNorm.__doc__


class LayerNorm(Cell):
    """Layer normalization over the last dimensions, of shape `normalized_shape`, with gamma and beta."""

    def __init__(self, normalized_shape, begin_norm_axis=-1, begin_params_axis=-1, gamma_init="ones",
                 beta_init="zeros", epsilon=1e-5, dtype=None):
        super().__init__()
        if not isinstance(normalized_shape, (tuple, list)):
            raise TypeError(f"For 'LayerNorm', expected normalized_shape as a tuple, found {normalized_shape!r}.")
        self.normalized_shape, self.epsilon = tuple(normalized_shape), epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape), name="beta")

    def construct(self, x):
        """The normalized input."""
        return ops.layer_norm(x, self.normalized_shape, self.gamma, self.beta, self.epsilon)


class GroupNorm(Cell):
    """Group normalization of [n, c, ...] with gamma and beta [c]."""

    def __init__(self, num_groups, num_channels, eps=1e-5, affine=True, gamma_init="ones", beta_init="zeros", dtype=None):
        super().__init__()
        _positive("GroupNorm", num_groups=num_groups, num_channels=num_channels)
        if num_channels % num_groups:
            raise ValueError(f"For 'GroupNorm', expected num_channels that num_groups divides, found {num_channels} "
                             f"and {num_groups}.")
        self.num_groups, self.eps = num_groups, eps
        self.gamma = Parameter(initializer(gamma_init, (num_channels,)), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,)), name="beta", requires_grad=affine)

    def construct(self, x):
        """The normalized input."""
        return ops.group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)


class MaxPool2d(Cell):
    """The maximum over windows of [n, c, h, w]; `pad_mode` "valid", "same" or "pad" with `padding`."""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, dilation=1, return_indices=False,
                 ceil_mode=False, data_format="NCHW"):
        super().__init__()
        self.kernel_size, self.stride, self.pad_mode, self.padding = kernel_size, stride, pad_mode.lower(), padding
        self.dilation, self.return_indices, self.ceil_mode = dilation, return_indices, ceil_mode

    def construct(self, x):
        """The pooled input."""
        return ops.max_pool2d(x, self.kernel_size, self.stride, self.padding, self.dilation, self.return_indices,
                              self.ceil_mode, pad_mode=self.pad_mode)


class AvgPool2d(Cell):
    """The mean over windows of [n, c, h, w]; with "same" the padding does not count."""

    def __init__(self, kernel_size=1, stride=1, pad_mode="valid", padding=0, ceil_mode=False, count_include_pad=True,
                 divisor_override=None, data_format="NCHW"):
        super().__init__()
        self.kernel_size, self.stride, self.pad_mode, self.padding = kernel_size, stride, pad_mode.lower(), padding
        self.ceil_mode, self.divisor_override = ceil_mode, divisor_override or 0
        self.count_include_pad = count_include_pad and self.pad_mode != "same"

    def construct(self, x):
        """The pooled input."""
        return ops.avg_pool2d(x, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                              self.divisor_override, pad_mode=self.pad_mode)


class AdaptiveAvgPool2d(Cell):
    """The mean over a grid of `output_size` cells of [n, c, h, w]."""

    def __init__(self, output_size):
        super().__init__()
        self.output_size = output_size

    def construct(self, input):
        """The pooled input."""
        return ops.adaptive_avg_pool2d(input, self.output_size)


class Flatten(Cell):
    """Joins the dimensions start_dim .. end_dim in one: [n, ...] -> [n, m] by default."""

    def __init__(self, start_dim=1, end_dim=-1):
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def construct(self, x):
        """The input under its new shape."""
        return ops.flatten(x, start_dim=self.start_dim, end_dim=self.end_dim)


class Dropout(Cell):
    """In training, zeros elements with probability `p` and divides the rest by `1 - p`."""

    def __init__(self, keep_prob=None, p=None, dtype=None):
        super().__init__()
        if keep_prob is not None and p is not None:
            raise ValueError("For 'Dropout', expected keep_prob or p, found both.")
        self.p = p if p is not None else 0.5 if keep_prob is None else 1.0 - keep_prob
        if not 0 <= self.p < 1:
            raise ValueError(f"For 'Dropout', expected p in [0, 1), found {self.p}.")

    def construct(self, x):
        """The input with elements dropped, or as it is outside training."""
        if not self.training or self.p == 0:
            return x
        return ops.dropout(x, self.p)

    def extend_repr(self):
        """The probability."""
        return f"p={self.p}"


class Embedding(Cell):
    """Rows of a table [vocab_size, embedding_size] at integer indices of any shape."""

    def __init__(self, vocab_size, embedding_size, use_one_hot=False, embedding_table="normal", dtype=None,
                 padding_idx=None):
        super().__init__()
        _positive("Embedding", vocab_size=vocab_size, embedding_size=embedding_size)
        self.vocab_size, self.embedding_size = vocab_size, embedding_size
        table = initializer(embedding_table, (vocab_size, embedding_size))
        if padding_idx is not None:
            table[padding_idx] = 0
        self.embedding_table = Parameter(table, name="embedding_table")

    def construct(self, ids):
        """The rows, [.., embedding_size]."""
        return ops.gather(self.embedding_table, ids, 0)


class Identity(Cell):
    """Gives its input."""

    def construct(self, x):
        """The input."""
        return x
