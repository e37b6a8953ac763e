"""The application behind a real socket, in the test's own process and loop."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from unittest import mock

import httpx
from arvel.kernel.globals import set_application
from granian.server.embed import Server

from local.ports import HOST, free_port
from tests.fakes.waiting import patience


@dataclass(frozen=True, slots=True)
class Web:
    """Where the application answers, and the application itself."""

    url: str
    app: Any
    client: httpx.AsyncClient

    async def post(self, path: str, **options: Any) -> httpx.Response:
        return await self.client.post(path, **options)


@contextlib.asynccontextmanager
async def serving(**environment: str) -> AsyncIterator[Web]:
    """Serve the application with these settings; its public URL is where it answers."""
    from bootstrap.app import create_app

    port = free_port()
    url = f"http://{HOST}:{port}"
    with mock.patch.dict(os.environ, {"PUBLIC_URL": url, **environment}):
        app = create_app()
        server = Server(app.as_asgi(), address=HOST, port=port, interface="asgi", log_enabled=False)
        running = asyncio.create_task(server.serve())
        async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=10) as client:
            try:
                await _until_it_answers(client, running)
                yield Web(url, app, client)
            finally:
                server.stop()
                await asyncio.wait_for(running, patience(30))
                # Or its settings would be those of the tests that come after.
                set_application(None)


async def _until_it_answers(client: httpx.AsyncClient, running: asyncio.Task[None]) -> None:
    async with asyncio.timeout(patience(30)):
        while True:
            if running.done():
                await running
                raise RuntimeError("the application did not start")
            with contextlib.suppress(httpx.HTTPError):
                if (await client.get("/livez")).is_success:
                    return
            await asyncio.sleep(0.02)
