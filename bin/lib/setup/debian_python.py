"""Python 3.14 from a newer suite of this machine's own distribution, in a folder of its own.

The interpreter is bound to the C library that it was built with, which lies beside it. Nothing of
the system changes.
"""

from __future__ import annotations

import platform
import shutil
from pathlib import Path

import apt
import apt_sources
import places
from commands import Failed, run, works

PREFIX = places.TOOLS / "python"
INTERPRETER = PREFIX / "usr/bin/python3.14"
# libstdc++: compiled packages expect it, and it must fit the C library.
PACKAGES = ("python3.14", "libstdc++6")
SUITES = {
    "debian": ("main", ("testing", "unstable", "stable")),
    "ubuntu": ("main universe", ("resolute", "devel")),
}
LIBRARIES = {
    "x86_64": ("x86_64-linux-gnu", "ld-linux-x86-64.so.2"),
    "aarch64": ("aarch64-linux-gnu", "ld-linux-aarch64.so.1"),
}


def distribution() -> str | None:
    """`debian` or `ubuntu`, also for distributions made from them."""
    try:
        lines = Path("/etc/os-release").read_text().splitlines()
    except OSError:
        return None
    fields = dict(line.partition("=")[::2] for line in lines)
    names = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    return next((name for name in names if name in SUITES), None)


def get(patchelf: Path) -> Path:
    """The interpreter, downloaded and ready to run.

    Raises:
        Failed: this machine's sources offer none.
    """
    name = distribution()
    if name is None or not apt.is_here() or platform.machine() not in LIBRARIES:
        raise Failed("this is no Debian or Ubuntu on x86_64 or aarch64")
    _unpack_first(name)
    _bind(patchelf)
    _compile()
    return INTERPRETER


def _unpack_first(name: str) -> None:
    components, suites = SUITES[name]
    keyring = f"/usr/share/keyrings/{name}-archive-keyring.gpg"
    refused = ["apt's sources name no mirror"]
    for suite in suites:
        for mirror in apt_sources.mirrors():
            try:
                return _unpack(f"deb [signed-by={keyring}] {mirror} {suite} {components}")
            except Failed as failure:
                refused.append(f"{suite}: {failure}")
    raise Failed(refused[-1])


def _unpack(source: str) -> None:
    shutil.rmtree(PREFIX, ignore_errors=True)
    PREFIX.mkdir(parents=True)
    apt.unpack(PACKAGES, PREFIX, places.TOOLS / "apt", source)


def _bind(patchelf: Path) -> None:
    triplet, loader = LIBRARIES[platform.machine()]
    # Suites differ in whether `/lib` is a link to `/usr/lib`, and packages follow.
    folders = [PREFIX / "usr/lib" / triplet, PREFIX / "lib" / triplet]
    found = [folder / loader for folder in folders if (folder / loader).is_file()]
    if not found:
        raise Failed(f"the C library came without its loader {loader}")
    run([patchelf, "--set-interpreter", found[0], INTERPRETER])
    run([patchelf, "--force-rpath", "--set-rpath", ":".join(map(str, folders)), INTERPRETER])


def _compile() -> None:
    # Without Debian's installation step nobody has, and each start would pay for it. Where it
    # does not work (it wants shared memory), Python works all the same.
    library = PREFIX / "usr/lib/python3.14"
    works([INTERPRETER, "-m", "compileall", "-q", "-j", "0", library])
