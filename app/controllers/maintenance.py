"""``arvel down`` answers 503 to everybody; not being able to ask whether it is so must not."""

import asyncio
import time
from typing import Any, override

from arvel.http.maintenance import PreventRequestsDuringMaintenance, is_down

PATIENCE = 0.25
REST = 5.0
"""Seconds in which the cache isn't asked again after it didn't answer."""


class MaintenanceGate(PreventRequestsDuringMaintenance):
    """The framework's gate, open while its cache is away: what is queued then is sent later."""

    def __init__(self) -> None:
        self._rests_until = 0.0

    @override
    async def handle(self, request: Any, call_next: Any) -> Any:
        if await self._is_down():
            return await super().handle(request, call_next)
        return await call_next(request)

    async def _is_down(self) -> bool:
        if time.monotonic() < self._rests_until:
            return False
        try:
            async with asyncio.timeout(PATIENCE):
                return await is_down()
        except Exception:
            # Whoever needs the cache for more than this says so in the log.
            self._rests_until = time.monotonic() + REST
            return False
