"""How calls are executed: dispatch of eager ops, the gradient tape, compiled modules."""
