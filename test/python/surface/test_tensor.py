"""Tensor and Parameter: construction, attributes, conversion, sharing and copies."""

import copy
import pickle

import numpy as np
import pytest

import mindir as ms
from mindir import Parameter, Tensor, ops
from mindir.frontend import epoch

A = np.random.RandomState(0).randn(3, 4).astype(np.float32)


def near(got, want):
    np.testing.assert_allclose(np.asarray(got), want, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("data, name", [
    (1.5, "Float32"), (1, "Int64"), (True, "Bool"), ([1.0], "Float32"), ([1, 2], "Int64"), ([True], "Bool"),
    (np.float64(1.5), "Float64"), (np.zeros(2), "Float64"), (np.int8(1), "Int8"), ([], "Float32")])
def test_dtypes_of_data(data, name):
    assert str(Tensor(data).dtype) == name


def test_attributes():
    t = Tensor(A)
    assert (t.shape, t.ndim, t.size, t.dtype, t.itemsize, t.nbytes) == ((3, 4), 2, 12, ms.float32, 4, 48)
    assert t.strides == (16, 4) and len(t) == 3 and Tensor(3.0).shape == ()
    assert t.T.strides == (4, 16) and not t.T.is_contiguous()


def test_conversions():
    assert Tensor([2.5]).item() == 2.5 and int(Tensor(3)) == 3 and float(Tensor(2.5)) == 2.5
    assert Tensor(A).tolist() == A.tolist() and [1, 2][Tensor(1)] == 2 and f"{Tensor(2.5):.2f}" == "2.50"
    assert Tensor([[1, 2], [3, 4]])[1].tolist() == [3, 4]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(Tensor([1, 2]))
    with pytest.raises(TypeError, match="index"):
        [1][Tensor(0.0)]
    with pytest.raises(TypeError, match="0-d"):
        len(Tensor(1))


def test_bfloat16():
    t = Tensor([1.0, 1.0 + 1 / 256, 3.0 + 1 / 64], ms.bfloat16)
    near(t, [1.0, 1.0, 3.015625])
    assert str(t.dtype) == "BFloat16" and t.itemsize == 2


def test_bad_data():
    with pytest.raises(TypeError, match="number"):
        Tensor("a")
    with pytest.raises(ValueError, match="ragged"):
        Tensor([[1], [2, 3]])
    with pytest.raises(TypeError, match="element type"):
        Tensor([1], "float7")
    with pytest.raises(ValueError, match="input_data"):
        Tensor()


def test_copies_and_sharing():
    n = A.copy()
    t = Tensor(n)
    n[0, 0] = 99
    near(t, A)
    c = t.copy()
    c[0, 0] = 5
    near(t, A)
    shared = Tensor.from_numpy(n)
    n[1, 1] = -7
    assert float(shared[1, 1]) == -7
    view = t[1]
    t[1, 0] = 42.0
    assert float(view[0]) == 42.0
    view[1] = 43.0
    assert float(t[1, 1]) == 43.0
    t.T[3, 2] = 1.0
    assert float(t[2, 3]) == 1.0
    moved = Tensor(np.arange(5.0))
    moved[1:] = moved[:-1]
    near(moved, [0, 0, 1, 2, 3])


def test_in_place_methods():
    t = Tensor(A)
    u = t
    t.add_(1.0)
    t.mul_(2.0)
    near(u, (A + 1) * 2)
    t.fill_(3)
    near(u, np.full_like(A, 3))
    with pytest.raises(ValueError, match="shape"):
        t.copy_(Tensor([1.0, 2.0]))


def test_pickle_and_deepcopy():
    p = Parameter(Tensor(A), name="w", requires_grad=False)
    for q in (pickle.loads(pickle.dumps(p)), copy.deepcopy(p)):
        assert isinstance(q, Parameter) and (q.name, q.requires_grad) == ("w", False)
        near(q, A)
        q[0] = 0.0
    near(p, A)
    near(pickle.loads(pickle.dumps(Tensor([1.5], ms.bfloat16))), [1.5])
    assert pickle.loads(pickle.dumps(ms.float32)) is ms.float32


def test_parameter_has_one_value():
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    before = p.asnumpy()
    p.set_data(Tensor([3.0, 4.0]))
    near(before, [3.0, 4.0])
    ops.assign_add(p, Tensor([1.0, 1.0]))
    p[0] = 9
    near(p, [9.0, 5.0])
    assert isinstance(p * 1, Tensor) and not isinstance(p * 1, Parameter)
    with pytest.raises(ValueError, match=r"'p'.*shape \(2,\)"):
        p.set_data(Tensor([1.0]))
    with pytest.raises(TypeError, match="bool"):
        p.requires_grad = 1


def test_epoch_counts_structure_not_data():
    p = Parameter(Tensor([1.0]), name="p")
    start = epoch.current()
    p.set_data(Tensor([2.0]))
    assert epoch.current() == start
    p.requires_grad = False
    assert epoch.current() > start


def test_seeded_random_numbers():
    ms.set_seed(3)
    a = ops.standard_normal((4,)).asnumpy().copy()
    b = ops.standard_normal((4,)).asnumpy().copy()
    ms.set_seed(3)
    near(ops.standard_normal((4,)), a)
    assert not np.allclose(a, b) and ms.get_seed() == 3
    u = ops.uniform((1000,), 2.0, 3.0).asnumpy()
    assert u.min() >= 2 and u.max() < 3
    d = ops.dropout(Tensor(np.ones(1000, np.float32)), 0.25).asnumpy()
    assert set(np.unique(d.round(4))) <= {0.0, np.float32(1 / 0.75).round(4)}
    with pytest.raises(ValueError, match="seed"):
        ms.set_seed(-1)


def test_threads_dispatch_side_by_side():
    from concurrent.futures import ThreadPoolExecutor

    def work(i):
        x = Tensor(np.full(3 + i % 4, float(i), np.float32))
        near(ms.grad(lambda a: (a * a).sum())(x), np.full(x.shape, 2.0 * i))
        return float((x + 1).sum())
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(16))) == [(i + 1.0) * (3 + i % 4) for i in range(16)]
