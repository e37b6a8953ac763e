"""API tokens as texts: ``plb_<12 letters to find it by>_<43 letters that prove it>``.

The prefix is for scanners that look for leaked secrets. Only the SHA-256 of the last part is
stored: it is random enough to need no slow hash.
"""

import hashlib
import re
import secrets
import string
from typing import NamedTuple

PREFIX = "plb_"
FORM = re.compile(r"plb_([0-9A-Za-z]{12})_([0-9A-Za-z]{43})", re.ASCII)
LETTERS = string.ascii_letters + string.digits


class Parts(NamedTuple):
    lookup: str
    secret: str

    @property
    def digest(self) -> bytes:
        return hashlib.sha256(self.secret.encode()).digest()

    @property
    def text(self) -> str:
        return f"{PREFIX}{self.lookup}_{self.secret}"


def draw() -> Parts:
    """A new token, never seen before."""
    return Parts(_letters(12), _letters(43))


def read(text: str) -> Parts | None:
    """The parts of what may be a token; ``None`` for anything else."""
    found = FORM.fullmatch(text)
    return Parts(found[1], found[2]) if found else None


def _letters(count: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(count))
