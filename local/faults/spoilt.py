"""Answers that tell nothing, also to somebody who is gone meanwhile."""

import asyncio
from typing import Any

from aiohttp import web

from local.faults.moods import Reply
from tests.fakes.twilio_faults import Fault, half_answer

LONG_S = 30.0
"""Longer than anybody waits for an answer."""


async def drop(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    if request.transport is not None:
        request.transport.abort()
    return web.Response()


async def hang(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    await asyncio.sleep(LONG_S)
    return await drop(request, resource)


async def halve(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    try:
        return await half_answer(request, resource)
    except AssertionError, ConnectionError:
        return web.Response()


SPOILT: dict[Reply, Fault] = {Reply.HANG: hang, Reply.DROP: drop, Reply.HALF: halve}
