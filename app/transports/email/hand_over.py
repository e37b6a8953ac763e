"""One email by one HTTP request: what is the same for every provider that has an API."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

import httpx

from app.transports.contract import Go, LeaseOver, NotSent, OutboundEmail, Outcome, Rejected
from app.transports.email.unsendable import UnsendableEmail
from app.transports.email.weight import is_big
from app.transports.http import Answer, NoAnswer, call


@dataclass(frozen=True, slots=True)
class Line:
    """How a provider is reached. ``total`` in seconds, for one whole call."""

    client: httpx.AsyncClient
    provider: str
    total: float


async def hand_over(
    line: Line,
    email: OutboundEmail,
    go: Go,
    *,
    build: Callable[[OutboundEmail], httpx.Request],
    read: Callable[[Answer], Outcome],
) -> Outcome:
    """Build the request, send it once if ``go`` allows, and read what came back.

    ``build`` may raise :class:`UnsendableEmail` or :class:`MetadataRefused`, ``read`` the latter.
    """
    try:
        request = await asyncio.to_thread(build, email) if is_big(email) else build(email)
        answer = await call(line.client, request, provider=line.provider, total=line.total, go=go)
    except UnsendableEmail as reason:
        return Rejected(f"{reason} Nothing was sent.", "unsendable")
    except LeaseOver:
        text = f"The time to send was over when {line.provider} was reached. Nothing was sent."
        return NotSent(text, "lease_over")
    except NoAnswer as failure:
        return failure.outcome
    return read(answer)
