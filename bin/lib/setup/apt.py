"""Debian packages without installing them: apt with a state of its own, usable by anybody.

Nothing of the system is read but its configuration of servers and proxies, and nothing written.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

from commands import run

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CONFIGURATION = """
Dir::State "{state}";
Dir::State::Lists "{state}/lists";
Dir::State::status "{state}/status";
Dir::Cache "{state}/cache";
Dir::Cache::archives "{state}/cache/archives";
Dir::Log "{state}";
Dir::Etc::Preferences "{state}/nothing";
Dir::Etc::PreferencesParts "{state}/empty";
APT::Sandbox::User "";
Acquire::Languages "none";
Acquire::IndexTargets::deb::DEP-11::DefaultEnabled "false";
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
#clear DPkg::Post-Invoke;
"""
OWN_SOURCES = """
Dir::Etc::SourceList "{state}/sources.list";
Dir::Etc::SourceParts "{state}/empty";
"""


def is_here() -> bool:
    return all(shutil.which(program) for program in ("apt-get", "dpkg-deb"))


def unpack(names: Sequence[str], into: Path, state: Path, source: str | None = None) -> None:
    """Download packages with all that they need, and unpack them into a folder.

    Args:
        names: the packages.
        into: an empty folder.
        state: a folder for apt's own files; removed afterwards.
        source: one line in the form of sources.list; without it the machine's own sources.

    Raises:
        Failed: a source or package cannot be had.
    """
    configuration = _prepare(state, source)
    apt = ["apt-get", "-c", configuration, "-q", "-y"]
    run([*apt, "update"])
    run([*apt, "install", "--download-only", "--no-install-recommends", *names])
    for package in sorted((state / "cache/archives").glob("*.deb")):
        run(["dpkg-deb", "-x", package, into])
    shutil.rmtree(state)


def _prepare(state: Path, source: str | None) -> Path:
    shutil.rmtree(state, ignore_errors=True)
    for folder in ("lists/partial", "cache/archives/partial", "empty"):
        (state / folder).mkdir(parents=True)
    (state / "status").touch()
    text = CONFIGURATION
    if source is not None:
        (state / "sources.list").write_text(f"{source}\n")
        text += OWN_SOURCES
    configuration = state / "apt.conf"
    configuration.write_text(text.format(state=state))
    return configuration
