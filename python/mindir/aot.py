"""Capture of a function for compilation ahead of time: what `ms-compile file.py:function` starts.

    python -m mindir.aot file.py:function --output=module.mlir [--input=float32[2,?]]...

The function's tensors become arguments, in the order of its parameters. Every
other value that it reads is a constant of the compiled function: Python values
among its example arguments, globals, and, unless `--parameters=arguments`, the
Parameters of its Cells with the values that they have. What it writes is always
an argument, updated in place, behind its own.
"""

import argparse
import importlib.util
import linecache
import os
import re
import sys
import traceback

import numpy as np

from . import alias
from . import dtype as _dtype
from .frontend.capture import capture_call, capture_function, flatten_call, parameter_names
from .frontend.errors import CallRaises, Unsupported
from .frontend.functions_source import definition
from .nn.cell import Cell
from .parameter import Parameter
from .specialization import Specialization
from .tensor import Tensor

_NOT_CAPTURED = 3           # the exit status
_OPEN_SIZE_SAMPLE = 3       # a size neither 0 nor 1 for what `?` leaves open


class _Argument:
    """A tensor argument: its name, an example of it, and the axes whose size is open."""

    __slots__ = ("name", "tensor", "open")

    def __init__(self, name, tensor, open=()):
        self.name, self.tensor, self.open = name, tensor, frozenset(open)

    @property
    def type(self):
        """(dtype name, shape with None for open sizes)."""
        shape = tuple(None if i in self.open else s for i, s in enumerate(self.tensor.shape))
        return self.tensor.dtype.name, shape


def parse_type(text):
    """(Tensor of zeros, open axes) of a type such as "float32[2,?]"; ValueError for another text."""
    match = re.fullmatch(r"\s*(\w+)\s*\[([\s\d,?]*)\]\s*", text)
    sizes = [s.strip() for s in match[2].split(",")] if match and match[2].strip() else []
    if match is None or match[1] not in _dtype.BY_NAME or not all(s == "?" or s.isdigit() for s in sizes):
        raise ValueError(f"expected a type such as float32[2,?] or int64[], found {text!r}")
    shape = [_OPEN_SIZE_SAMPLE if s == "?" else int(s) for s in sizes]
    dtype = _dtype.of_name(match[1])
    data = Tensor(np.zeros(shape, "float32" if dtype is _dtype.bfloat16 else dtype.name), dtype)
    return data, [i for i, s in enumerate(sizes) if s == "?"]


def module_of(target, inputs, parameters="constants", entry="exported"):
    """The text of a module whose function `entry` computes `target(*inputs)`.

    target: a function, method, Cell or what `ms.jit` gave. inputs: examples of the
    arguments; Tensors and numpy arrays become arguments, (Tensor, open axes)
    pairs made by `parse_type` too. parameters: "constants" or "arguments". The
    comment at the head tells what the arguments are.
    SyntaxError where the function cannot be one graph; ValueError when it decides
    about an open size, or ends otherwise than by returning tensors; what the call
    itself raises.
    """
    target = getattr(target, "__mindir_jit__", target)
    if getattr(getattr(target, "__func__", None), "__mindir_jit__", None) is not None:
        target = target.__func__.__mindir_jit__.__get__(target.__self__)
    arguments, values = [], []
    names = _names(target, len(inputs))
    for i, value in enumerate(inputs):
        values.append(_example(value, names[i], arguments))
    captured, flat = _capture(target, values, arguments)
    return _Export(captured, flat, arguments, parameters).text(entry, getattr(target, "__name__", type(target).__name__))


def _names(target, count):
    function = type(target).construct if isinstance(target, Cell) else getattr(target, "__func__", target)
    code = getattr(getattr(function, "__mindir_jit__", function), "__code__", None)
    names = list(code.co_varnames[:code.co_argcount]) if code else []
    if isinstance(target, Cell) or hasattr(target, "__self__"):
        names = names[1:]
    return names + [f"argument {i}" for i in range(len(names), count)]


def _example(value, name, arguments):
    """An example argument with its tensors noted in `arguments`."""
    if type(value) is tuple and len(value) == 2 and isinstance(value[0], Tensor) and type(value[1]) is list:
        arguments.append(_Argument(name, *value))
        return value[0]
    if isinstance(value, np.ndarray):
        value = Tensor(value)
    if isinstance(value, Tensor):
        value = Tensor(value)           # one place, one argument
        arguments.append(_Argument(name, value))
        return value
    if type(value) in (tuple, list):
        return type(value)(_example(v, f"{name}[{i}]", arguments) for i, v in enumerate(value))
    if type(value) is dict:
        return {k: _example(v, f"{name}[{k!r}]", arguments) for k, v in value.items()}
    return value


