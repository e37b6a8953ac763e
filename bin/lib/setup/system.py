"""Programs of the system that some tests use: root gets them, others do without those tests."""

from __future__ import annotations

import os
import shutil

from commands import Failed, run
from progress import say

PACKAGES = {"ip": "iproute2", "rabbitmq-server": "rabbitmq-server", "chromium": "chromium"}
"""The package of each program, as Debian and Ubuntu call it."""


def install() -> None:
    """Install what is missing; what can't be had is said, and stops nothing."""
    missing = [package for program, package in PACKAGES.items() if shutil.which(program) is None]
    if not missing or os.geteuid() != 0 or shutil.which("apt-get") is None:
        return
    say(f"Installing {', '.join(missing)} …")
    # As in single-user mode: what is a server is not started.
    quiet = {"DEBIAN_FRONTEND": "noninteractive", "RUNLEVEL": "1"}
    try:
        run(["apt-get", "-q", "update"], settings=quiet)
        run(
            ["apt-get", "-q", "-y", "install", "--no-install-recommends", *missing],
            settings=quiet,
        )
    except Failed as failure:
        say(f"Not installed, so the tests that need it are skipped: {failure}")
