"""Loading of Parameters into nets."""

from .parameter import Parameter


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Writes the Parameters of a dict (name -> Parameter) into those of the same name of a Cell.

    Gives (names of the net's Parameters that were not in the dict, names of the
    dict that the net lacks). TypeError: arguments of other kinds; ValueError:
    shapes that differ, naming the Parameter. `strict_load` also refuses another dtype.
    """
    from .nn.cell import Cell
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', expected a Cell as net, found {type(net).__name__}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(f"For 'load_param_into_net', expected a dict, found {type(parameter_dict).__name__}.")
    for name, value in parameter_dict.items():
        if not isinstance(value, Parameter):
            raise TypeError(f"For 'load_param_into_net', expected a Parameter under {name!r}, found "
                            f"{type(value).__name__}.")
    own = {p.name: p for p in net.get_parameters()}
    for name in own.keys() & parameter_dict.keys():
        _check(own[name], parameter_dict[name], strict_load)
    for name in own.keys() & parameter_dict.keys():
        own[name].assign_value(parameter_dict[name])
    return ([n for n in own if n not in parameter_dict], [n for n in parameter_dict if n not in own])


def _check(own, value, strict):
    if own.shape != value.shape:
        raise ValueError(f"For 'load_param_into_net', expected shape {own.shape} for Parameter '{own.name}', found "
                         f"{value.shape}.")
    if own.dtype is not value.dtype and (strict or own.dtype.is_float != value.dtype.is_float):
        raise TypeError(f"For 'load_param_into_net', expected dtype {own.dtype} for Parameter '{own.name}', found "
                        f"{value.dtype}.")
