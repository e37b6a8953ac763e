"""The surroundings of every test: a known environment, real servers, a clean state."""

import signal

import pytest

from tests.services import environment

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them every
# process that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything reads a configuration file, also while tests are collected.
environment.prepare()

pytest_plugins = ("tests.services.fixtures",)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Spread the tests that mostly wait among the others, so that these use the time."""
    waiting = [item for item in items if item.nodeid.startswith("tests/faults/")]
    others = [item for item in items if not item.nodeid.startswith("tests/faults/")]
    every = len(others) // len(waiting) if waiting else 0
    for position, item in enumerate(waiting):
        others.insert(position * (every + 1), item)
    items[:] = others
