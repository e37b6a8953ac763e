"""Whether a message costs the same beside other workers, and in fuller tables."""

import argparse
import asyncio
import contextlib
import json
import time
from typing import Any

from redis.asyncio import Redis

from bench.cost import Meter, cores
from bench.processes import running
from bench.report import lines
from bench.rows import fill
from bench.sending import WORKER
from bench.surroundings import Bench, bench
from bench.work import STREAM, Message, compose, publish
from local.demo.play import say

WORKERS = (1, 2, 4)
LOOK_EVERY_S = 0.1
PATIENCE_S = 300.0


def main(options: argparse.Namespace) -> int:
    found: dict[str, Any] = {}
    for rows in _rows(options.rows):
        with bench() as bench_of_ours:
            found |= asyncio.run(_among(bench_of_ours, options.items, rows))
    found |= {"items": options.items, "cores": cores()}
    print(json.dumps(found) if options.json else lines(found))
    return 0


def _rows(most: int) -> list[int]:
    """10, 1,000, 100,000 and 1,000,000, as far as is asked."""
    return [rows for rows in (10, 1_000, 100_000, 1_000_000) if rows <= most]


async def _among(bench: Bench, items: int, rows: int) -> dict[str, float]:
    """CPU of a message among so many others; among the fewest also beside other workers."""
    say(f"Filling {rows:,} items …")
    await fill(bench.services.database_url.replace("+asyncpg", ""), rows, say)
    workers = WORKERS if rows == 10 else (1,)
    messages = await compose(items * len(workers))
    found: dict[str, float] = {}
    for number, count in enumerate(workers):
        say(f"{items:,} messages by {count} workers among {rows:,} items …")
        own = messages[number * items : (number + 1) * items]
        cost = await _send(bench, own, count)
        if count == 1:
            found[f"cpu_ms_among_{rows}"] = cost
        if rows == 10:
            found[f"cpu_ms_by_{count}"] = cost
    return found


async def _send(bench: Bench, messages: list[Message], workers: int) -> float:
    """Milliseconds of CPU a message."""
    meter = Meter(bench.services)
    with contextlib.ExitStack() as stack:
        for number in range(workers):
            log = bench.folder / f"worker-{number}"
            process = running(WORKER, log, lambda said: "worker_started" in said)
            meter.watch(stack.enter_context(process))
        async with Redis.from_url(bench.services.redis_url) as redis:
            before = await meter.read(redis)
            await publish(redis, STREAM, messages)
            until = time.monotonic() + PATIENCE_S
            while await redis.xlen(STREAM):
                if time.monotonic() > until:
                    raise TimeoutError(f"not worked off in {PATIENCE_S:g} s")
                await asyncio.sleep(LOOK_EVERY_S)
            cost = (await meter.read(redis)).since(before)
    return round(1000 * (cost.cpu_s + cost.postgres_s) / len(messages), 2)
