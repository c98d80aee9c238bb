"""The compiled half, `mindir._core`, loaded when it is first needed.

`core.X` is `mindir._core.X`. Importing the package does not need the library,
so that its documentation and its pure Python parts work from a source tree.
"""

import importlib


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
