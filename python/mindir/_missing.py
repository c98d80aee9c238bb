"""What a name of MindSpore that MindIR does not have yet raises."""


def missing(module, name):
    """Raises AttributeError naming `module.name`; dunder names get the plain message."""
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(f"module {module!r} has no attribute {name!r}")
    public = module.replace("mindir", "mindspore", 1)
    raise AttributeError(f"{public}.{name} is not implemented in MindIR")
