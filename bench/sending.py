"""One worker, or the floor's process, that sends what it finds; and what that took."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import asyncpg
from redis.asyncio import Redis

from bench import floor_process
from bench.cost import Meter, peak_mib
from bench.processes import ARVEL, module, running
from bench.rounds import Round
from bench.surroundings import Bench
from bench.work import STREAM, Message, publish

CONCURRENCY = 200
LOOK_EVERY_S = 0.1
PATIENCE_S = 300.0
WORKER = [str(ARVEL), "dispatch:work", f"--concurrency={CONCURRENCY}"]

SPAN = """
SELECT count(*), extract(epoch FROM max(ended_at) - min(started_at))
FROM attempts WHERE started_at >= $1 AND outcome = 'accepted'
"""
OTHERS = """
SELECT outcome, code, text, count(*) FROM attempts
WHERE started_at >= $1 AND outcome IS DISTINCT FROM 'accepted' GROUP BY 1, 2, 3
"""
FLOOR_SPAN = """
SELECT count(*), extract(epoch FROM max(ended) - min(started))
FROM floor_attempts WHERE started >= $1 AND outcome = 'accepted'
"""


async def send(bench: Bench, messages: Sequence[Message]) -> Round:
    """By one worker of Pillarbox."""
    return await _measure(bench, WORKER, "worker_started", STREAM, messages, SPAN)


async def send_on_the_floor(bench: Bench, messages: Sequence[Message]) -> Round:
    command = module("bench.floor_process", f"{bench.provider}/floor")
    stream = floor_process.STREAM
    async with Redis.from_url(bench.services.redis_url) as redis:
        await redis.delete(stream)
    return await _measure(bench, command, "ready", stream, messages, FLOOR_SPAN)


async def _measure(
    bench: Bench,
    command: list[str],
    ready: str,
    stream: str,
    messages: Sequence[Message],
    span: str,
) -> Round:
    async with _database(bench) as database, Redis.from_url(bench.services.redis_url) as redis:
        began = await database.fetchval("SELECT clock_timestamp()")
        meter = Meter(bench.services)
        statements = await meter.statements()
        with running(command, bench.folder / "worker", lambda said: ready in said) as process:
            meter.watch(process)
            before = await meter.read(redis)
            await publish(redis, stream, messages)
            looks = await _until_empty(redis, stream)
            after = await meter.read(redis)
            rss = peak_mib(process)
        cost = replace(
            after.since(before),
            statements=await meter.statements() - statements,
            round_trips=after.round_trips - before.round_trips - looks,
        )
        sent, seconds = await database.fetchrow(span, began)
        if sent != len(messages):
            rest = await database.fetch(OTHERS, began)
            raise RuntimeError(f"{len(messages)} were to be sent, {sent} were: {rest}")
    return Round(sent, float(seconds), cost, rss)


async def _until_empty(redis: Redis, stream: str) -> int:
    """How often it was asked."""
    until, looks = time.monotonic() + PATIENCE_S, 0
    while await redis.xlen(stream):
        if time.monotonic() > until:
            raise TimeoutError(f"{stream} was not worked off in {PATIENCE_S:g} s")
        looks += 1
        await asyncio.sleep(LOOK_EVERY_S)
    return looks + 1


@contextlib.asynccontextmanager
async def _database(bench: Bench) -> AsyncIterator[asyncpg.Connection]:
    connection = await asyncpg.connect(bench.services.database_url.replace("+asyncpg", ""))
    try:
        yield connection
    finally:
        await connection.close()
