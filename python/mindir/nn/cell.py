"""Cell: a module of a net, with Parameters and child Cells."""

from collections import OrderedDict

from ..frontend import epoch as _epoch
from ..ops.emitter import state as _emitter
from ..parameter import Parameter, ParameterTuple
from ..runtime import graph_mode
from ..runtime.custom import call_with_bprop
from ..tensor import Tensor


class Cell:
    """Base of all layers and nets: assign Parameters and Cells to attributes, define `construct`.

    `cell(*args)` runs `construct(*args)`; in graph mode it is compiled. Parameters
    take the path of attributes as their names when the Cell becomes a child of
    another ("conv1.weight").
    """

    def __init__(self, auto_prefix=True, flags=None):
        own = self.__dict__
        own["_params"], own["_cells"] = OrderedDict(), OrderedDict()
        own["_forward_hooks"], own["_pre_hooks"] = OrderedDict(), OrderedDict()
        own["training"], own["requires_grad"], own["_auto_prefix"] = False, False, auto_prefix
        own["_flags"] = dict(flags or {})

    # --- attributes -----------------------------------------------------------

    def __getattr__(self, name):
        own = self.__dict__
        for table in ("_params", "_cells"):
            if table in own and name in own[table]:
                return own[table][name]
        if "_params" not in own:
            raise AttributeError(f"'{type(self).__name__}' has no attribute '{name}': "
                                 "call super().__init__() first in its __init__")
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        own = self.__dict__
        if "_params" not in own and isinstance(value, (Parameter, Cell)):
            raise AttributeError(f"expected super().__init__() in {type(self).__name__} before '{name}' is set")
        params = own.get("_params", ())
        if name in params and isinstance(value, Tensor) and not isinstance(value, Parameter):
            params[name].assign_value(value)
            return
        if isinstance(value, Parameter):
            self.insert_param_to_cell(name, value)
        elif isinstance(value, Cell):
            self._insert_cell(name, value)
        elif isinstance(value, ParameterTuple):
            self._insert_tuple(name, value)
        else:
            self._forget(name)
            object.__setattr__(self, name, value)
            _epoch.bump()

    def __delattr__(self, name):
        if not self._forget(name):
            object.__delattr__(self, name)
        _epoch.bump()

    def _forget(self, name):
        """Drops `name` from the tables of Parameters and Cells; whether it was there."""
        own = self.__dict__
        found = [t for t in ("_params", "_cells") if name in own.get(t, ())]
        for table in found:
            del own[table][name]
        return bool(found)

    def insert_param_to_cell(self, param_name, param, check_name_contain_dot=True):
        """Registers a Parameter under a name. TypeError for another value, ValueError for a bad name."""
        if not isinstance(param, Parameter):
            raise TypeError(f"expected a Parameter for '{param_name}', found {type(param).__name__}")
        if not param_name or check_name_contain_dot and "." in param_name:
            raise ValueError(f"expected a name without '.', found {param_name!r}")
        self.__dict__.pop(param_name, None)
        self._cells.pop(param_name, None)
        if param.has_default_name:
            param.name = param_name
        self._params[param_name] = param
        _epoch.bump()

    def _insert_cell(self, name, cell):
        self.__dict__.pop(name, None)
        self._params.pop(name, None)
        if self._auto_prefix:
            cell.update_parameters_name(name + ".")
        self._cells[name] = cell
        _epoch.bump()

    def _insert_tuple(self, name, parameters):
        for i, parameter in enumerate(parameters):
            if parameter.has_default_name:
                parameter.name = f"{name}.{i}"
            self._params[parameter.name] = parameter
        object.__setattr__(self, name, parameters)
        _epoch.bump()

    def insert_child_to_cell(self, child_name, child_cell):
        """Registers a child Cell under a name."""
        if not isinstance(child_cell, Cell):
            raise TypeError(f"expected a Cell for '{child_name}', found {type(child_cell).__name__}")
        self._insert_cell(child_name, child_cell)

    # --- calls ----------------------------------------------------------------

    def construct(self, *args, **kwargs):
        """What the Cell computes; to be defined by the class."""
        raise NotImplementedError(f"{type(self).__name__} defines no construct()")

    def __call__(self, *args, **kwargs):
        if self._pre_hooks:
            args = self._hooked_inputs(args)
        output = self._run(args, kwargs)
        for hook in tuple(self._forward_hooks.values()):
            changed = hook(self, args, output)
            output = output if changed is None else changed
        return output

    def _run(self, args, kwargs):
        if _emitter.emitter is None:
            if graph_mode.active() and not hasattr(type(self), "bprop"):
                return graph_mode.call(self.construct, args, kwargs, self._eager)
            return self._eager(*args, **kwargs)
        return self.construct(*args, **kwargs)

    def _eager(self, *args, **kwargs):
        if hasattr(type(self), "bprop"):
            return call_with_bprop(self, args, kwargs)
        return self.construct(*args, **kwargs)

    def _hooked_inputs(self, args):
        for hook in tuple(self._pre_hooks.values()):
            changed = hook(self, args)
            if changed is not None:
                args = changed if isinstance(changed, tuple) else (changed,)
        return args

    def register_forward_hook(self, hook_fn):
        """Calls `hook_fn(cell, inputs, output)` after each call; gives a handle with `remove()`."""
        return _Handle(self._forward_hooks, hook_fn)

    def register_forward_pre_hook(self, hook_fn):
        """Calls `hook_fn(cell, inputs)` before each call; gives a handle with `remove()`."""
        return _Handle(self._pre_hooks, hook_fn)

    # --- Parameters and children ----------------------------------------------

    def cells_and_names(self, name_prefix=""):
        """(path, Cell) of this Cell and all below it, each Cell once."""
        seen = set()
        yield from self._cells_and_names(name_prefix, seen)

    def _cells_and_names(self, prefix, seen):
        if id(self) in seen:
            return
        seen.add(id(self))
        yield prefix, self
        for name, cell in self._cells.items():
            yield from cell._cells_and_names(f"{prefix}.{name}" if prefix else name, seen)

    def cells(self):
        """The child Cells."""
        return self._cells.values()

    def name_cells(self):
        """A dict of the child Cells by their names."""
        return OrderedDict(self._cells)

    def parameters_and_names(self, name_prefix="", expand=True):
        """(path, Parameter) of this Cell and, with `expand`, of all below it, each Parameter once."""
        seen = set()
        for path, cell in self.cells_and_names(name_prefix) if expand else [(name_prefix, self)]:
            for name, parameter in cell._params.items():
                if id(parameter) not in seen:
                    seen.add(id(parameter))
                    yield (f"{path}.{name}" if path else name), parameter

    def get_parameters(self, expand=True):
        """The Parameters of this Cell and, with `expand`, of all below it."""
        for _, parameter in self.parameters_and_names(expand=expand):
            yield parameter

    def trainable_params(self, recurse=True):
        """A list of the Parameters with `requires_grad`."""
        return [p for p in self.get_parameters(recurse) if p.requires_grad]

    def untrainable_params(self, recurse=True):
        """A list of the Parameters without `requires_grad`."""
        return [p for p in self.get_parameters(recurse) if not p.requires_grad]

    def parameters_dict(self, recurse=True):
        """An OrderedDict of the Parameters by their names."""
        return OrderedDict((p.name, p) for p in self.get_parameters(recurse))

    def update_parameters_name(self, prefix="", recurse=True):
        """Names each Parameter `prefix` + its path."""
        for path, parameter in self.parameters_and_names(expand=recurse):
            parameter.name = prefix + path

    def check_names(self):
        """ValueError when two Parameters share a name."""
        seen = set()
        for parameter in self.get_parameters():
            if parameter.name in seen:
                raise ValueError(f"expected distinct names of Parameters, found {parameter.name!r} twice")
            seen.add(parameter.name)

    # --- state ----------------------------------------------------------------

    def set_train(self, mode=True):
        """Marks the Cell and all below it as training or not; gives the Cell."""
        for _, cell in self.cells_and_names():
            cell.__dict__["training"] = bool(mode)
        _epoch.bump()
        return self

    def set_grad(self, requires_grad=True):
        """Kept for compatibility: gradients are asked for by `ms.grad`; gives the Cell."""
        self.__dict__["requires_grad"] = requires_grad
        return self

    def to_float(self, dst_type):
        """Refused: mixed precision is not implemented in MindIR yet."""
        raise NotImplementedError("Cell.to_float is not implemented in MindIR")

    def add_flags(self, **flags):
        """Sets flags of the Cell; gives the Cell."""
        self._flags.update(flags)
        _epoch.bump()
        return self

    def get_flags(self):
        """The flags of the Cell."""
        return dict(self._flags)

    def apply(self, fn):
        """Calls `fn` on all Cells below and then on this one; gives the Cell."""
        for cell in self.cells():
            cell.apply(fn)
        fn(self)
        return self

    def extend_repr(self):
        """What `repr` shows between the parentheses."""
        return ""

    def __repr__(self):
        lines = [f"({name}): {repr(cell)}" for name, cell in self._cells.items()]
        inside = "\n".join("  " + line for text in lines for line in text.split("\n"))
        shown = self.extend_repr()
        return f"{type(self).__name__}({shown}" + (f"\n{inside}\n)" if lines else ")")


class _Handle:
    """A registered hook; `remove()` takes it away."""

    def __init__(self, table, hook):
        self._table = table
        table[id(self)] = hook
        _epoch.bump()

    def remove(self):
        """Takes the hook away; again is harmless."""
        self._table.pop(id(self), None)
        _epoch.bump()
