"""How often somebody may call: windows of a minute, counted in Redis for all processes."""

import asyncio
import time
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from arvel.kernel import app
from arvel.kernel.logging import LogManager

from app.controllers.api.problems import Problem
from app.settings import ApiSettings

WINDOW = 60
PATIENCE = 0.25
"""Seconds that counting may take; a limit must not stop what it is meant to protect."""

REST = 5.0
"""Seconds in which Redis isn't asked again after it didn't answer."""

REFUSALS = 60
"""Wrong tokens that an address may try in a window before it is told to slow down."""


class _Limiter(Protocol):
    async def hit_with_ttl(self, key: str, decay_seconds: int) -> int: ...


@dataclass(frozen=True, slots=True)
class Rate:
    """What is left of the window, as headers (draft-ietf-httpapi-ratelimit-headers)."""

    limit: int
    used: int
    resets_in: int

    @property
    def headers(self) -> dict[str, str]:
        return {
            "ratelimit-limit": str(self.limit),
            "ratelimit-remaining": str(max(self.limit - self.used, 0)),
            "ratelimit-reset": str(self.resets_in),
        }


_rests_until = [0.0]


async def count(token_id: UUID) -> Rate:
    """Count one request; raises :class:`Problem` when the token has made too many.

    When Redis can't be asked, nothing is counted.
    """
    rate = await _count(f"api:{token_id}", ApiSettings().rate_limit)
    if rate.used > rate.limit:
        headers = {**rate.headers, "retry-after": str(rate.resets_in)}
        raise Problem("too-many-requests", headers=headers)
    return rate


async def count_refusal(address: str) -> None:
    """Count a wrong token from an address; raises :class:`Problem` when there were too many."""
    rate = await _count(f"api:refused:{address}", REFUSALS)
    if rate.used > rate.limit:
        text = "Too many wrong tokens came from this address."
        raise Problem("too-many-requests", text, headers={"retry-after": str(rate.resets_in)})


async def _count(key: str, limit: int) -> Rate:
    now = int(time.time())
    used = await _hit(f"{key}:{now // WINDOW}")
    return Rate(limit, used, WINDOW - now % WINDOW)


async def _hit(key: str) -> int:
    if time.monotonic() < _rests_until[0]:
        return 0
    limiter: _Limiter = app().make("limiter")
    try:
        async with asyncio.timeout(PATIENCE):
            return await limiter.hit_with_ttl(key, 2 * WINDOW)
    except Exception as error:
        _rests_until[0] = time.monotonic() + REST
        LogManager().channel("api").warning("rate_not_counted", error=type(error).__name__)
        return 0
