"""The worker as people start it: from the command line, and inside a real server."""

import asyncio
import os
import socket
import sys

from redis.asyncio import Redis

from app.worker.queue import Queue
from tests.fakes.waiting import patience
from tests.worker.probes.notes import Slow
from tests.worker.workers import until

STREAM = "pillarbox:queue:default"


async def start(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", *arguments),
        env=os.environ | environment,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )


async def refusal(**environment: str) -> tuple[int | None, str]:
    process = await start("arvel.console", "queue:work", **environment)
    async with asyncio.timeout(patience(30)):
        _, said = await process.communicate()
    return process.returncode, said.decode()


async def test_command_refuses_locks_that_end_at_the_process(
    redis_url: str, database_url: str
) -> None:
    code, said = await refusal(CACHE_STORE="array")
    assert code == 1
    assert "Error: CACHE_STORE is 'array': its locks end at this process." in said
    assert "Traceback" not in said


async def test_command_refuses_a_queue_that_ends_at_the_process(
    redis_url: str, database_url: str
) -> None:
    code, said = await refusal(QUEUE_CONNECTION="memory")
    assert code == 1
    assert "Error: QUEUE_CONNECTION is 'memory', so no job reaches a worker." in said


async def test_command_refuses_to_work_without_a_key(redis_url: str, database_url: str) -> None:
    code, said = await refusal(APP_KEY="")
    assert code == 1
    assert "Error: APP_KEY is not set" in said


async def test_server_with_two_processes_drains_both(queue: Queue, redis: Redis) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    server = await start(
        *("granian", "--interface", "asgi", "--workers", "2", "--port", port),
        "tests.worker.served:asgi_app",
        EMBEDDED_WORKER="true",
    )
    try:
        await queue.push_many(Slow, [(("a", 2.0), None)] * 6)
        await until(lambda: _begun(redis), 30)
        server.terminate()
        async with asyncio.timeout(patience(20)):
            assert await server.wait() == 0
    finally:
        if server.returncode is None:
            server.kill()
    assert await redis.llen("ran:a:ended") == 6
    assert await redis.xlen(STREAM) == 0
    assert await redis.xinfo_consumers(STREAM, "workers") == []


async def _begun(redis: Redis) -> bool:
    return await redis.llen("ran:a:begun") == 6
