"""Whoever watches is answered in time, and told who is away."""

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest

from app.worker.asked import LIMIT
from tests.fakes.network import Link, link_to
from tests.fakes.waiting import patience
from tests.fakes.web import Web, serving
from tests.watching.page import scrape

TOKEN = "sixteen characters or more"
TRUSTED = {"Authorization": f"Bearer {TOKEN}"}
AT_ONCE = LIMIT + 1.0
"""Seconds: the limit, and some for a busy machine."""


@asynccontextmanager
async def served_over(setting: str) -> AsyncIterator[tuple[Web, Link]]:
    """The web process with a link that can be parted between it and one of its servers."""
    parts = urlsplit(os.environ[setting])
    assert parts.hostname
    assert parts.port
    async with link_to(parts.hostname, parts.port) as link:
        there = os.environ[setting].replace(f":{parts.port}/", f":{link.port}/")
        environment = {"METRICS_TOKEN": TOKEN, setting: there}
        async with serving(**environment) as web:
            yield web, link
            link.mend()


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_database_that_hangs_holds_nobody_up() -> None:
    async with served_over("DATABASE_URL") as (web, link):
        link.part()
        began = time.monotonic()
        page = await scrape(web, **TRUSTED)
        assert time.monotonic() - began < patience(AT_ONCE)
        assert page.value("pillarbox_up", server="postgresql") == 0
        assert page.value("pillarbox_up", server="valkey") == 1
        assert "pillarbox_items" not in page.names
        assert "pillarbox_channel_paused" not in page.names
        began = time.monotonic()
        health = await web.client.get("/health", headers=TRUSTED)
        assert time.monotonic() - began < patience(AT_ONCE)
        assert health.status_code == 503
        assert health.json()["checks"]["postgresql"] == "down"
        assert (await web.client.get("/livez")).status_code == 200


@pytest.mark.usefixtures("database_url", "redis_url")
async def test_a_broker_that_hangs_holds_nobody_up_and_messages_can_still_be_taken() -> None:
    async with served_over("QUEUE_URL") as (web, link):
        link.part()
        began = time.monotonic()
        page = await scrape(web, **TRUSTED)
        assert time.monotonic() - began < patience(AT_ONCE)
        assert page.value("pillarbox_up", server="valkey") == 0
        assert page.value("pillarbox_up", server="postgresql") == 1
        assert page.value("pillarbox_items", state="queued") == 0
        health = await web.client.get("/health", headers=TRUSTED)
        assert health.status_code == 200
        assert health.json()["checks"]["valkey"] == "down"
