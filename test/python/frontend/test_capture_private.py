"""Functions and Cells captured as private functions: what is shared, what must not be."""

import numpy as np

import mindir as ms
from capturing import check, tensor
from mindir import nn, ops
from mindir.jit import jit

X = tensor([[1., -2., 3.], [0.5, 4., -1.]])


def module_of(compiled, *args):
    """The text of the module that a call was captured as."""
    compiled(*args)
    entries = compiled._own.entries or next(iter(compiled._of_cells.values())).entries
    return entries[0]._module.module_text


def functions(text, name):
    return sum(f"func.func private @{name}" in line for line in text.splitlines())


class Block(nn.Cell):
    def __init__(self, scale=1.0, seed=0):
        super().__init__()
        values = np.random.default_rng(seed).standard_normal((3, 3)).astype(np.float32)
        self.weight = ms.Parameter(ms.Tensor(values), name="weight")
        self.scale = scale
        self.layer_id = seed            # nobody reads it

    def construct(self, x):
        return ops.tanh(ops.matmul(x, self.weight)) * self.scale + x


class Stack(nn.Cell):
    def __init__(self, *blocks):
        super().__init__()
        self.blocks = nn.CellList(list(blocks))

    def construct(self, x):
        for block in self.blocks:
            x = block(x)
        return x


def by_hand(blocks, x):
    for b in blocks:
        x = np.tanh(x @ b.weight.asnumpy()) * b.scale + x
    return x


def test_equal_blocks_are_one_function():
    net = Stack(*[Block(seed=i) for i in range(12)])
    compiled = jit(lambda x: net(x) * 2)
    text = module_of(compiled, X)
    assert functions(text, "Block.construct") == 1
    assert text.count("call @Block.construct") == 12
    np.testing.assert_allclose(compiled(X).asnumpy(), 2 * by_hand(net.blocks, X.asnumpy()), rtol=1e-4, atol=1e-4)


def test_blocks_that_differ_in_what_they_read_are_two():
    net = Stack(*[Block(scale=1.0 + i % 2, seed=i) for i in range(4)])
    compiled = jit(lambda x: net(x) * 2)
    assert functions(module_of(compiled, X), "Block.construct") == 2
    np.testing.assert_allclose(compiled(X).asnumpy(), 2 * by_hand(net.blocks, X.asnumpy()), rtol=1e-4, atol=1e-4)


def test_gradients_of_shared_functions():
    blocks = [Block(seed=i) for i in range(5)]
    net = Stack(*blocks, blocks[1])                      # one Cell twice: its gradients add up
    params = list(net.trainable_params())
    loss = ms.value_and_grad(lambda x: (net(x) ** 2).sum(), 0, params)
    step = jit(lambda x: loss(x))
    value, (gx, gw) = step(X)
    want, (wx, ww) = loss(X)
    np.testing.assert_allclose(value.asnumpy(), want.asnumpy(), rtol=1e-5)
    np.testing.assert_allclose(gx.asnumpy(), wx.asnumpy(), rtol=1e-4, atol=1e-5)
    assert len(gw) == 5
    for got, expected in zip(gw, ww):
        np.testing.assert_allclose(got.asnumpy(), expected.asnumpy(), rtol=1e-4, atol=1e-5)


class Pair(nn.Cell):
    def __init__(self, a, b):
        super().__init__()
        self.a, self.b = a, b

    def construct(self, x):
        if self.a is self.b:
            return self.a(x)
        return self.a(x) - self.b(x)


def test_what_is_one_object_stays_one():
    one, two = Block(seed=1), Block(seed=2)
    mixed, same = Pair(one, two), Pair(one, one)
    compiled = jit(lambda x: mixed(x) + same(x) + mixed(x))
    a, b = by_hand([one], X.asnumpy()), by_hand([two], X.asnumpy())
    np.testing.assert_allclose(compiled(X).asnumpy(), 2 * (a - b) + a, rtol=2e-5, atol=1e-6)
    assert functions(module_of(compiled, X), "Pair.construct") == 2


