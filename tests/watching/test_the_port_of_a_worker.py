"""A worker's own page of metrics, on a port of its own."""

import asyncio
from pathlib import Path

import httpx
import pytest

from local.ports import HOST, free_port
from tests.fakes.processes import arvel
from tests.fakes.waiting import patience
from tests.watching.page import Page

TOKEN = "sixteen characters or more"


async def answer_of(client: httpx.AsyncClient, path: str, token: str = "") -> httpx.Response:
    """What the worker says, once it listens."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with asyncio.timeout(patience(30)):
        while True:
            try:
                return await client.get(path, headers=headers)
            except httpx.TransportError:
                await asyncio.sleep(0.1)


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_worker_shows_its_metrics_to_whoever_brings_the_token(tmp_path: Path) -> None:
    port = free_port()
    async with (
        arvel(
            *("dispatch:work", "--metrics-port", str(port)),
            environment={"METRICS_TOKEN": TOKEN},
            log=tmp_path / "log",
        ),
        httpx.AsyncClient(base_url=f"http://{HOST}:{port}", trust_env=False) as client,
    ):
        stranger = await answer_of(client, "/metrics")
        assert (stranger.status_code, stranger.text) == (401, "")
        for path in ("/", "/metrics"):
            page = Page((await answer_of(client, path, TOKEN)).text)
            assert page.value("pillarbox_up", server="postgresql") == 1
            assert page.value("pillarbox_workers", heartbeat="alive") == 1
            assert page.value("pillarbox_items", state="queued") == 0
            assert not page.has_addresses()
