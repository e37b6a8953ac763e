"""What every request passes before a route sees it, where the framework's own doesn't suit us."""

import asyncio
import time
import uuid
from typing import Any, override

from arvel.http.maintenance import PreventRequestsDuringMaintenance, is_down
from arvel.http.middleware import ValidatePostSize

from app.controllers.api.problems import Problem, respond

PATIENCE = 0.25
REST = 5.0
"""Seconds in which the cache isn't asked again after it didn't answer."""


class MaintenanceGate(PreventRequestsDuringMaintenance):
    """``arvel down`` answers 503 to everybody; not being able to ask whether it is so must not.

    The framework's gate needs its cache for every request. Ours is open while that is away: what
    is queued then is sent later.
    """

    def __init__(self) -> None:
        self._rests_until = 0.0

    @override
    async def handle(self, request: Any, call_next: Any) -> Any:
        if not await self._is_down():
            return await call_next(request)
        let_in = False

        async def go_on(request: Any) -> Any:
            nonlocal let_in
            let_in = True
            return await call_next(request)

        answer = await super().handle(request, go_on)
        return answer if let_in or not is_for_api(request) else _as_problem(answer)

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


class SizeGate(ValidatePostSize):
    """Operations of the API have limits of their own, and say so as the API does."""

    @override
    async def handle(self, request: Any, call_next: Any) -> Any:
        if is_for_api(request):
            return await call_next(request)
        return await super().handle(request, call_next)


def is_for_api(request: Any) -> bool:
    return request.raw.scope["path"].startswith("/api/")


def _as_problem(answer: Any) -> Any:
    wait = {"retry-after": answer.headers["Retry-After"]}
    return respond(Problem("unavailable", "Down for maintenance.", headers=wait), str(uuid.uuid7()))
