"""What a provider answered, and when it asks to be called again."""

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

import httpx

LONGEST_WAIT = 3600.0
"""Seconds. A provider that names more is asked again after an hour."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A status line and headers that arrived; ``body`` is None when it was lost or unreadable."""

    status: int
    headers: httpx.Headers
    body: bytes | None

    @property
    def text(self) -> str:
        return (self.body or b"").decode("utf-8", "replace")

    @property
    def retry_after(self) -> float | None:
        """Seconds by the ``Retry-After`` header (RFC 9110, 10.2.3), at most an hour."""
        return wait_in_seconds(self.headers.get("retry-after"), self.headers.get("date"))


def wait_in_seconds(retry_after: str | None, date: str | None) -> float | None:
    """Read either form of ``Retry-After``; a date is measured by the answer's own clock."""
    seconds = _seconds(retry_after or "")
    if seconds is None and (until := _time(retry_after)):
        seconds = (until - (_time(date) or datetime.now(UTC))).total_seconds()
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_WAIT)


def _seconds(text: str) -> float | None:
    try:
        seconds = float(text)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) else None


def _time(text: str | None) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text or "")
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
