"""Cells, layers, losses, optimizers and initializers."""

import numpy as np
import pytest

import mindir as ms
from mindir import Parameter, Tensor, nn, ops
from mindir.common.initializer import HeNormal, TruncatedNormal, XavierUniform, initializer
from mindir.frontend import epoch

X = np.random.RandomState(0).randn(5, 4).astype(np.float32)


def near(got, want, rtol=1e-4, atol=1e-5):
    np.testing.assert_allclose(np.asarray(got), want, rtol=rtol, atol=atol)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.blocks = nn.CellList([nn.Dense(4, 4), nn.Dense(4, 3)])
        self.seq = nn.SequentialCell(nn.ReLU(), nn.Dense(3, 2, activation="tanh"))
        self.scale = Parameter(Tensor(1.0), requires_grad=False)

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return self.seq(x) * self.scale


def test_names_and_tables():
    net = Net()
    assert [p.name for p in net.get_parameters()] == [
        "scale", "blocks.0.weight", "blocks.0.bias", "blocks.1.weight", "blocks.1.bias", "seq.1.weight", "seq.1.bias"]
    assert [p.name for p in net.untrainable_params()] == ["scale"]
    assert len(net.trainable_params()) == 6 and set(net.parameters_dict()) == {p.name for p in net.get_parameters()}
    assert [n for n, _ in net.cells_and_names()][:3] == ["", "blocks", "blocks.0"]
    assert "Dense" in repr(net)
    net.set_train()
    assert all(c.training for _, c in net.cells_and_names())


def test_forward():
    net = Net()
    w = [p.asnumpy() for p in net.trainable_params()]
    h = np.maximum((X @ w[0].T + w[1]) @ w[2].T + w[3], 0)
    near(net(Tensor(X)), np.tanh(h @ w[4].T + w[5]), rtol=1e-3)


def test_assignment_to_a_parameter_attribute():
    net = Net()
    p = net.scale
    net.scale = Tensor(3.0)
    assert net.scale is p
    near(p, 3.0)
    net.scale = Parameter(Tensor(4.0), name="other")
    assert net.scale is not p
    del net.scale
    with pytest.raises(AttributeError, match="scale"):
        net.scale


def test_misuse():
    class Early(nn.Cell):
        def __init__(self):
            self.w = Parameter(Tensor(1.0))
    with pytest.raises(AttributeError, match="super"):
        Early()
    with pytest.raises(NotImplementedError, match="construct"):
        nn.Cell()(1)
    with pytest.raises(ValueError, match="5.*4|4.*5"):
        nn.Dense(4, 2)(Tensor(np.ones((3, 5), np.float32)))
    with pytest.raises(TypeError, match="in_channels"):
        nn.Dense(4.0, 2)
    with pytest.raises(IndexError):
        nn.CellList([nn.ReLU()])[1]
    with pytest.raises(TypeError, match="Cells"):
        nn.SequentialCell([3])


def test_containers_bump_the_epoch():
    cells = nn.CellList([nn.ReLU()])
    start = epoch.current()
    cells.append(nn.Tanh())
    assert epoch.current() > start and len(cells) == 2
    cells.insert(0, nn.Sigmoid())
    assert [type(c).__name__ for c in cells] == ["Sigmoid", "ReLU", "Tanh"]
    del cells[1]
    cells[0] = nn.ReLU()
    assert [type(c).__name__ for c in cells] == ["ReLU", "Tanh"]


def test_hooks():
    net, seen = nn.ReLU(), []
    handle = net.register_forward_hook(lambda c, i, o: seen.append(o.asnumpy().copy()))
    net(Tensor([-1.0, 2.0]))
    handle.remove()
    net(Tensor([-1.0, 2.0]))
    assert len(seen) == 1
    near(seen[0], [0, 2])


