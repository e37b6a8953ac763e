"""The names that the worker uses on the broker and in the log."""

from dataclasses import dataclass

from arvel.kernel.logging import LogManager

LABELS = ("high", "default", "bulk")
"""The queues, most urgent first; an item's priority names one of them."""

GROUP = "workers"

KEEP = 30 * 24 * 3600
"""Seconds after which a key that no process touches is gone: no key of ours stays for ever."""


@dataclass(frozen=True, slots=True)
class Names:
    prefix: str

    def stream(self, label: str) -> str:
        return f"{self.prefix}queue:{label}"

    @property
    def quarantine(self) -> str:
        return f"{self.prefix}quarantine"


def log() -> LogManager:
    """The log of the queue; its action names are stable, and no payload is ever written to it."""
    return LogManager().channel("queue")