class Counter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.total = ms.Parameter(ms.Tensor(np.zeros(3, np.float32)), name="total", requires_grad=False)

    def construct(self, x):
        ops.assign(self.total, self.total + x.sum(0))
        return x * self.total


def test_written_state_is_each_cells_own():
    first, second = Counter(), Counter()

    def f(x):
        return second(first(first(x)))
    compiled = jit(f)
    assert functions(module_of(compiled, X), "Counter.construct") == 1
    got = [p.total.asnumpy().copy() for p in (first, second)]
    for c in (first, second):
        c.total.set_data(ms.Tensor(np.zeros(3, np.float32)))
    f(X)
    for g, c in zip(got, (first, second)):
        np.testing.assert_allclose(g, c.total.asnumpy(), rtol=1e-5)


def double(x):
    return x * 2


def itself(x):
    return x


def first_row(x):
    return x[0]


def add_in_place(x):
    x += 1
    return x


def test_a_result_that_is_an_argument():
    def f(x):
        y = double(x)
        z = itself(y)
        z += 1                          # also y
        row = first_row(y)
        row *= 10                       # the first row of y
        return y, z, row
    check(f, (X,))


def test_a_write_to_an_argument():
    def f(x):
        y = x * 1
        z = add_in_place(y)
        return y, z
    check(f, (X,))


def helper_of_structure(pair, options, *rest, scale):
    a, b = pair
    total = a * options["k"] + b * scale
    for r in rest:
        total = total + r
    return {"total": total, "pair": [a, total], "n": len(rest), "none": None}


def test_structures_go_in_and_out():
    def f(x):
        one = helper_of_structure((x, x + 1), {"k": 3}, x, x * x, scale=2.5)
        two = helper_of_structure((x, one["pair"][1]), {"k": 3}, x, one["total"] - 1, scale=2.5)
        return one, two
    compiled = check(f, (X,))
    assert functions(module_of(compiled, X), "helper_of_structure") == 1


def collect(x, log):
    log.append(x.sum())
    return x * 2


def test_a_container_changed_by_a_function():
    def f(x):
        log = []
        y = collect(collect(x, log), log)
        return y, log[0] + log[1], len(log)
    check(f, (X,))


def sign(x):
    if x.sum() > 0:
        return x
    return -x


def checked(x):
    if x.sum() > 100:
        raise ValueError("too large")
    return x + 1


def test_branches_and_exceptions_inside():
    def f(x):
        return checked(sign(x)) + checked(sign(-x))
    check(f, (X,), (X * 0,), (X * 100,))


def test_numbers_and_sizes_as_arguments():
    def scaled(x, k):
        return x.reshape(x.shape[0] * x.shape[1]) * k

    def f(x, k):
        return scaled(x, k) + scaled(x, 2) + scaled(x + 1, k)
    check(f, (X, 3), (X, 5), (X, 2.5), (tensor(np.ones((4, 5))), 3), (tensor(np.ones((6, 5))), 3))


def test_draws_differ_between_calls():
    class Noisy(nn.Cell):
        def construct(self, x):
            return x + ops.standard_normal((2, 3))
    one, two = Noisy(), Noisy()
    ms.set_seed(3)
    want = two(one(X)).asnumpy()
    ms.set_seed(3)
    got = jit(lambda x: two(one(x)) * 1)(X).asnumpy()
    np.testing.assert_allclose(got, want, rtol=1e-6)


def test_a_container_of_cells_that_changed():
    net = Stack(Block(seed=1), Block(seed=2))
    compiled = jit(lambda x: net(x) * 1)
    compiled(X)
    net.blocks.append(Block(seed=3))
    np.testing.assert_allclose(compiled(X).asnumpy(), by_hand(net.blocks, X.asnumpy()), rtol=2e-5)


def fibonacci(n, x):
    return x if n < 2 else fibonacci(n - 1, x) + fibonacci(n - 2, x)


def test_recursion_on_known_numbers_shares_its_calls():
    def f(x):
        return fibonacci(12, x)
    compiled = check(f, (X,))
    text = module_of(compiled, X)
    assert functions(text, "fibonacci") <= 13