def _capture(target, values, arguments):
    """(Entry, flattened call). The sizes asked to be open are left so."""
    learnt = Specialization()
    tensors = {id(a.tensor): a for a in arguments}

    def leave_open(place, value):
        argument = tensors.get(id(value)) if isinstance(value, Tensor) else None
        for axis in argument.open if argument else ():
            learnt.shapes.leave_open((("argument", place), value.dtype.name), len(value.shape), axis)

    bound = getattr(target, "__self__", None)
    function = getattr(target, "__func__", target)
    try:
        if isinstance(target, Cell) or not hasattr(function, "__code__"):
            for i, value in enumerate(values):
                leave_open(i, value)
            return capture_call(target, tuple(values), {}, learnt), tuple(values) + (len(values), ())
        names = parameter_names(definition(function).args)
        given = tuple(values) if bound is None else (bound, *values)
        flat = flatten_call(function, names, given, {})
        for name, value in zip(names, flat):
            leave_open(name, value)
        return capture_function(function, flat, learnt), flat
    except Unsupported as why:
        raise _not_captured(why, getattr(function, "__code__", None)) from None
    except CallRaises as raised:
        target(*values)                 # raises with the user's lines
        raise raised.__cause__


def _not_captured(unsupported, code):
    """The SyntaxError of a statement that cannot be part of a graph."""
    filename, node = code.co_filename if code else "<call>", unsupported.node
    line = getattr(node, "lineno", 0)
    return SyntaxError(f"expected a function that can be one graph, found {unsupported.reason}. Rewrite this with "
                       "tensor operations", (filename, line, getattr(node, "col_offset", 0) + 1,
                                             linecache.getline(filename, line)))


class _Export:
    """Puts a function of the declared arguments in front of a captured one."""

    def __init__(self, entry, flat, arguments, parameters):
        if len(entry.outcomes) != 1 or entry.has_status or entry.effects:
            what = "changes Python objects" if entry.effects else "may raise, or ends in several ways"
            raise ValueError(f"expected a function that only computes and returns tensors, found one that {what}")
        self.entry, self.arguments, self.builder = entry, arguments, entry.builder
        inputs = entry.check(flat)
        if inputs is None:
            raise RuntimeError(f"a guard does not hold for the example: {entry.failed(flat)}")
        self.objects = entry._fetch(flat)
        self.inputs, self.updates = inputs, entry.updates
        self._check_open_sizes()
        own = {id(a.tensor) for a in arguments}
        written = set(self.updates.values())
        self.extra = [i for i, t in enumerate(inputs) if isinstance(t, Tensor) and id(t) not in own and
                      (i in written or parameters == "arguments" and isinstance(t, Parameter))]
        self.lines = []

    def _check_open_sizes(self):
        for value, (_, shape) in zip(self.inputs, self.entry.argument_types):
            for argument in self.arguments:
                if argument.tensor is value and argument.type[1] != shape:
                    axis = next(i for i, (a, b) in enumerate(zip(argument.type[1], shape)) if a != b)
                    raise ValueError(f"the function decides about size {axis} of {argument.name}, which was left "
                                     "open: give a number in place of ?")

    def text(self, name, title):
        """The module's text with the comment at its head."""
        types = [a.type for a in self.arguments] + [self.entry.argument_types[i] for i in self.extra]
        places = {i: len(self.arguments) + n for n, i in enumerate(self.extra)}
        places.update({i: k for i, t in enumerate(self.inputs) for k, a in enumerate(self.arguments) if a.tensor is t})
        written = {places[k] for k in self.updates.values()}
        attributes = [{"mindir.donated": True} if k in written else {} for k in range(len(types))]
        values = self.builder.begin_function(name, types, attributes)
        operands = [values[places[i]] if i in places else self._constant(t) for i, t in enumerate(self.inputs)]
        produced = self.builder.call("main", operands)
        results, paths = [], []
        self._flatten(next(iter(self.entry.outcomes.values())).recipe, "", produced, values, results, paths)
        marks = [{} for _ in results]
        for k, position in self.updates.items():
            results.append(produced[k])
            marks.append({"mindir.updates": places[position]})
        self.builder.end_function(results, marks)
        return self._head(title, paths, written) + self.builder.text()

    def _constant(self, value):
        if isinstance(value, Tensor):
            data = value.asnumpy()
            return self.builder.constant(data, value.dtype.name)
        return self.builder.constant(value, {bool: "bool", int: "int64", float: "float64"}[type(value)])

    def _flatten(self, recipe, path, produced, values, results, paths):
        """Appends the Values of a result's tensors and numbers, and where they stand in it."""
        if recipe.kind in ("sequence", "mapping"):
            keys = recipe.data if recipe.kind == "mapping" else range(len(recipe.parts))
            for key, part in zip(keys, recipe.parts):
                self._flatten(part, f"{path}[{key!r}]", produced, values, results, paths)
            return
        if recipe.kind == "slot":
            value = produced[recipe.data]
        elif recipe.kind == "number":
            value = produced[recipe.data[1]]
        else:
            thing = self.objects[recipe.data] if recipe.kind == "object" else recipe.data
            if thing is None:
                return
            if not isinstance(thing, (Tensor, bool, int, float)):
                raise ValueError(f"expected tensors and numbers as results, found {type(thing).__name__}")
            own = [k for k, a in enumerate(self.arguments) if a.tensor is thing]
            own += [len(self.arguments) + n for n, i in enumerate(self.extra) if self.inputs[i] is thing]
            value = values[own[0]] if own else self._constant(thing)
        results.append(value)
        paths.append(path)

    def _head(self, title, paths, written):
        lines = [f"{title}, captured from Python:"]
        names = [a.name for a in self.arguments] + [_title(self.inputs[i]) for i in self.extra]
        for k, name in enumerate(names):
            lines.append(f"  input{k}: {name}" + (", updated" if k in written else ""))
        if len(paths) > 1:
            lines += [f"  result{k}: the result's {path}" for k, path in enumerate(paths)]
        kept = {i for i, _ in enumerate(self.inputs)} - set(self.extra)
        constants = [_title(self.inputs[i]) for i in sorted(kept) if isinstance(self.inputs[i], Parameter)]
        if constants:
            lines.append("  constants, with the values at compilation: " + ", ".join(constants))
        return "".join(f"// {line}\n".replace("\\", "/") for line in lines)


