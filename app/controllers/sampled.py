"""Log lines that strangers can cause: some of them, and how many were left out."""

import time
from collections import Counter
from collections.abc import Callable


class Sampled:
    """Lets ``most`` lines of each kind through in ``seconds``."""

    def __init__(
        self, most: int, *, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._until = 0.0
        self._seen: Counter[str] = Counter()
        self._left_out = 0

    def takes(self, kind: str) -> bool:
        """Whether this line is to be written."""
        if self._clock() >= self._until:
            self._until = self._clock() + self._seconds
            self._seen.clear()
        self._seen[kind] += 1
        if self._seen[kind] <= self._most:
            return True
        self._left_out += 1
        return False

    def left_out(self) -> int:
        """How many lines were left out since this was asked last."""
        count, self._left_out = self._left_out, 0
        return count
