"""Under which account a server runs: one's own, or `nobody` where that would be root.

PostgreSQL refuses to run as root. A repository under /root is closed to every other account; the
server is then given the one capability that looks past file permissions, and nothing else of root.
"""

import functools
import os
import pwd
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

ACCOUNT = "nobody"
# access(2) forgets capabilities unless the last option is set, and PostgreSQL asks access(2).
LOOK_PAST_PERMISSIONS = (
    "--inh-caps=-all,+dac_override",
    "--ambient-caps=-all,+dac_override",
    "--securebits=+no_setuid_fixup",
)


class CannotLeaveRoot(RuntimeError):
    """This machine gives root no way to start a server under another account."""


def command(program: Path, *arguments: str) -> list[str]:
    """The command that runs `program` under the account of servers."""
    return [*_prefix(program), str(program), *arguments]


def own(path: Path) -> Path:
    """Give a folder or file to the account of servers, and to nobody else, and return it."""
    path.chmod(0o700 if path.is_dir() else 0o600)
    if os.geteuid() == 0:
        entry = pwd.getpwnam(ACCOUNT)
        os.chown(path, entry.pw_uid, entry.pw_gid)
    return path


@functools.cache
def _prefix(program: Path) -> tuple[str, ...]:
    if os.geteuid() != 0:
        return ()
    entry = pwd.getpwnam(ACCOUNT)
    change = ("setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups")
    for prefix in (change, (*change, *LOOK_PAST_PERMISSIONS)):
        if _can_read(prefix, program):
            return prefix
    raise CannotLeaveRoot(
        f"PostgreSQL does not run as root, and the account {ACCOUNT!r} cannot read {program}. "
        "Move the repository out of root's home, or work as an ordinary user."
    )


def _can_read(prefix: Sequence[str], program: Path) -> bool:
    if shutil.which(prefix[0]) is None:
        return False
    test = [*prefix, "test", "-r", str(program)]
    return subprocess.run(test, capture_output=True, check=False).returncode == 0
