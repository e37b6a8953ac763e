"""uv: from PATH, else from the package index, through whatever pip can be had."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import apt
import places
from commands import Failed, run, works
from progress import CannotSetUp, step

LEAST = (0, 8)
FOLDER = places.TOOLS / "programs"
PIP = places.TOOLS / "pip"
PINNED = Path(__file__).with_name("tools.txt")
# pip as a file that Python runs unpacked; older distributions use the second name.
PIP_PACKAGES = ("python3-pip-whl", "python-pip-whl")
NO_PIP = """\
This machine has neither uv nor a way to get it: python3 can make no virtual environment and has
no pip. Do one of these, then run bin/setup again:
  - install uv
  - install Python's venv module (on Debian and Ubuntu: apt-get install python3-venv)
What was tried: {log}"""


def get() -> Path:
    """uv, ready to run."""
    if _is_new_enough(found := shutil.which("uv")):
        return Path(str(found))
    return program("uv")


def program(name: str) -> Path:
    """A program that the package index offers as a wheel, in the version that `tools.txt` pins."""
    path = FOLDER / "bin" / name
    if not path.exists() or not works([path, "--version"]):
        with step(f"Getting {name}"):
            shutil.rmtree(FOLDER, ignore_errors=True)
            options = ["--target", FOLDER, "--require-hashes", "--only-binary", ":all:"]
            command, settings = _pip()
            run([*command, "install", "-q", *options, "-r", PINNED], settings=settings)
            shutil.rmtree(PIP, ignore_errors=True)
    return path


def _is_new_enough(found: str | None) -> bool:
    if found is None:
        return False
    try:
        version = re.search(r"(\d+)\.(\d+)", run([found, "--version"]))
    except Failed:
        return False
    return version is not None and tuple(map(int, version.groups())) >= LEAST


def _pip() -> tuple[list[str | Path], dict[str, str]]:
    if works([sys.executable, "-m", "venv", "--clear", PIP]):
        return [PIP / "bin/python", "-m", "pip"], {}
    if works([sys.executable, "-m", "pip", "--version"]):
        return [sys.executable, "-m", "pip"], {}
    return [sys.executable, "-m", "pip"], {"PYTHONPATH": str(_pip_as_package())}


def _pip_as_package() -> Path:
    for name in PIP_PACKAGES if apt.is_here() else ():
        shutil.rmtree(PIP, ignore_errors=True)
        PIP.mkdir()
        try:
            apt.unpack([name], PIP, places.TOOLS / "apt")
        except Failed:
            continue
        return next(PIP.glob("usr/share/python-wheels/pip-*.whl"))
    raise CannotSetUp(NO_PIP.format(log=places.LOG))
