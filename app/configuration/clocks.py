"""What must be smaller than what, so that no message is sent twice."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from app.configuration.problem import Problem, warn

LAST_WORDS = 5.0
"""Seconds after a call for recording what it came to."""


@dataclass(frozen=True, slots=True)
class Before:
    """``smaller`` + ``margin`` must be less than ``bigger``; all in seconds."""

    smaller: str
    bigger: str
    why: str
    margin: float = 0.0


ORDER = (
    Before("DISPATCH_CONNECT_TIMEOUT", "DISPATCH_SEND_TIMEOUT", "connecting is part of a call"),
    Before(
        "DISPATCH_SEND_TIMEOUT",
        "DISPATCH_LEASE",
        "a call that begins inside its lease must end inside it",
        margin=2.0,
    ),
    Before("DISPATCH_LEASE", "DISPATCH_JOB_TIMEOUT", "a job is cut off only after its lease"),
    Before("DISPATCH_JOB_TIMEOUT", "DISPATCH_LOCK_EXPIRY", "a lock is held while its job runs"),
    Before(
        "DISPATCH_LOCK_EXPIRY",
        "QUEUE_RETRY_AFTER",
        "a job is given to nobody else while its lock is held",
    ),
    Before("DISPATCH_DRAIN", "SHUTDOWN_GRACE", "work is drained before the process is killed"),
)


@dataclass(frozen=True, slots=True)
class Disorder:
    """A pair of clocks in the wrong order, with what they are set to."""

    pair: Before
    small: float
    big: float

    @property
    def text(self) -> str:
        """What must be, without the name of the first."""
        margin = f" by more than {self.pair.margin:g} s" if self.pair.margin else ""
        bigger = f"{self.pair.bigger} ({self.big:g} s)"
        return f"must be less than {bigger}{margin}: {self.pair.why}."


def find_disorder(seconds: Mapping[str, float]) -> Iterator[Disorder]:
    """Every pair that is out of order, as far as both of its clocks are there."""
    for pair in ORDER:
        small, big = seconds.get(pair.smaller), seconds.get(pair.bigger)
        if small is not None and big is not None and not small + pair.margin < big:
            yield Disorder(pair, small, big)


def find_problems(seconds: Mapping[str, float]) -> Iterator[Problem]:
    for disorder in find_disorder(seconds):
        yield Problem(disorder.pair.smaller, f"{disorder.small:g} s {disorder.text}")
    send, grace = seconds.get("DISPATCH_SEND_TIMEOUT"), seconds.get("SHUTDOWN_GRACE")
    if send is not None and grace is not None and grace < send + LAST_WORDS:
        yield warn(
            "SHUTDOWN_GRACE",
            f"should be at least {LAST_WORDS:g} s more than DISPATCH_SEND_TIMEOUT, or a restart"
            " amid a call leaves a message whose outcome is unknown.",
        )
