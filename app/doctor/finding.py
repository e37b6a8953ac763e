"""What one look came to."""

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class Finding:
    """``remedy`` says how to mend what is not ok. No text holds a secret, an address or a body."""

    check: str
    verdict: Verdict
    text: str
    remedy: str = ""


def ok(check: str, text: str) -> Finding:
    return Finding(check, Verdict.OK, text)


def warning(check: str, text: str, remedy: str) -> Finding:
    return Finding(check, Verdict.WARNING, text, remedy)


def wrong(check: str, text: str, remedy: str) -> Finding:
    return Finding(check, Verdict.WRONG, text, remedy)
