"""MindIR: a graph compiler for deep learning with the MindSpore API."""
