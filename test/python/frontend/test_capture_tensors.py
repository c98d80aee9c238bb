"""Capture of tensors that are written in place, of views, and of Parameters and Cells."""

import numpy as np
import pytest

from mindir import nn, ops
import mindir as ms
from capturing import check, tensor

M = tensor(np.arange(4).reshape(2, 2))


def test_read_before_a_write_keeps_the_old_value():
    def f(x):
        x = x * 1
        y = x * 2
        z = x.reshape(-1) + 0
        x[1] = 100.0
        return y, z, x
    check(f, (M,))


def test_views_see_writes_to_their_base_and_the_other_way_round():
    def f(x):
        x = x * 1
        flat = x.reshape(-1)
        t = x.T
        x[0, 1] = 50.0
        flat[3] = 70.0
        t[1, 0] = t[1, 0] + 1
        return x, flat, t
    check(f, (M,))


def test_write_through_a_row():
    def f(x):
        row = x[1]
        row[0] = -1.0
        row += 3
        return x, row
    check(f, (M,))


def test_in_place_methods_on_an_argument():
    def f(a, b):
        a.mul_(2.0)
        return a + b
    compiled = check(f, (M, M + 1))
    r = tensor(np.ones(3))
    np.testing.assert_allclose(compiled(r, r).asnumpy(), [4, 4, 4])
    np.testing.assert_allclose(r.asnumpy(), [2, 2, 2])


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = ms.Parameter(ms.Tensor(0, ms.int32), name="n", requires_grad=False)
        self.total = ms.Parameter(tensor([0., 0., 0.]), name="total", requires_grad=False)
        self.calls, self.last = 0, None

    def construct(self, x):
        self.n += 1
        ops.assign_add(self.total, x)
        self.calls = self.calls + 1
        self.last = x * 2
        return self.total * 2 + self.calls


def test_parameters_and_attributes_of_a_cell():
    plain, compiled = Counter(), Counter()
    run = ms.jit(compiled)
    x = tensor([1., 2., 3.])
    for _ in range(4):
        np.testing.assert_allclose(run(x).asnumpy(), plain(x).asnumpy())
    assert int(compiled.n) == int(plain.n) == 4 and compiled.calls == 4
    np.testing.assert_allclose(compiled.total.asnumpy(), plain.total.asnumpy())
    np.testing.assert_allclose(compiled.last.asnumpy(), x.asnumpy() * 2)


def test_assign_in_control_flow():
    def run(wrap):
        p = ms.Parameter(tensor([1., 2., 3.]), name="p")

        def f(x):
            i = 0
            while i < 3:
                ops.assign(p, p * 2 + x)
                i += 1
            if p.sum() > 40:
                ops.assign_sub(p, x)
            return p * 1
        g = wrap(f)
        return g(tensor([1., 1., 1.])).asnumpy(), p.asnumpy()
    np.testing.assert_allclose(run(ms.jit), run(lambda f: f))


def test_parameters_have_one_value():
    p = ms.Parameter(tensor([1., 1.]), name="p")

    @ms.jit
    def put(x):
        ops.assign(p, x)
        return x

    @ms.jit
    def get(x):
        return p + x
    one = tensor([1., 1.])
    np.testing.assert_allclose(get(one).asnumpy(), [2, 2])
    put(tensor([4., 4.]))
    np.testing.assert_allclose(get(one).asnumpy(), [5, 5])
    p.set_data(tensor([0., 0.]))
    np.testing.assert_allclose(get(one).asnumpy(), [1, 1])
    p[0] = 9
    np.testing.assert_allclose(get(one).asnumpy(), [10, 1])


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.CellList([nn.Dense(3, 3) for _ in range(2)])
        self.scales, self.table = [1.0, 2.0], {"k": 3.0}

    @ms.jit
    def construct(self, x):
        for i, layer in enumerate(self.layers):
            x = layer(x) * self.scales[i]
        return x * self.table["k"]


def test_cells_in_lists_and_jit_on_construct():
    net, other = Block(), Block()
    x = tensor(np.ones((2, 3)))

    def reference(block):
        y = np.ones((2, 3), np.float32)
        for layer, s in zip(block.layers, block.scales):
            y = (y @ layer.weight.asnumpy().T + layer.bias.asnumpy()) * s
        return y * block.table["k"]
    for block in (net, other, net):
        np.testing.assert_allclose(block(x).asnumpy(), reference(block), rtol=1e-4)
    net.scales = [1.0, 5.0]
    np.testing.assert_allclose(net(x).asnumpy(), reference(net), rtol=1e-4)


def test_random_draws_follow_eager():
    def f(x):
        return x + ops.rand(3), ops.randn(2)
    ms.set_seed(3)
    want = [t.asnumpy() for _ in range(2) for t in f(tensor([1., 2., 3.]))]
    ms.set_seed(3)
    g = ms.jit(f)
    got = [t.asnumpy() for _ in range(2) for t in g(tensor([1., 2., 3.]))]
    for a, b in zip(got, want):
        np.testing.assert_allclose(a, b)


def test_subscripts_with_tensors_in_slices_bools_and_none():
    x = tensor(np.arange(6.).reshape(2, 3))

    def sliced(v):
        return v[:, ms.Tensor(1):] * 2

    def axes(v):
        return v[True], v[np.newaxis, 0], v[None, ..., None]

    def writes_none(v):
        v = v * 1
        v[0] = None
        return v
    np.testing.assert_array_equal(sliced(x).asnumpy(), x.asnumpy()[:, 1:] * 2)
    np.testing.assert_array_equal(ms.jit(sliced)(x).asnumpy(), x.asnumpy()[:, 1:] * 2)
    assert x[True].shape == (1, 2, 3)
    check(axes, (x,))
    for f in (writes_none, ms.jit(writes_none)):
        with pytest.raises(TypeError, match="found None"):
            f(x)


_BOOL_INDICES = [True, False, (slice(None), False), (slice(None), True), (True, False), (False, 0), (0, True),
                 (slice(None), True, 1), (True, slice(None), 1), (Ellipsis, False), (None, True), (True, [0, 1]),
                 (False, [0]), ([0, 1], slice(None), True), (slice(None), [0, 2], True), (np.bool_(True), 1),
                 (np.array(True),), (True, True, slice(0, 1)), (False, [0, 1])]


@pytest.mark.parametrize("index", _BOOL_INDICES, ids=repr)
def test_bools_as_indices_are_numpys(index):
    data = np.arange(24, dtype=np.float32).reshape(2, 3, 4)

    def read(x):
        return x[index]

    def write(x):
        x = x * 1
        x[index] = 7.0
        return x

    def under_gradient(f):
        return lambda x: ms.value_and_grad(f)(x)[0]
    for f in (read, write):
        try:
            want = f(data)
        except IndexError:
            want = None
        for run in (f, ms.jit(f), under_gradient(f)):
            if want is None:
                with pytest.raises(IndexError, match="broadcast"):
                    run(ms.Tensor(data))
            else:
                got = run(ms.Tensor(data)).asnumpy()
                assert got.shape == want.shape
                np.testing.assert_array_equal(got, want)
