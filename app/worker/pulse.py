"""Shows from outside that messages are being taken: the time of a file moves."""

import asyncio
import contextlib
import time
from pathlib import Path

from app.worker.names import log
from app.worker.refused import WorkerRefused

OFTEN = 2.0
"""Seconds after which the file is touched again: with the longest wait of a loop, 5 at most."""


class Pulse:
    """To be called by the loop that takes messages, never by a timer: a hung loop shows."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file
        self._last = 0.0
        self._failed = False

    def forget(self) -> None:
        """Remove the file of an earlier run: it would say of us that we take messages already."""
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.unlink()

    def begin(self) -> None:
        """Make the file.

        Raises:
            WorkerRefused: it can't be written.
        """
        try:
            self._touch()
        except OSError as error:
            raise WorkerRefused(
                f"The health check file {str(self._file)!r} can't be written"
                f" ({error.strerror}). Name another one by --health-check-file"
                " (WORKER_HEALTH_CHECK_FILE)."
            ) from None

    def beat(self) -> None:
        """Say that the loop goes round."""
        if time.monotonic() - self._last < OFTEN:
            return
        try:
            self._touch()
            self._failed = False
        except OSError as error:
            if not self._failed:
                log().warning("health_check_file_not_written", error=error.strerror)
            self._failed = True

    async def while_draining(self) -> None:
        """No message is taken any more; until cancelled, which the end of the drain sees to."""
        while True:
            self.beat()
            await asyncio.sleep(OFTEN)

    def _touch(self) -> None:
        self._last = time.monotonic()
        if self._file is not None:
            self._file.touch()
