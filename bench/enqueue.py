"""How many messages the API queues: one by one with idempotency keys, and in batches."""

import argparse
import asyncio
import json
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import aiohttp
import psutil
from redis.asyncio import Redis

from bench.cost import Meter, Reading, cores
from bench.report import lines
from bench.surroundings import Bench, bench
from bench.web import ask_all, client, issue_token, web_process
from bench.work import api_message
from local.demo.play import application, say

CONNECTIONS = 16
BATCH, BATCH_CONNECTIONS = 100, 4

type Ask = Callable[[aiohttp.ClientSession, int], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Took:
    items: int
    seconds: float
    cost: Reading
    times: list[float]

    @property
    def figures(self) -> dict[str, float]:
        hundredths = statistics.quantiles(self.times, n=100, method="inclusive")
        return {
            "items_per_s": round(self.items / self.seconds, 1),
            "web_ms_per_item": round(1000 * self.cost.cpu_s / self.items, 2),
            "postgres_ms_per_item": round(1000 * self.cost.postgres_s / self.items, 2),
            "round_trips_per_item": round(self.cost.round_trips / self.items, 2),
            "p50_ms": round(hundredths[49], 1),
            "p99_ms": round(hundredths[98], 1),
        }


def main(options: argparse.Namespace) -> int:
    with bench() as running:
        found = asyncio.run(_measure(running, options.items))
    print(json.dumps(found) if options.json else lines(found))
    return 0


async def _measure(running: Bench, items: int) -> dict[str, Any]:
    async with application():
        token = await issue_token()
    with web_process(running) as process:
        say("Warming up …")
        await _ask(running, process, token, items // 10, CONNECTIONS, _one, 1)
        say(f"Queueing {items:,} messages one by one …")
        single = await _ask(running, process, token, items, CONNECTIONS, _one, 1)
        say(f"Queueing {items:,} messages in batches of {BATCH} …")
        batches = max(items // BATCH, BATCH_CONNECTIONS)
        many = await _ask(running, process, token, batches, BATCH_CONNECTIONS, _many, BATCH)
    batch = {f"batch_{name}": value for name, value in many.figures.items()}
    return single.figures | batch | {"items": items, "cores": cores()}


async def _ask(
    running: Bench,
    process: psutil.Process,
    token: str,
    requests: int,
    connections: int,
    ask: Ask,
    each: int,
) -> Took:
    meter = Meter(running.services)
    meter.watch(process)
    async with (
        client(running, token, connections) as http,
        Redis.from_url(running.services.redis_url) as redis,
    ):
        before, began = await meter.read(redis), time.perf_counter()
        times = await ask_all(requests, connections, lambda number: ask(http, number))
        seconds = time.perf_counter() - began
        cost = (await meter.read(redis)).since(before)
    return Took(requests * each, seconds, cost, times)


async def _one(http: aiohttp.ClientSession, number: int) -> None:
    path, body = api_message(number)
    headers = {"Idempotency-Key": f"bench-{time.time_ns()}-{number}"}
    async with http.post(path, json=body, headers=headers) as answer:
        await _must_be_taken(answer)


async def _many(http: aiohttp.ClientSession, number: int) -> None:
    messages = [{"method": "sms" if n % 2 else "email", **api_message(n)[1]} for n in range(BATCH)]
    headers = {"Idempotency-Key": f"bench-{time.time_ns()}-{number}"}
    body = {"messages": messages}
    async with http.post("/api/messages/batch", json=body, headers=headers) as answer:
        await _must_be_taken(answer)


async def _must_be_taken(answer: aiohttp.ClientResponse) -> None:
    said = await answer.text()
    if answer.status not in (200, 202, 207):
        raise RuntimeError(f"{answer.status}: {said[:500]}")
