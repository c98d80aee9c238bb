"""Tests of the Python surface need a library that can compile."""

import pytest

from mindir._native import core


def pytest_collection_modifyitems(items):
    """Skips the tests that compute while the library at hand cannot compile."""
    try:
        core.compile
    except (AttributeError, ImportError) as error:
        for item in items:
            if item.fspath.dirname.endswith("surface") and item.fspath.purebasename != "test_program":
                item.add_marker(pytest.mark.skip(reason=f"the library cannot compile: {error}"))
