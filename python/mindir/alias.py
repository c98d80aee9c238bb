"""`import mindspore` as this package: an importer that maps the names.

`mindspore.x.y` is the module `mindir.x.y`, the same object. A module that does
not exist here raises an ImportError that says so.
"""

import importlib
import importlib.abc
import importlib.util
import sys

_FROM, _TO = "mindspore", "mindir"

# MindSpore's modules whose content lives under another name here.
_MODULES = {
    "mindspore.common.tensor": "mindir.tensor",
    "mindspore.common.parameter": "mindir.parameter",
    "mindspore.common.dtype": "mindir.dtype",
    "mindspore.common.api": "mindir.jit",
    "mindspore.ops.operations": "mindir.ops.classes",
    "mindspore.ops.functional": "mindir.ops",
    "mindspore.ops.function": "mindir.ops",
    "mindspore.ops.composite": "mindir.ops",
    "mindspore.nn.cell": "mindir.nn.cell",
    "mindspore.train.serialization": "mindir.serialization",
}


class AliasFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds `mindspore` and its submodules as this package's."""

    def find_spec(self, fullname, path=None, target=None):
        """The spec of an aliased module, None for other names."""
        if fullname != _FROM and not fullname.startswith(_FROM + "."):
            return None
        return importlib.util.spec_from_loader(fullname, self, is_package=True)

    def create_module(self, spec):
        """The module of this package that `spec.name` means; ModuleNotFoundError names it."""
        target = _MODULES.get(spec.name, _TO + spec.name[len(_FROM):])
        try:
            return importlib.import_module(target)
        except ModuleNotFoundError as error:
            if error.name is None or not (target + ".").startswith(error.name + "."):
                raise
            raise ModuleNotFoundError(f"{spec.name} is not implemented in MindIR", name=spec.name) from None

    def exec_module(self, module):
        """Nothing: the module has run already."""


def install():
    """Makes `import mindspore` give this package, in this process from here on."""
    if not any(isinstance(f, AliasFinder) for f in sys.meta_path):
        sys.meta_path.insert(0, AliasFinder())
