"""The whole life of messages: sent by a worker, reported on three times each through our webhooks.

Then reports alone, at a fixed rate whatever the answers take, as providers send them.
"""

import argparse
import asyncio
import json
import random
import statistics
import time
from typing import Any

import aiohttp
import asyncpg
import psutil
from redis.asyncio import Redis

from bench.callbacks import Callback, of_sms
from bench.cost import Meter, cores
from bench.processes import running
from bench.report import lines
from bench.sending import WORKER
from bench.surroundings import Bench, bench
from bench.web import web_process
from bench.work import STREAM, Message, compose, publish
from local.demo.play import say

LOOK_EVERY_S = 0.5
PATIENCE_S = 600.0
REPORTS_PER_S = 300.0

DONE = "SELECT count(*) FROM queue_items WHERE state = 'succeeded'"
SPAN = """
SELECT extract(epoch FROM max(q.finished_at) - min(a.started_at))
FROM queue_items q JOIN attempts a ON a.item_id = q.id WHERE q.state = 'succeeded'
"""
SENT = """
SELECT a.message_id, s.receiver_address FROM attempts a JOIN item_search s ON s.item_id = a.item_id
WHERE a.provider = 'twilio' LIMIT $1
"""


def main(options: argparse.Namespace) -> int:
    with bench(reports=True) as bench_of_ours:
        found = asyncio.run(_measure(bench_of_ours, options.items, options.seconds))
    print(json.dumps(found) if options.json else lines(found))
    return 0


async def _measure(bench: Bench, items: int, seconds: int) -> dict[str, Any]:
    say(f"Queueing {items:,} messages …")
    messages = await compose(items)
    log = bench.folder / "worker"
    with web_process(bench) as web:
        with running(WORKER, log, lambda said: "worker_started" in said) as worker:
            say("Sending them; the provider reports on each three times …")
            life = await _live(bench, messages, [web, worker])
        say(f"{REPORTS_PER_S:g} reports a second for {seconds} s …")
        alone = await _report(bench, seconds)
    return life | alone | {"items": items, "cores": cores()}


async def _live(
    bench: Bench, messages: list[Message], processes: list[psutil.Process]
) -> dict[str, Any]:
    meter = Meter(bench.services)
    for process in processes:
        meter.watch(process)
    database = await asyncpg.connect(bench.services.database_url.replace("+asyncpg", ""))
    async with Redis.from_url(bench.services.redis_url) as redis:
        before = await meter.read(redis)
        await publish(redis, STREAM, messages)
        until = time.monotonic() + PATIENCE_S
        while (done := await database.fetchval(DONE)) < len(messages):
            if time.monotonic() > until:
                raise TimeoutError(f"{done} of {len(messages)} succeeded in {PATIENCE_S:g} s")
            await asyncio.sleep(LOOK_EVERY_S)
        cost = (await meter.read(redis)).since(before)
    seconds = float(await database.fetchval(SPAN))
    await database.close()
    return {
        "items_per_s": round(len(messages) / seconds, 1),
        "cpu_ms_per_item": round(1000 * cost.cpu_s / len(messages), 2),
        "postgres_ms_per_item": round(1000 * cost.postgres_s / len(messages), 2),
    }


async def _report(bench: Bench, seconds: int) -> dict[str, Any]:
    """Each is due at a moment of its own; what it waits for its turn counts too."""
    database = await asyncpg.connect(bench.services.database_url.replace("+asyncpg", ""))
    sent = await database.fetch(SENT, int(REPORTS_PER_S))
    await database.close()
    callbacks = [one for row in sent for one in of_sms(bench.address, *row)]
    chance, due, plan = random.Random(1), 0.0, list[float]()
    while due < seconds:
        due += chance.expovariate(REPORTS_PER_S)
        plan.append(due)
    async with aiohttp.ClientSession(bench.address) as http:
        began = time.perf_counter()
        took = await asyncio.gather(
            *(_post(http, callbacks[n % len(callbacks)], began + due) for n, due in enumerate(plan))
        )
    hundredths = statistics.quantiles(took, n=100, method="inclusive")
    return {
        "webhook_requests_per_s": round(len(took) / seconds, 1),
        "webhook_p50_ms": round(hundredths[49], 1),
        "webhook_p99_ms": round(hundredths[98], 1),
    }


async def _post(http: aiohttp.ClientSession, one: Callback, due: float) -> float:
    await asyncio.sleep(max(0.0, due - time.perf_counter()))
    async with http.post(one.path, data=one.body, headers=one.headers) as answer:
        await answer.read()
        answer.raise_for_status()
    return 1000 * (time.perf_counter() - due)
