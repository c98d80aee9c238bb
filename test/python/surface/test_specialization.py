"""The policy by which eager and jit decide which sizes a compilation fixes."""

from mindir.specialization import BoundedTable, ShapePolicy, Specialization


def test_the_second_size_opens_a_dimension():
    policy = ShapePolicy()
    assert policy.dims("f", (3, 4)) == (3, 4)
    assert policy.dims("f", (3, 4)) == (3, 4)
    assert policy.dims("f", (5, 4)) == (None, 4)
    assert policy.dims("f", (3, 4)) == (None, 4)
    assert policy.dims("g", (5, 4)) == (5, 4)
    assert policy.dims("f", (5,)) == (5,)


def test_zero_and_one_are_fixed_and_open_nothing():
    policy = ShapePolicy()
    assert policy.dims("f", (1, 0)) == (1, 0)
    assert policy.dims("f", (5, 4)) == (5, 4)
    assert policy.dims("f", (6, 1)) == (None, 1)
    assert policy.dims("f", (1, 4)) == (1, 4)


def test_what_had_to_be_known_stays_fixed():
    policy = ShapePolicy()
    policy.dims("f", (3, 4))
    policy.dims("f", (5, 6))
    policy.pin("f", 2, 0)
    assert policy.dims("f", (7, 8)) == (7, None)
    policy.leave_open("f", 2, 0)
    assert policy.dims("f", (7, 8)) == (7, None)
    policy.pin_all()
    assert policy.dims("f", (7, 8)) == (7, 8)


def test_an_open_size_is_open_from_the_first_call():
    policy = ShapePolicy()
    policy.leave_open("f", 1, 0)
    assert policy.dims("f", (3,)) == (None,)


def test_growth_is_bounded():
    policy, table = ShapePolicy(most=8), BoundedTable(8)
    for i in range(100):
        policy.dims(i, (i + 2,))
        table.add(i, i)
    assert len(policy._known) <= 8 and len(table) <= 8
    assert policy.dims(99, (3,)) == (None,) and policy.dims(0, (5,)) == (5,)
    assert table.get(99) == 99 and table.get(0) is None


def test_numbers_that_change_are_inputs():
    learnt = Specialization()
    assert not learnt.is_input("rate", 0.1)
    assert not learnt.is_input("rate", 0.1)
    assert learnt.is_input("rate", 0.2) and learnt.is_input("rate", 0.1)
    learnt.pin_number("rate")
    assert not learnt.is_input("rate", 0.3)
