"""What a person sees while the machine is prepared."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class CannotSetUp(Exception):
    """Says what is missing and what to do about it."""


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextlib.contextmanager
def step(text: str) -> Iterator[None]:
    """Announce a step that may take a while, and say how long it took."""
    begun = time.monotonic()
    say(f"{text} …")
    yield
    say(f"  done in {time.monotonic() - begun:.1f} s")
