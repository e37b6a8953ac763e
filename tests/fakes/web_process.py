"""The web process, as the documentation has it started."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import httpx

from local.ports import HOST, free_port
from tests.fakes.processes import ROOT, kill
from tests.fakes.waiting import until


@contextlib.asynccontextmanager
async def granian(environment: Mapping[str, str], log: Path) -> AsyncIterator[httpx.AsyncClient]:
    """It also works the queue, reports to itself, and is killed at the end of the block."""
    port = free_port()
    url = f"http://{HOST}:{port}"
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "granian", "--interface", "asgi"),
            *("--host", HOST, "--port", str(port), "asgi:asgi_app"),
            cwd=ROOT,
            env={**os.environ, "EMBEDDED_WORKER": "true", "PUBLIC_URL": url, **environment},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    async with httpx.AsyncClient(base_url=url, trust_env=False, timeout=10) as client:
        try:
            await until(lambda: _answers(client), seconds=40, every=0.1)
            yield client
        finally:
            kill(process)
            await process.wait()


async def _answers(client: httpx.AsyncClient) -> bool:
    with contextlib.suppress(httpx.HTTPError):
        return (await client.get("/livez")).is_success
    return False
