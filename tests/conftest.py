"""The surroundings of every test: a known environment, real servers, a clean state."""

import signal

from tests.services import environment

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them every
# process that a test starts and interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything reads a configuration file, also while tests are collected.
environment.prepare()

pytest_plugins = ("tests.services.fixtures",)
