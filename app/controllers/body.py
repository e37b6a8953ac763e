"""Reads the body of a request with a bound on its size and on the time that it may take."""

import asyncio
from collections.abc import Callable

from arvel.http.request import Request


class BodyTooSlow(Exception):
    """The body did not arrive in time, or its sender went away."""


class BodyTooLarge(Exception):
    """The body is larger than it may be; what came after the limit was not read."""


async def read_body(request: Request, limit: int, seconds: float) -> bytes:
    """At most ``limit`` bytes; raises :class:`BodyTooLarge` and :class:`BodyTooSlow`."""
    body = bytearray()
    await feed_body(request, limit, seconds, body.extend)
    return bytes(body)


async def feed_body(
    request: Request, limit: int, seconds: float, feed: Callable[[bytes], object]
) -> None:
    """Hand each piece to ``feed`` as it arrives; what that raises ends the reading.

    Raises :class:`BodyTooLarge` and :class:`BodyTooSlow`.
    """
    stated = request.header("content-length") or "0"
    if stated.isdigit() and int(stated) > limit:
        raise BodyTooLarge
    try:
        async with asyncio.timeout(seconds):
            await _feed(request, limit, feed)
    except TimeoutError:
        raise BodyTooSlow from None


async def _feed(request: Request, limit: int, feed: Callable[[bytes], object]) -> None:
    # Below the framework's reader, whose own limit can't be set for a route.
    size = 0
    more = True
    while more:
        message = await request.raw.receive()
        if message["type"] == "http.disconnect":
            raise BodyTooSlow
        piece = message.get("body", b"")
        more = message.get("more_body", False)
        size += len(piece)
        if size > limit:
            raise BodyTooLarge
        feed(piece)
