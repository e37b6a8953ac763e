"""Prepares this machine to run Pillarbox, inside the repository alone.

It gets uv, Python 3.14 and the locked packages, each only where it is missing, and remembers what
it installed. Interrupt it whenever you like; the next run continues.
"""

from __future__ import annotations

import fcntl
import sys
import time

import packages
import places
import python314
import stamp
import system
import uv_program
from commands import Failed
from progress import CannotSetUp, say


def main() -> int:
    quiet = "--quiet" in sys.argv[1:]
    if stamp.is_current():
        if not quiet:
            say("Everything is set up.")
        return 0
    try:
        places.TOOLS.mkdir(exist_ok=True)
        with (places.TOOLS / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            set_up()
    except CannotSetUp as trouble:
        say(str(trouble))
    except Failed as failure:
        say(f"Setting up failed: {failure}\nAll that was said: {places.LOG}")
    except PermissionError as trouble:
        say(f"{trouble.filename} belongs to another user: work as that user, or remove it.")
    except KeyboardInterrupt:
        say("Interrupted; run bin/setup again to continue.")
        return 130
    else:
        return 0
    return 1


def set_up() -> None:
    if stamp.is_current():
        return
    begun = time.monotonic()
    stamp.remove()
    uv = uv_program.get()
    if not packages.has_environment():
        packages.make_environment(uv, python314.get(uv))
    packages.install(uv)
    system.install()
    stamp.write()
    say(f"Set up in {time.monotonic() - begun:.0f} s.")


sys.exit(main())
