"""A server that answers whatever it is asked in the same way, and keeps what it was asked."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

from local.ports import HOST


@dataclass(slots=True)
class Anything:
    """``asked``: method and path of each request, in order; ``bodies``: what it had."""

    status: int = 200
    body: Any = None
    base_url: str = ""
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    bodies: list[bytes] = field(default_factory=list[bytes])

    async def answer(self, request: web.Request) -> web.Response:
        self.asked.append((request.method, request.path))
        self.bodies.append(await request.read())
        return web.json_response(self.body, status=self.status)


@asynccontextmanager
async def anything(status: int = 200, body: Any = None) -> AsyncIterator[Anything]:
    """Over plain HTTP, on a port of its own."""
    server = Anything(status, {} if body is None else body)
    application = web.Application()
    application.router.add_route("*", "/{path:.*}", server.answer)
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.05)
    await runner.setup()
    try:
        await web.TCPSite(runner, HOST, 0).start()
        server.base_url = f"http://{HOST}:{runner.addresses[0][1]}"
        yield server
    finally:
        await runner.cleanup()
