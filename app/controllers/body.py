"""Reads the body of a request with a bound on its size and on the time that it may take."""

import asyncio

from arvel.http.request import Request


class BodyTooSlow(Exception):
    """The body did not arrive in time, or its sender went away."""


class BodyTooLarge(Exception):
    """The body is larger than it may be; what came after the limit was not read."""


async def read_body(request: Request, limit: int, seconds: float) -> bytes:
    """At most ``limit`` bytes; raises :class:`BodyTooLarge` and :class:`BodyTooSlow`."""
    stated = request.header("content-length") or "0"
    if stated.isdigit() and int(stated) > limit:
        raise BodyTooLarge
    try:
        async with asyncio.timeout(seconds):
            return await _read(request, limit)
    except TimeoutError:
        raise BodyTooSlow from None


async def _read(request: Request, limit: int) -> bytes:
    # Below the framework's reader, whose own limit can't be set for a route.
    body = bytearray()
    more = True
    while more:
        message = await request.raw.receive()
        if message["type"] == "http.disconnect":
            raise BodyTooSlow
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > limit:
            raise BodyTooLarge
    return bytes(body)
