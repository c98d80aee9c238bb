"""Options that all Python tests share."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--slow", action="store_true",
                     help="run the slow tier: tests marked slow, and more cases of each")
    parser.addoption("--cases", type=int, metavar="N",
                     help="draw at most N cases of an op in each test of the oracle")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="slow tier: run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)
