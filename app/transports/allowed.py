"""Which real receivers may be reached: all in production, elsewhere only those that are named."""

import re
from functools import lru_cache

import idna

NUMBER = re.compile(r"\+[1-9][0-9]{6,14}")
MAILBOX = re.compile(r"[^\s@,*]*@[^\s@,*]+")


class NotAnAllowance(ValueError):
    """``DISPATCH_ALLOW_REAL`` holds something that is no address, @domain, number or ``*``."""

    def __init__(self, position: int) -> None:
        super().__init__(
            f"Entry {position} of DISPATCH_ALLOW_REAL is none of: an address, an @domain, a number"
            " such as +14155550123, or * for everybody. Entries are separated by commas."
        )


def may_reach(address: str, *, production: bool, allow: str) -> bool:
    """Whether a message may go to this email address or number.

    ``allow`` is the text of ``DISPATCH_ALLOW_REAL``. A domain doesn't include its subdomains.
    Raises :class:`NotAnAllowance` when it can't be read, rather than letting anything through.
    """
    if production:
        return True
    allowed = read_allowances(allow)
    wanted = normalise(address)
    domain = wanted[wanted.rfind("@") :] if "@" in wanted else wanted
    return "*" in allowed or wanted in allowed or domain in allowed


@lru_cache(maxsize=8)
def read_allowances(allow: str) -> frozenset[str]:
    """The entries of ``DISPATCH_ALLOW_REAL``; raises :class:`NotAnAllowance`."""
    entries = [entry.strip() for entry in allow.split(",")]
    return frozenset(
        read_allowance(entry, number) for number, entry in enumerate(entries, 1) if entry
    )


def read_allowance(entry: str, position: int) -> str:
    if entry != "*" and not NUMBER.fullmatch(entry) and not MAILBOX.fullmatch(entry):
        raise NotAnAllowance(position)
    try:
        return normalise(entry)
    except idna.IDNAError:
        raise NotAnAllowance(position) from None


def normalise(address: str) -> str:
    """Addresses without regard to case, their domains as A-labels."""
    local, at, domain = address.lower().rpartition("@")
    if not domain.isascii():
        domain = idna.encode(domain, uts46=True).decode("ascii")
    return f"{local}{at}{domain}"