def test_batch_norm():
    x = np.random.RandomState(1).randn(4, 3, 5, 5).astype(np.float32)
    bn = nn.BatchNorm2d(3)
    bn.set_train()
    mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
    near(bn(Tensor(x)), (x - mean[:, None, None]) / np.sqrt(var + 1e-5)[:, None, None], rtol=1e-3, atol=1e-4)
    near(bn.moving_mean, 0.1 * mean)
    near(bn.moving_variance, 0.9 + 0.1 * var * 100 / 99)
    bn.set_train(False)
    m, v = bn.moving_mean.asnumpy(), bn.moving_variance.asnumpy()
    near(bn(Tensor(x)), (x - m[:, None, None]) / np.sqrt(v + 1e-5)[:, None, None], rtol=1e-3, atol=1e-4)
    with pytest.raises(ValueError, match="4 dimensions"):
        bn(Tensor(X))


def test_other_layers():
    x = np.random.RandomState(2).randn(2, 4, 6, 6).astype(np.float32)
    t = Tensor(x)
    assert nn.Conv2d(4, 8, 3)(t).shape == (2, 8, 6, 6)
    assert nn.Conv2d(4, 8, 3, stride=2, has_bias=True)(t).shape == (2, 8, 3, 3)
    assert nn.Conv2d(4, 8, 3, pad_mode="valid", group=2)(t).shape == (2, 8, 4, 4)
    assert nn.MaxPool2d(3, 2, pad_mode="same")(t).shape == (2, 4, 3, 3)
    near(nn.AvgPool2d(2, 2)(t), x.reshape(2, 4, 3, 2, 3, 2).mean((3, 5)))
    near(nn.Flatten()(t), x.reshape(2, -1))
    near(nn.LayerNorm((6,))(t), (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5), rtol=1e-3, atol=1e-4)
    g = x.reshape(2, 2, -1)
    near(nn.GroupNorm(2, 4)(t), ((g - g.mean(-1, keepdims=True)) / np.sqrt(g.var(-1, keepdims=True) + 1e-5)).reshape(x.shape),
         rtol=1e-3, atol=1e-4)
    table = nn.Embedding(7, 3)
    near(table(Tensor([[1, 6]])), table.embedding_table.asnumpy()[[[1, 6]]])
    near(nn.Dropout(p=0.5)(t), x)


def test_losses():
    logits, labels = np.random.RandomState(3).randn(4, 3).astype(np.float32), np.array([0, 2, 1, 2])
    p = np.exp(logits - logits.max(1, keepdims=True))
    logp = np.log(p / p.sum(1, keepdims=True))
    rows = -logp[np.arange(4), labels]
    near(nn.CrossEntropyLoss()(Tensor(logits), Tensor(labels)), rows.mean())
    near(ops.cross_entropy(Tensor(logits), Tensor(labels), ignore_index=2), rows[[0, 2]].mean())
    w = np.array([1.0, 2.0, 3.0], np.float32)
    near(ops.cross_entropy(Tensor(logits), Tensor(labels), Tensor(w)), (rows * w[labels]).sum() / w[labels].sum())
    near(ops.cross_entropy(Tensor(logits), Tensor(np.eye(3, dtype=np.float32)[labels])), rows.mean())
    near(ops.cross_entropy(Tensor(logits), Tensor(labels), label_smoothing=0.1), (0.9 * rows - 0.1 * logp.mean(1)).mean())
    near(nn.SoftmaxCrossEntropyWithLogits(sparse=True)(Tensor(logits), Tensor(labels)), rows)
    near(ops.nll_loss(Tensor(logp), Tensor(labels)), rows.mean())
    y = np.random.RandomState(4).rand(4, 3).astype(np.float32)
    near(nn.MSELoss()(Tensor(logits), Tensor(y)), ((logits - y) ** 2).mean())
    near(nn.L1Loss("sum")(Tensor(logits), Tensor(y)), np.abs(logits - y).sum())
    near(ops.binary_cross_entropy_with_logits(Tensor(logits), Tensor(y)), (np.log1p(np.exp(logits)) - y * logits).mean())
    with pytest.raises(ValueError, match="reduction"):
        nn.MSELoss("max")


W = np.array([1.0, -2.0, 3.0], np.float32)
G = [np.array(g, np.float32) for g in ([0.1, 0.2, -0.3], [-0.5, 0.4, 0.1], [1.0, -1.0, 0.0])]


def trained(make):
    p = Parameter(Tensor(W), name="w")
    optimizer = make([p])
    for g in G:
        optimizer((Tensor(g),))
    return p


