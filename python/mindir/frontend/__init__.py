"""From Python functions to MindIR: capture, and what runs as Python around it."""