def _title(tensor):
    from .runtime.generator import default
    if isinstance(tensor, Parameter):
        return f"the Parameter {tensor.name}"
    return "the state of the random generator" if tensor is default._state else "a tensor from outside"


# --- the command line ---------------------------------------------------------


def _load(path):
    """Runs a Python file as a module of its name; `import mindspore` means this package."""
    alias.install()
    if not os.path.exists(path):
        raise FileNotFoundError(f"expected a Python file, found no {path!r}")
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    name = os.path.splitext(os.path.basename(path))[0]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _find(module, dotted):
    """The function, method or Cell of that name; of a Cell class, an instance of it."""
    found = module
    for part in dotted.split("."):
        if not hasattr(found, part):
            own = sorted(n for n, v in vars(module).items() if callable(v) and getattr(v, "__module__", None)
                         == module.__name__ or isinstance(v, Cell))
            raise AttributeError(f"expected a function or Cell {dotted!r} in {module.__file__}, found "
                                 f"{', '.join(own) or 'none'}")
        found = getattr(found, part)
        if isinstance(found, type) and issubclass(found, Cell):
            found = found()
    if not callable(found):
        raise TypeError(f"expected a function or Cell, found {dotted!r} as {type(found).__name__}")
    return found


def _examples(module, name):
    """The example arguments that a file provides under `name`: a tuple, or a function that gives it."""
    found = getattr(module, name or "example_inputs", None)
    if found is None:
        raise ValueError("expected the types of the arguments by --input, or a tuple of example arguments named "
                         f"{name or 'example_inputs'} in the file, found neither")
    found = found() if callable(found) and not isinstance(found, Tensor) else found
    return list(found) if isinstance(found, (tuple, list)) else [found]


def _takes_none(target):
    function = type(target).construct if isinstance(target, Cell) else getattr(target, "__func__", target)
    code = getattr(getattr(function, "__mindir_jit__", function), "__code__", None)
    own = isinstance(target, Cell) or hasattr(target, "__self__")
    return code is not None and code.co_argcount == own and not code.co_flags & 0x0C


def main(arguments):
    """Captures what the command line names. SystemExit(3) after a message for what cannot be."""
    parser = argparse.ArgumentParser(prog="python -m mindir.aot", description=__doc__.split("\n")[0])
    parser.add_argument("target", help="file.py:function")
    parser.add_argument("--output", required=True)
    parser.add_argument("--entry", default="exported")
    parser.add_argument("--input", action="append", default=[])
    parser.add_argument("--example")
    parser.add_argument("--parameters", choices=("constants", "arguments"), default="constants")
    options = parser.parse_args(arguments)
    path, _, name = options.target.rpartition(":")
    try:
        module = _load(path)
        target = _find(module, name)
        inputs = [parse_type(t) for t in options.input]
        if not inputs and not (_takes_none(target) and options.example is None):
            inputs = _examples(module, options.example)
        text = module_of(target, inputs, options.parameters, options.entry)
    except Exception as error:
        print("".join(_message(error, path)).rstrip(), file=sys.stderr)
        raise SystemExit(_NOT_CAPTURED) from None
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(text)


def _message(error, path):
    """The error as Python shows it, with the lines of the traceback that are the user's."""
    own = os.path.dirname(os.path.abspath(__file__))
    frames = [f for f in traceback.extract_tb(error.__traceback__)
              if not os.path.abspath(f.filename).startswith(own) and not f.filename.startswith("<frozen")]
    if frames:
        yield "Traceback (most recent call last):\n"
        yield from traceback.format_list(frames)
    yield from traceback.format_exception_only(type(error), error)


if __name__ == "__main__":
    main(sys.argv[1:])
