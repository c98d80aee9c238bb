"""Eager gradients: values against formulas, the structure of results, views and writes, errors."""

import numpy as np
import pytest

import mindir as ms
from mindir import Parameter, Tensor, nn, ops

X = np.array([[1.0, 2.0, 3.0], [-1.0, 0.5, 1.0]], np.float32)


def near(got, want, rtol=1e-3, atol=1e-3):
    np.testing.assert_allclose(np.asarray(got), want, rtol=rtol, atol=atol)


def f(x, y):
    return (x * x * y).sum()


def test_positions():
    x, y = Tensor(X), Tensor(X + 1)
    near(ms.grad(f)(x, y), 2 * X * (X + 1))
    gx, gy = ms.grad(f, (0, 1))(x, y)
    near(gx, 2 * X * (X + 1)), near(gy, X ** 2)
    gy, gx = ms.grad(f, (1, 0))(x, y)
    near(gx, 2 * X * (X + 1)), near(gy, X ** 2)


def test_one_tensor_at_two_positions():
    x = Tensor(X)
    gx, gy = ms.grad(f, (0, 1))(x, x)
    near(gx, 2 * X * X), near(gy, X ** 2)
    near(ms.grad(lambda a: f(a, a))(x), 3 * X ** 2)


def test_structure_of_results():
    x, y = Tensor(X), Tensor(X + 1)
    w = Parameter(Tensor(2.0), name="w")
    value, g = ms.value_and_grad(lambda a: (a * w).sum(), 0, w)(x)
    near(value, 2 * X.sum())
    near(g[0], np.full_like(X, 2)), near(g[1], X.sum())
    gradient, aux = ms.grad(lambda a: (a.sum(), a + 1, 5), has_aux=True)(x)
    near(gradient, np.ones_like(X))
    assert isinstance(aux, tuple) and aux[1] == 5
    found = ms.grad(f, (0, 1), return_ids=True)(x, y)
    near(ms.get_grad(found, 1), X ** 2)
    found = ms.grad(lambda a: (a * w).sum(), None, [w], return_ids=True)(x)
    near(ms.get_grad(found, w), X.sum())
    with pytest.raises(ValueError, match="get_grad"):
        ms.get_grad(found, "v")


def test_several_and_integer_outputs():
    near(ms.grad(lambda x: (x * x, x * 3, x.argmax()))(Tensor(X)), 2 * X + 3)
    near(ms.grad(lambda x, y: (x * 2).sum(), 1)(Tensor(X), Tensor(X)), X * 0)


def test_bad_requests():
    for position, kind in ((5, ValueError), ("a", TypeError), (-1, ValueError), ((0, 0), ValueError)):
        with pytest.raises(kind, match="position|distinct"):
            ms.grad(f, position)(Tensor(X), Tensor(X))
    with pytest.raises(TypeError, match="weights"):
        ms.grad(f, None, [Tensor(X)])
    with pytest.raises(ValueError, match="weights"):
        ms.grad(f, None)
    with pytest.raises(TypeError, match="Tensor at grad_position 0"):
        ms.grad(f)(2.0, Tensor(X))
    with pytest.raises(TypeError, match="gives a Tensor"):
        ms.grad(lambda x: 3)(Tensor(X))


def test_higher_order():
    def cube(x):
        return (x ** 3).sum()
    near(ms.grad(ms.grad(cube))(Tensor([0.5, 2.0])), [3.0, 12.0], rtol=1e-2)

    def g(x, y):
        return (x ** 2 * y ** 3).sum()
    near(ms.grad(ms.grad(g, 0), 1)(Tensor([1.0]), Tensor([2.0])), [24.0], rtol=1e-2)


def test_vjp_and_jvp():
    x = Tensor([0.5, 1.0])
    value, pullback = ms.vjp(ops.sin, x)
    near(value, np.sin([0.5, 1.0])), near(pullback(Tensor([1.0, 2.0])), np.cos([0.5, 1.0]) * [1, 2])
    value, tangent = ms.jvp(lambda a, b: a * b, (x, x + 1), (Tensor([1.0, 0.0]), Tensor([0.0, 2.0])))
    near(value, [0.75, 2.0]), near(tangent, [1.5, 2.0])


def test_grad_operation():
    x, y = Tensor(X), Tensor(X + 1)
    g = ops.GradOperation(get_all=True)(f)(x, y)
    near(g[1], X ** 2)
    near(ops.GradOperation(sens_param=True)(f)(x, y, Tensor(3.0)), 6 * X * (X + 1))
    net = nn.Dense(3, 1)
    gw = ops.GradOperation(get_by_list=True)(net)(x)
    near(gw[0], X.sum(0)[None]), near(gw[1], [2.0])


def test_stop_gradient():
    near(ms.grad(lambda x: (x * ops.stop_gradient(x)).sum())(Tensor(X)), X)


def test_writes_through_indices():
    def h(x):
        y = x * 2
        y[0] = y[1] * 3
        return (y * y).sum()
    want = np.stack([X[0] * 0, 2 * 4 * X[1] * (1 + 9)])
    near(ms.grad(h)(Tensor(X)), want)


def test_writes_through_views():
    def h(x):
        y = x * 1
        row = y[0]
        row[1] = row[0] * 5
        flat = y.reshape(-1)
        flat[5] = 0.0
        return (y * y).sum()
    want = 2 * X
    want[0] = [2 * X[0, 0] * 26, 0, 2 * X[0, 2]]
    want[1, 2] = 0
    near(ms.grad(h)(Tensor(X)), want)


def test_a_view_sees_a_later_write_to_its_base():
    def h(x):
        y = x * 1
        row = y[0]
        y[0] = y[1] * 2
        return (row * row).sum()
    near(ms.grad(h)(Tensor(X)), np.stack([X[0] * 0, 8 * X[1]]))


def test_residuals_survive_writes():
    def h(x):
        y = x * 1
        z = y * y
        y.mul_(10.0)
        return z.sum() + y.sum()
    near(ms.grad(h)(Tensor(X)), 2 * X + 10)


def test_parameters_written_while_recording():
    p = Parameter(Tensor([2.0]), name="p")

    def h(x):
        before = p * x
        ops.assign(p, x * 3)
        return (before + p).sum()
    near(ms.grad(h)(Tensor([5.0])), [5.0])
    near(p, [15.0])


def test_a_cell_with_its_own_backward():
    class Clipped(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            return (dout * 100,)
    net = Clipped()
    near(ms.grad(lambda x: (net(x) * 2).sum())(Tensor(X)), np.full_like(X, 200))


def test_gradient_of_broadcast_operands():
    a, b = np.ones((3, 1), np.float32), np.ones((2,), np.float32)
    ga, gb = ms.grad(lambda x, y: x + y, (0, 1))(Tensor(a), Tensor(b))
    near(ga, np.full((3, 1), 2)), near(gb, np.full((2,), 3))


def test_gradient_of_a_jitted_loop_outside_of_jit():
    """The loop's tape cannot leave the compiled function; it is computed again."""
    @ms.jit
    def cube(x):
        result, i = x, ms.Tensor(0, ms.int32)
        while i < 2:
            result = result * x
            i = i + 1
        return result.sum()

    x = np.array([1.0, 2.0, -3.0], np.float32)
    np.testing.assert_allclose(ms.grad(cube)(ms.Tensor(x)).asnumpy(), 3 * x ** 2, rtol=1e-6)
    np.testing.assert_allclose(ms.grad(lambda v: ms.grad(cube)(v).sum())(ms.Tensor(x)).asnumpy(), 6 * x, rtol=1e-6)
