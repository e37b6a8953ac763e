"""Spares callers the wait while the broker is away."""

import time

REST = 5.0
"""Seconds without a try after a failure; then a single caller tries, and the others do not."""


class Breaker:
    def __init__(self, rest: float = REST) -> None:
        self._rest = rest
        self._closed_until: float | None = None

    def lets_through(self) -> bool:
        """Whether this caller may try; at most one at a time may after a failure."""
        if self._closed_until is None:
            return True
        now = time.monotonic()
        if now < self._closed_until:
            return False
        self._closed_until = now + self._rest
        return True

    def failed(self) -> None:
        self._closed_until = time.monotonic() + self._rest

    def worked(self) -> None:
        self._closed_until = None
