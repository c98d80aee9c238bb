"""The compiled half, `mindir._core`, loaded when it is first needed.

`core.X` is `mindir._core.X`. Importing the package does not need the library,
so that its documentation and its pure Python parts work from a source tree.
"""

import importlib
import os

# libgomp's idle threads spin by default for far longer than a small kernel takes,
# on the cores that the next one needs. Read once, when the library is loaded.
os.environ.setdefault("GOMP_SPINCOUNT", "10000")


class _Core:
    def __getattr__(self, name):
        try:
            library = importlib.import_module("mindir._core")
        except ImportError as error:
            raise ImportError(
                f"expected the compiled library mindir._core, found none ({error}); "
                "build it with tools/quickstart, or install the wheel") from error
        value = getattr(library, name)
        setattr(self, name, value)
        return value


core = _Core()
