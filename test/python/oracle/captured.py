"""Cases as ops of Python: what a function under `jit` calls, and its capture runs.

The lines of a case, as `ms-opt` prints them in generic form, are the body of a
`Primitive`: it emits them through the emitter, as the ops of `mindir.ops` do.
"""

import re

import numpy as np

from mindir._native import core
from mindir.jit import jit
from mindir.ops import emitter
from mindir.ops.primitive import Primitive
from mindir.tensor import wrap
from oracle import dtypes, engines

_LINE = re.compile(r'(?:(?P<result>%\w+)(?::\d+)? = )?"(?P<op>[\w.]+)"\((?P<operands>[^)]*)\)'
                   r'(?: <\{(?P<attributes>.*)\}>)? : \(.*?\) -> \(?(?P<types>.*?)\)?$', re.MULTILINE)
_ATTRIBUTE = re.compile(r"(\w+)(?: = (array<i\d+[^>]*>|#mindir<[^>]*>|[-+.\w]+(?: : \w+)?))?(?:, |$)")
_INDEX = ("index", None)


def _attribute(text):
    """An attribute as the emitter takes it."""
    if not text:
        return True
    if text.startswith("#"):
        return text
    if text.startswith("array<"):
        return [int(number) for number in re.findall(r"-?\d+", text.partition(":")[2])]
    number, _, kind = text.partition(" : ")
    if not kind:
        return ("type", engines.DTYPES[text])
    return float(number) if dtypes.is_float(kind) else int(number)


def _type(text):
    """A type as the emitter takes it."""
    if not text.startswith("tensor<"):
        return (engines.DTYPES.get(text, text), None)
    *sizes, element = text[len("tensor<"):-1].split("x")
    return (engines.DTYPES[element], tuple(None if size == "?" else int(size) for size in sizes))


class _Line:
    """One op of a case."""

    def __init__(self, match):
        self.op, self.result = match["op"], match["result"]
        self.operands = match["operands"].split(", ") if match["operands"] else []
        self.types = [_type(text) for text in match["types"].split(", ")]
        if self.op == "arith.constant":
            self.number = int(re.search(r"value = (-?\d+)", match["attributes"])[1])
        elif self.op != "mindir.constant":
            self.attributes = {name: _attribute(text)
                               for name, text in _ATTRIBUTE.findall(match["attributes"] or "")}

    def emit(self, values, case):
        """Adds the results to the values by name."""
        if self.op == "arith.constant":
            results = emitter.constant(self.number, _INDEX)
        elif self.op == "mindir.constant":
            results = emitter.constant(case.expected(), self.types[0][0])
        else:
            operands = [values[name] for name in self.operands]
            results = emitter.emit(self.op, operands, self.attributes, self.types)
        values[self.result] = results
        if isinstance(results, list):
            values.update({f"{self.result}#{i}": value for i, value in enumerate(results)})


def _op(case, text):
    """The `Primitive` of a case: takes a tuple of tensors, gives one."""
    arguments = re.findall(r"(%\w+): ", text.partition("):")[0].partition("^bb0(")[2])
    *lines, end = [_Line(match) for match in _LINE.finditer(text)]

    def case_op(operands):
        values = dict(zip(arguments, operands, strict=True))
        for line in lines:
            line.emit(values, case)
        return tuple(values[name] for name in end.operands)
    return Primitive(case_op)


def ops_of(cases):
    """The op of each case."""
    text = engines.run_tool("ms-opt", "--mlir-print-op-generic", "-", input=engines.module_of(cases))
    functions = text.split('"func.func"()')[1:]
    return [_op(case, function) for case, function in zip(cases, functions, strict=True)]


def jitted(function, case_lists):
    """`function` under jit, for a call with a tuple of tuples of tensors, one per case.

    case_lists: for each of these tensors, the operand whose type it has: sizes that are
    unknown there are unknown in what is compiled.
    """
    compiled = jit(function, fullgraph=True)
    shapes = compiled._own.specialization.shapes
    name = function.__code__.co_varnames[0]
    for i, operands in enumerate(case_lists):
        for j, operand in enumerate(operands):
            key = ((("argument", name), i), j), engines.DTYPES[operand.element]
            for axis in range(operand.values.ndim if operand.dynamic else 0):
                shapes.leave_open(key, operand.values.ndim, axis)
    return compiled


def run_jit(cases):
    """Calls all cases in one jitted function."""
    ops = ops_of(cases)

    def every(inputs):
        return [op(operands) for op, operands in zip(ops, inputs)]

    tensors = tuple(tuple(wrap(engines.to_array(core, operand.values, operand.element)) for operand in case.operands)
                    for case in cases)
    results = jitted(every, [case.operands for case in cases])(tensors)
    return [[engines.from_array(result._array, element) for result, (_, element) in zip(given, case.results, strict=True)]
            for case, given in zip(cases, results, strict=True)]
