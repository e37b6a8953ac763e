"""Ways in which Twilio answers other than well; each is a coroutine that makes the answer.

Use them with :class:`tests.fakes.twilio.FakeTwilio`: ``twilio.next_creates.append(error(21610))``.
"""

import asyncio
import gzip
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

type Fault = Callable[[web.Request, dict[str, Any]], Awaitable[web.StreamResponse]]
"""Takes the request and the resource that would have been answered (status 201 or 200)."""

DOCS = "https://www.twilio.com/docs/errors/"


def error_body(status: int, code: int, text: str) -> dict[str, Any]:
    return {"code": code, "message": text, "more_info": f"{DOCS}{code}", "status": status}


def error(
    code: int, status: int = 400, *, text: str = "", headers: dict[str, str] | None = None
) -> Fault:
    """An error answer in Twilio's form. The text quotes the number, as Twilio's do."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        said = text or f"The 'To' number {resource['to']} can't be used for: {resource['body']}"
        return web.json_response(error_body(status, code, said), status=status, headers=headers)

    return answer


def http(status: int, body: str = "", *, headers: dict[str, str] | None = None) -> Fault:
    """A bare HTTP answer, such as a proxy's."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        return web.Response(status=status, text=body, headers=headers)

    return answer


def changed(**fields: Any) -> Fault:
    """The resource with other fields, such as ``sid=None`` or ``account_sid=…``."""

    async def answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
        return web.json_response(resource | fields, status=201)

    return answer


async def hang(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    """Never answers."""
    await asyncio.Event().wait()
    raise AssertionError


async def hang_up(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    """Closes the connection in place of an answer."""
    assert request.transport is not None
    request.transport.abort()
    return web.Response()


async def half_answer(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    """A status line, half a body, and then the connection closes."""
    response = web.StreamResponse(status=201, headers={"Content-Length": "1000"})
    await response.prepare(request)
    await response.write(b'{"sid": "SM')
    assert request.transport is not None
    request.transport.close()
    return response


async def bomb(request: web.Request, resource: dict[str, Any]) -> web.StreamResponse:
    """100 MB of spaces in 100 kB of gzip."""
    packed = gzip.compress(b" " * 100_000_000, compresslevel=9)
    return web.Response(status=201, body=packed, headers={"Content-Encoding": "gzip"})