def test_sgd_and_momentum():
    near(trained(lambda p: nn.SGD(p, 0.1)), W - 0.1 * sum(G))
    w, v = W.astype(np.float64), np.zeros(3)
    for i, g in enumerate(G):
        g = g + 0.01 * w
        v = g if i == 0 else 0.9 * v + 0.5 * g
        w = w - 0.1 * v
    near(trained(lambda p: nn.SGD(p, 0.1, momentum=0.9, dampening=0.5, weight_decay=0.01)), w)
    w, v = W.astype(np.float64), np.zeros(3)
    for g in G:
        v = 0.9 * v + g / 2
        w = w - 0.1 * (g / 2 + 0.9 * v)
    near(trained(lambda p: nn.Momentum(p, 0.1, 0.9, loss_scale=2.0, use_nesterov=True)), w)


def test_adam():
    w, m, v = W.astype(np.float64), 0, 0
    for t, g in enumerate(G, 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w = w - 0.01 * np.sqrt(1 - 0.999 ** t) / (1 - 0.9 ** t) * m / (np.sqrt(v) + 1e-8)
    near(trained(lambda p: nn.Adam(p, 0.01)), w)


def test_rates_and_groups():
    near(trained(lambda p: nn.SGD(p, [0.1, 0.2, 0.0])), W - 0.1 * G[0] - 0.2 * G[1])
    a, b = Parameter(Tensor(W), name="a"), Parameter(Tensor(W), name="b")
    optimizer = nn.SGD([{"params": [a], "lr": 0.5}, {"params": [b], "weight_decay": 0.1}], 0.1)
    optimizer((Tensor(G[0]), Tensor(G[0])))
    near(a, W - 0.5 * G[0]), near(b, W - 0.1 * (G[0] + 0.1 * W))
    bias = Parameter(Tensor(W), name="bn.beta")
    nn.SGD([bias], 0.1, weight_decay=0.5)((Tensor(G[0]),))
    near(bias, W - 0.1 * G[0])


def test_bad_optimizer_arguments():
    p = Parameter(Tensor(W), name="w")
    for make, word in ((lambda: nn.Momentum([p], -0.1, 0.9), "learning_rate"), (lambda: nn.Momentum([p], 0.1, -1.0), "momentum"),
                       (lambda: nn.Adam([], 0.1), "at least one"), (lambda: nn.Adam([p], 0.1, beta1=1.5), "beta1")):
        with pytest.raises(ValueError, match=word):
            make()
    with pytest.raises(ValueError, match="1 gradients"):
        nn.SGD([p], 0.1)(())


def test_training_lowers_the_loss():
    ms.set_seed(1)
    net = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 1))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.05))
    y = Tensor(X.sum(1, keepdims=True))
    losses = [float(step(Tensor(X), y)) for _ in range(20)]
    assert losses[-1] < 0.3 * losses[0]


def test_initializers():
    ms.set_seed(2)
    w = initializer(HeNormal(), (64, 32, 3, 3)).asnumpy()
    near(w.std(), np.sqrt(2 / (32 * 9)), rtol=0.05)
    t = initializer(TruncatedNormal(0.5), (2000,)).asnumpy()
    assert np.abs(t).max() <= 1.0
    assert np.abs(initializer(XavierUniform(), (10, 20)).asnumpy()).max() <= np.sqrt(6 / 30)
    near(initializer("ones", (2,)), [1, 1]), near(initializer(3, (2,)), [3, 3])
    with pytest.raises(ValueError, match="nothing"):
        initializer("nothing", (2,))


def test_load_param_into_net():
    net = nn.Dense(2, 1)
    missing, extra = ms.load_param_into_net(net, {"weight": Parameter(Tensor([[1.0, 2.0]]), name="weight"),
                                                  "other": Parameter(Tensor(1.0), name="other")})
    near(net.weight, [[1, 2]])
    assert (missing, extra) == (["bias"], ["other"])
    with pytest.raises(ValueError, match="'weight'"):
        ms.load_param_into_net(net, {"weight": Parameter(Tensor([1.0]), name="weight")})
