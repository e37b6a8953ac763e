"""SIGTERM to a web process that also works the queue, while a request never ends."""

import asyncio
import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import asyncpg
import httpx
from redis.asyncio import Redis

from app.models import statements
from app.models.statements import Statements
from local.ports import HOST, free_port
from tests.fakes.items import put_item, raw, state_of
from tests.fakes.processes import ROOT, compose, kill
from tests.fakes.waiting import patience, until

KILL_TIMEOUT = 6


@contextlib.asynccontextmanager
async def granian(
    port: int, environment: Mapping[str, str], log: Path
) -> AsyncIterator[asyncio.subprocess.Process]:
    """The web process as the documentation has it started, but with a short patience."""
    with log.open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "granian", "--interface", "asgi"),
            *("--host", HOST, "--port", str(port), "--workers-kill-timeout", str(KILL_TIMEOUT)),
            "asgi:asgi_app",
            cwd=ROOT,
            env={**os.environ, "EMBEDDED_WORKER": "true", "LOG_LEVEL": "info", **environment},
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        await until(lambda: _answers(port), seconds=40, every=0.1)
        yield process
    finally:
        kill(process)
        await process.wait()


async def _answers(port: int) -> bool:
    async with httpx.AsyncClient(trust_env=False) as client:
        try:
            return (await client.get(f"http://{HOST}:{port}/livez", timeout=2)).is_success
        except httpx.HTTPError:
            return False


@contextlib.asynccontextmanager
async def request_that_never_ends(port: int) -> AsyncIterator[asyncio.StreamReader]:
    """A client that announces a body and stops amid it."""
    reader, writer = await asyncio.open_connection(HOST, port)
    writer.write(
        b"POST /webhooks/email/sandbox HTTP/1.1\r\nHost: localhost\r\n"
        b"Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    )
    await writer.drain()
    try:
        yield reader
    finally:
        writer.close()


def said(log: Path, action: str) -> int:
    return log.read_text().count(action)


async def stop(process: asyncio.subprocess.Process, log: Path) -> float:
    """Tell it to stop, and wait until its worker has; the seconds that took."""
    told = time.monotonic()
    process.send_signal(signal.SIGTERM)

    async def stopped() -> bool:
        return said(log, "worker_stopped") == 1

    await until(stopped, seconds=5)
    return time.monotonic() - told


async def test_worker_takes_nothing_more_within_a_second_and_the_process_is_killed_in_time(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    """Field report 82."""
    log, port = tmp_path / "log", free_port()
    async with granian(port, {}, log) as server, request_that_never_ends(port):
        await asyncio.sleep(0.5)
        told = time.monotonic()
        assert await stop(server, log) < patience(1)
        assert server.returncode is None, "the request is still open"
        item = await put_item("queued", attempts=0, dispatched_at=raw("NULL"))
        await compose({}, emails=1)
        await asyncio.wait_for(server.wait(), patience(KILL_TIMEOUT + 5))
        assert time.monotonic() - told < patience(KILL_TIMEOUT + 5)
        assert await state_of(item.id) == "queued"
    rows = await statements.run("SELECT DISTINCT state FROM queue_items")
    assert [row["state"] for row in rows] == ["queued"]
    async with Redis.from_url(redis_url) as redis:
        assert await redis.xlen("pillarbox:queue:default") == 1


@contextlib.asynccontextmanager
async def request_that_waits_for_the_database(port: int) -> AsyncIterator[asyncio.StreamReader]:
    """A whole request, and somebody who keeps what its answer is read from."""
    token = f"plb_{'a' * 12}_{'b' * 43}"
    connection = await asyncpg.connect(os.environ["DATABASE_URL"].replace("+asyncpg", ""))
    try:
        async with connection.transaction():
            await connection.execute("LOCK TABLE api_tokens")
            reader, writer = await asyncio.open_connection(HOST, port)
            line = (
                f"GET /api/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\r\n"
            )
            writer.write(line.encode())
            await writer.drain()
            yield reader
            writer.close()
    finally:
        await connection.close()


async def test_request_that_never_ends_is_cancelled_after_its_grace_and_the_process_ends_well(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    log, port = tmp_path / "log", free_port()
    grace = {"SHUTDOWN_CANCEL_GRACE": "0.5"}
    async with (
        granian(port, grace, log) as server,
        request_that_waits_for_the_database(port) as reader,
    ):
        await asyncio.sleep(0.5)
        told = time.monotonic()
        await stop(server, log)
        assert await asyncio.wait_for(server.wait(), patience(KILL_TIMEOUT)) == 0
        assert time.monotonic() - told < patience(KILL_TIMEOUT)
        assert said(log, "requests_cancelled") == 1
        assert said(log, "Killing") == 0
        await reader.read()


async def test_request_whose_body_never_comes_is_cancelled_and_the_process_ends_in_time(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    """Granian keeps some connections that owe it a body; then its timeout ends the process."""
    log, port = tmp_path / "log", free_port()
    grace = {"SHUTDOWN_CANCEL_GRACE": "0.5"}
    async with granian(port, grace, log) as server, request_that_never_ends(port):
        await asyncio.sleep(0.5)
        assert await stop(server, log) < patience(1)
        await asyncio.wait_for(server.wait(), patience(KILL_TIMEOUT + 5))
        assert said(log, "requests_cancelled") == 1


async def test_request_that_ends_in_its_grace_is_answered(
    database: Statements, redis_url: str, tmp_path: Path
) -> None:
    log, port = tmp_path / "log", free_port()
    grace = {"SHUTDOWN_CANCEL_GRACE": "5"}
    async with granian(port, grace, log) as server:
        reader, writer = await asyncio.open_connection(HOST, port)
        writer.write(
            b"POST /webhooks/email/sandbox HTTP/1.1\r\nHost: localhost\r\n"
            b"Content-Length: 2\r\nConnection: close\r\n\r\n{"
        )
        await writer.drain()
        await asyncio.sleep(0.5)
        await stop(server, log)
        writer.write(b"}")
        await writer.drain()
        answer = await asyncio.wait_for(reader.read(), patience(5))
        assert answer.startswith(b"HTTP/1.1 4")
        assert await asyncio.wait_for(server.wait(), patience(KILL_TIMEOUT)) == 0
        assert said(log, "requests_cancelled") == 0
        writer.close()
