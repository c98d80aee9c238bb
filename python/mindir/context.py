"""The program's settings: `set_context`, `get_context`, and the two modes."""

import os

from . import knobs

GRAPH_MODE = 0
PYNATIVE_MODE = 1


class _Key:
    """One setting: its default, what it may be, and how a value is normalised."""

    def __init__(self, default, check, expected):
        self.default, self.check, self.expected = default, check, expected


def _one_of(*choices):
    return lambda v: any(v == c and type(v) is type(c) for c in choices)


def _is(kind):
    return lambda v: isinstance(v, kind) and (kind is bool or not isinstance(v, bool))


def _natural(v):
    return isinstance(v, int) and not isinstance(v, bool) and v >= 0


def _positive(v):
    return _natural(v) and v > 0


_KEYS = {
    "mode": _Key(PYNATIVE_MODE, _one_of(GRAPH_MODE, PYNATIVE_MODE), "GRAPH_MODE (0) or PYNATIVE_MODE (1)"),
    "device_target": _Key("CPU", _one_of("CPU"), "'CPU', the device of this build"),
    "device_id": _Key(0, _natural, "an int of at least 0"),
    "save_graphs": _Key(knobs.get("MINDIR_SAVE_GRAPHS"), _one_of(0, 1, 2, 3, False, True),
                        "0 to 3, False or True"),
    "save_graphs_path": _Key(knobs.get("MINDIR_SAVE_GRAPHS_PATH"), _is(str), "a path"),
    "max_call_depth": _Key(1000, _positive, "an int above 0"),
    "deterministic": _Key("OFF", _one_of("ON", "OFF"), "'ON' or 'OFF'"),
    "enable_graph_kernel": _Key(True, _is(bool), "a bool"),
    "graph_kernel_flags": _Key("", _is(str), "a str"),
    "jit_level": _Key("O1", _one_of("O0", "O1", "O2"), "'O0', 'O1' or 'O2'"),
    "jit_config": _Key({}, _is(dict), "a dict"),
    "runtime_num_threads": _Key(0, _natural, "an int of at least 0"),
    "pynative_synchronize": _Key(True, _is(bool), "a bool"),
}
_values = {name: key.default for name, key in _KEYS.items()}


def mode():
    """The mode in force: GRAPH_MODE or PYNATIVE_MODE."""
    return _values["mode"]


def set_context(**settings):
    """Changes settings; all of them are checked before any is changed.

    `mode`: PYNATIVE_MODE (the default) runs each op at once, GRAPH_MODE compiles
    calls of Cells and gradients. `save_graphs` (0..3) with `save_graphs_path`
    writes the IR after each phase. ValueError: an unknown key or a wrong value.
    """
    for name, value in settings.items():
        key = _KEYS.get(name)
        if key is None:
            raise ValueError(f"For 'set_context', expected one of {', '.join(_KEYS)} as key, found {name!r}.")
        if not key.check(value):
            raise ValueError(f"For 'set_context', expected {name} as {key.expected}, found {value!r}.")
    for name, value in settings.items():
        _values[name] = _normalised(name, value)


def _normalised(name, value):
    if name == "save_graphs":
        return int(value) if not isinstance(value, bool) else (2 if value else 0)
    if name == "save_graphs_path":
        return os.path.abspath(value)
    return value


def get_context(attr_key):
    """The value of a setting. ValueError for an unknown key."""
    if attr_key not in _KEYS:
        raise ValueError(f"For 'get_context', expected one of {', '.join(_KEYS)} as key, found {attr_key!r}.")
    return _values[attr_key]


def reset_context():
    """All settings back to their defaults."""
    _values.update({name: key.default for name, key in _KEYS.items()})
