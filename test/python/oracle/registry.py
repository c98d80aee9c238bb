"""The table of generators: op name -> function of a Draw that gives a Case."""

GENERATORS = {}

# Ops that no case of one op can test, each with the test that does.
TESTED_ELSEWHERE = {
    "mindir.all_gather": "needs a process grid: test/Interpreter/collective.mlir",
    "mindir.all_reduce": "needs a process grid: test/Interpreter/collective.mlir",
    "mindir.all_slice": "needs a process grid: test/Interpreter/collective.mlir",
    "mindir.all_to_all": "needs a process grid: test/Interpreter/collective.mlir",
    "mindir.reduce_scatter": "needs a process grid: test/Interpreter/collective.mlir",
    "mindir.launch": "calls a kernel: made by the fusion phase, tested with it",
    "mindir.library_call": "calls a library: made by the lowering, tested with it",
    "mindir.vjp": "resolved by autodiff: the gradient tests",
    "mindir.jvp": "resolved by autodiff: the gradient tests",
    "mindir.vmap": "resolved by autodiff",
    "mindir.tape_empty": "test/Interpreter/tape.mlir",
    "mindir.tape_push": "test/Interpreter/tape.mlir",
    "mindir.tape_pop": "test/Interpreter/tape.mlir",
    "mindir.token": "test/Interpreter/print.mlir",
    "mindir.print": "test/Interpreter/print.mlir",
}


def generator(name):
    """Registers a generator for the op `mindir.<name>`."""
    def register(function):
        full = "mindir." + name
        assert full not in GENERATORS, full
        GENERATORS[full] = function
        return function
    return register


def load():
    """Imports every family; gives the table."""
    from oracle.generators import (  # noqa: F401
        elementwise, indexing, linear, movement, normalization, random, reduction, state)
    return GENERATORS
