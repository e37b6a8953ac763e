"""Locks the dependencies and takes the hosts of this machine's index out of the lock."""

from __future__ import annotations

import re
import sys

import index
import places
import uv_program
from commands import Failed, run
from progress import say

LOCK = places.ROOT / "uv.lock"
REGISTRY = re.compile(r'(registry = ")https?://[^"]*(")')
FILE = re.compile(r'(url = ")https?://[^/"]*/')


def lock(arguments: list[str]) -> None:
    """Run `uv lock` and remove the hosts, also where it failed half way."""
    try:
        run([uv_program.get(), "lock", *arguments], settings=index.settings())
    finally:
        LOCK.write_text(without_hosts(LOCK.read_text()))


def without_hosts(text: str) -> str:
    """The lock with hosts that exist nowhere in place of real ones."""
    text = REGISTRY.sub(r"\1https://index.invalid/simple\2", text)
    return FILE.sub(r"\1https://files.invalid/", text)


if __name__ == "__main__":
    try:
        lock(sys.argv[1:])
    except Failed as failure:
        say(str(failure))
        sys.exit(1)
    say("uv.lock is written; bin/setup installs it.")
