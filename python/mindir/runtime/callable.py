"""A compiled module as something to call, to record on a tape and to differentiate.

The protocol that an eager op and a jitted function share:

    module = ModuleCallable(text, entry, executable, updates)     # executable: optional
    results = call(module, tensors)                               # list of Tensors

`call` runs it, records it as one entry on the tapes that follow one of its
inputs, and writes the results marked `mindir.updates = k` into `tensors[k]`
(None stands for them in the list). `module.derivative(wrt)` is its split into
forward and backward by the autodiff pass. Both are C++: lib/Bindings/Python/EagerModule.h.
"""

from .._native import core

ModuleCallable, call = core.ModuleCallable, core.call
