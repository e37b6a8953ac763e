"""The surroundings of every test: a known environment, real servers, a clean state."""

from tests.services import environment

# Before anything reads a configuration file, also while tests are collected.
environment.prepare()

pytest_plugins = ("tests.services.fixtures",)
