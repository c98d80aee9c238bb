"""A compiled module as something to call, to record on a tape and to differentiate.

The protocol that an eager op and a jitted function share:

    module = ModuleCallable(text, entry, executable)      # executable: optional
    results = call(module, tensors)                       # list of Tensors

`call` runs it, records it as one entry on the tapes that follow one of its
inputs, and writes the results marked `mindir.updates = k` into `tensors[k]`
(None stands for them in the list).
"""

from .._native import core


class ModuleCallable:
    """One function of a module. Attributes:

    `module_text`: the IR; `entry`: its function's name; `updates`: a dict from
    the index of a result to that of the argument whose new value it is.
    `arrays(list) -> list` runs it on Arrays, compiling it at its first call.
    """

    __slots__ = ("module_text", "entry", "updates", "arrays", "_derivatives")

    def __init__(self, module_text, entry="main", executable=None, updates=None):
        self.module_text, self.entry = module_text, entry
        self.updates = updates or {}
        self.arrays = executable or self._compile_and_run
        self._derivatives = {}

    def _compile_and_run(self, arrays):
        self.arrays = core.compile(self.module_text, entry=self.entry)
        return self.arrays(arrays)

    def derivative(self, wrt):
        """The `Derivative` with respect to the arguments at `wrt`, a tuple of indices.

        Raises TypeError that names an op without a rule.
        """
        found = self._derivatives.get(wrt)
        if found is None:
            found = self._derivatives[wrt] = Derivative(self, wrt)
        return found


class Derivative:
    """A module split by the autodiff pass.

    `forward`: the arguments -> the results, then `num_residuals` residuals.
    `saved`: where each value that `backward` needs comes from: ("argument", k),
    or ("result", k) of forward. `backward`: those values, then the cotangents of
    the results at `cotangents` -> the cotangents of the arguments at `wrt`.
    """

    __slots__ = ("forward", "backward", "num_residuals", "saved", "cotangents")

    def __init__(self, module, wrt):
        split = core.differentiate(module.module_text, module.entry, list(wrt))
        self.forward = ModuleCallable(split["forward"], module.entry + ".fwd", updates=module.updates)
        self.backward = ModuleCallable(split["backward"], module.entry + ".bwd")
        self.num_residuals = split["num_residuals"]
        self.saved, self.cotangents = split["saved"], split["cotangents"]


def call(module, tensors):
    """The results of a ModuleCallable on Tensors; see the file's head."""
    from .tape import call as record
    return record(module, tensors)
