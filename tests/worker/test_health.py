"""What shows from outside that a worker takes messages, and what it did."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from arvel.kernel.bootstrap import lifespan
from redis.asyncio import Redis

from app.worker.embedded import EmbeddedWorker
from app.worker.metrics_server import render_registry, serving
from app.worker.queue import Queue
from app.worker.refused import WorkerRefused
from app.worker.takeover import TakeOver
from local.ports import free_port
from tests.fakes.waiting import patience
from tests.worker.application import create_app
from tests.worker.inside import working
from tests.worker.probes.notes import Slow
from tests.worker.workers import until


def moved(file: Path) -> Callable[[], Any]:
    """Whether the file's time has moved since now."""
    before = time_of(file)

    async def has_moved() -> bool:
        return time_of(file) > before

    return has_moved


def time_of(file: Path) -> int:
    return file.stat().st_mtime_ns if file.exists() else 0


async def test_the_file_s_time_moves_at_rest_and_while_all_places_are_taken(
    queue: Queue, redis: Redis, tmp_path: Path
) -> None:
    file = tmp_path / "health"
    async with working(queue, concurrency=2, health_check_file=file):
        await until(moved(file), 5)
        await until(moved(file), 5)
        await queue.push_many(Slow, [(("a", 6.0), None)] * 4)
        await until(lambda: redis.exists("ran:a:begun"))
        await until(moved(file), 5)
        await until(moved(file), 5)


async def test_the_file_s_time_stands_still_when_the_loop_that_takes_messages_hangs(
    queue: Queue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, hanging = tmp_path / "health", asyncio.Event()

    async def hang(*_: Any) -> list[Any]:
        hanging.set()
        await asyncio.Event().wait()
        return []

    async with working(queue, health_check_file=file):
        await until(moved(file), 5)
        monkeypatch.setattr(TakeOver, "take", hang)
        await asyncio.wait_for(hanging.wait(), patience(10))
        stands = time_of(file)
        await asyncio.sleep(6)
        assert time_of(file) == stands


async def test_the_file_s_time_moves_while_a_worker_drains(
    queue: Queue, redis: Redis, tmp_path: Path
) -> None:
    file = tmp_path / "health"
    await queue.push(Slow, ("a", 8.0), {})
    async with working(queue, health_check_file=file) as stop:
        await until(lambda: redis.exists("ran:a:begun"))
        stop.set()
        await asyncio.sleep(0.5)
        await until(moved(file), 5)
        assert not await redis.exists("ran:a:ended")


async def test_metrics_are_served_at_both_addresses_while_a_worker_runs(queue: Queue) -> None:
    port = free_port()
    async with working(queue, metrics_port=port), httpx.AsyncClient(trust_env=False) as client:
        await until(lambda: _answers(client, port))
        for path in ("/", "/metrics"):
            answer = await client.get(f"http://127.0.0.1:{port}{path}")
            assert answer.status_code == 200
            assert answer.headers["content-type"].startswith("text/plain")
            assert "python_info" in answer.text
        assert (await client.get(f"http://127.0.0.1:{port}/else")).status_code == 404
    async with httpx.AsyncClient(trust_env=False) as client:
        assert not await _answers(client, port)


async def _answers(client: httpx.AsyncClient, port: int) -> bool:
    try:
        return (await client.get(f"http://127.0.0.1:{port}/")).is_success
    except httpx.HTTPError:
        return False


async def test_a_port_that_is_in_use_is_refused() -> None:
    port = free_port()
    async with serving("127.0.0.1", port, render_registry):
        with pytest.raises(WorkerRefused, match=f"127.0.0.1:{port}.*--metrics-port"):
            async with serving("127.0.0.1", port, render_registry):
                pass


async def test_a_worker_in_the_web_process_refuses_a_port_of_its_own(
    monkeypatch: pytest.MonkeyPatch, database_url: str, redis_url: str
) -> None:
    monkeypatch.setenv("WORKER_METRICS_PORT", "9100")
    async with lifespan(create_app()) as application:
        with pytest.raises(WorkerRefused, match="WORKER_METRICS_PORT is 9100"):
            await EmbeddedWorker(application).start()
