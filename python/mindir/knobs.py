"""Every environment variable that MindIR reads, with its type, default and meaning."""

import os


class Knob:
    """One variable. `get()` reads it from the environment now; ValueError for a bad value."""

    def __init__(self, name, kind, default, doc, choices=None):
        self.name, self.kind, self.default, self.doc, self.choices = name, kind, default, doc, choices

    def get(self):
        """The value, of type `kind`; the default when the variable is not set or empty."""
        text = os.environ.get(self.name, "")
        if text == "":
            return self.default
        try:
            value = _parse(self.kind, text)
        except ValueError:
            raise ValueError(f"expected {self.name} as {self.kind.__name__}, found {text!r}") from None
        if self.choices and value not in self.choices:
            raise ValueError(f"expected {self.name} as one of {self.choices}, found {text!r}")
        return value


def _parse(kind, text):
    if kind is bool:
        lowered = text.lower()
        if lowered in ("1", "true", "on", "yes"):
            return True
        if lowered in ("0", "false", "off", "no"):
            return False
        raise ValueError(text)
    return kind(text)


KNOBS = {k.name: k for k in (
    Knob("MINDIR_CACHE_DIR", str, None, "Folder of the compiled kernels' disk cache; default: the user's cache folder."),
    Knob("MINDIR_DISABLE_CACHE", bool, False, "Neither read nor write the disk cache."),
    Knob("MINDIR_NUM_THREADS", int, None, "Threads of generated code and libraries; default: the cores available."),
    Knob("MINDIR_SAVE_GRAPHS", int, 0, "Default of the context key save_graphs.", (0, 1, 2, 3)),
    Knob("MINDIR_SAVE_GRAPHS_PATH", str, ".", "Default of the context key save_graphs_path."),
)}


def get(name):
    """The present value of a knob; KeyError for a name that is none."""
    return KNOBS[name].get()
