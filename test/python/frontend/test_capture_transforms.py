"""Derivatives and vmap of functions within jitted functions, nested in any order."""

import numpy as np
import pytest

import mindir as ms
from capturing import check, plain, tensor
from mindir import nn, ops
from mindir._native import core

X = tensor([0.5, -1.0, 2.0])
ROWS = tensor(np.random.default_rng(0).standard_normal((4, 3)))
W = ms.Parameter(ms.Tensor(np.eye(3, dtype=np.float32) * 0.5 + 0.1), name="w")


def net(x):
    return ops.tanh(ops.matmul(x, W)) * x


def scalar(x):
    return net(x).sum()


def test_vjp():
    def f(x):
        y, pull = ms.vjp(net, x)
        return y, pull(y * 2), pull(ops.ones_like(y))
    check(f, (X,), (ROWS,))


def test_vjp_of_several_inputs_and_weights():
    def g(a, b):
        return a * b, ops.matmul(a, W)

    def f(a, b):
        (y, z), pull = ms.vjp(g, a, b, weights=[W])
        return y, z, pull(y, z)
    check(f, (ROWS, ROWS + 1))


def test_vjp_with_aux_at_the_values_of_its_call():
    def g(a):
        return (a * a).sum(), a + 1

    def f(x):
        a = x * 1
        y, pull, aux = ms.vjp(g, a, has_aux=True)
        a += 100
        return y, aux, a, pull(y * 0 + 3)
    check(f, (X,))


def test_jvp():
    def f(x, v):
        return ms.jvp(net, x, v), ms.jvp(lambda a, b: (a * b, a - b), (x, v), (v, x))
    check(f, (X, X * 2), (ROWS, ROWS - 1))


def test_vmap():
    def dot(a, b):
        return (a * b).sum(), a

    def f(a, b):
        return ms.vmap(dot)(a, b), ms.vmap(dot, in_axes=(0, None))(a, b[0]), \
            ms.vmap(dot, in_axes=1, out_axes=(0, 1))(a, b)
    check(f, (ROWS, ROWS * 2))


@pytest.mark.parametrize("outer", [ms.grad, lambda f: lambda x: ms.jvp(f, x, x * 0 + 1)[1].sum(),
                                   lambda f: lambda x: ms.vmap(f)(ops.stack([x, x * 2])).sum(),
                                   lambda f: lambda x: ms.vjp(f, x)[1](ops.ones_like(f(x))).sum()])
@pytest.mark.parametrize("inner", [ms.grad, lambda f: lambda x: ms.jvp(f, x, x * x)[1],
                                   lambda f: lambda x: ms.vmap(f)(ops.stack([x, x + 1])),
                                   lambda f: lambda x: ms.vjp(f, x)[1](f(x))])
def test_nested(outer, inner):
    def f(x):
        return outer(lambda y: inner(scalar)(y).sum())(x)
    check(f, (X,))


def test_per_sample_gradients():
    def loss(w, x):
        return (ops.matmul(x, w) ** 2).sum()

    def f(w, x):
        return ms.vmap(ms.grad(loss), in_axes=(None, 0))(w, x)
    check(f, (tensor(np.eye(3)), ROWS))


def test_jacobians():
    def f(x):
        return ms.jacrev(net)(x), ms.jacfwd(net)(x), ms.jacfwd(ms.grad(scalar))(x)
    compiled = check(f, (X,))
    jacobian, same, hessian = plain(compiled(X))
    np.testing.assert_allclose(jacobian, same, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(hessian, hessian.T, rtol=1e-5, atol=1e-6)


def test_a_function_that_writes_its_argument():
    def g(a):
        a[0] = 9.0
        return (a * a).sum()

    def f(x):
        a = x * 2
        return ms.value_and_grad(g)(a), a
    compiled = check(f, (X,))
    (value, grad), after = plain(compiled(X))
    np.testing.assert_allclose(after, [9.0, -2.0, 4.0])
    np.testing.assert_allclose(grad, [0.0, -4.0, 8.0])


def test_a_function_that_raises():
    def g(a):
        if a.sum() > 10:
            raise ValueError("too large")
        return (a * a).sum()

    def f(x):
        y = ms.grad(g)(x)
        return y + 1
    check(f, (X,), (X * 10,))


class Clipped(nn.Cell):
    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (dout * 100,)


def test_a_cell_with_its_own_gradient():
    net = Clipped()

    def f(x):
        return ms.grad(lambda y: net(y).sum())(x), net(x)
    check(f, (X,), fallback=True)


def test_a_derivative_by_a_function_without_ops():
    # The module has no op of the dialect, which the derivative needs.
    text = """func.func @f(%a: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
      return %a, %a : tensor<3xf32>, tensor<3xf32>
    }"""
    assert "mindir.add" in core.differentiate(text, "f", [0])["backward"]


@pytest.mark.parametrize("call, error", [
    (lambda x: ms.vmap(net, in_axes=3)(x), ValueError),
    (lambda x: ms.vmap(net, in_axes=None)(x), ValueError),
    (lambda x: ms.jvp(net, (x, x), x), ValueError),
    (lambda x: ms.vmap(net, in_axes="a")(x), TypeError)])
def test_errors(call, error):
    def f(x):
        return call(x)
    for function in (f, ms.jit(f)):
        with pytest.raises(error, match="For '"):
            function(ROWS)
