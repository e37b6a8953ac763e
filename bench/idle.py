"""What a worker costs that has nothing to do."""

import argparse
import asyncio
import json

from redis.asyncio import Redis

from bench.cost import Meter, cores, peak_mib
from bench.processes import running
from bench.report import lines
from bench.sending import WORKER
from bench.surroundings import Bench, bench
from local.demo.play import say

SETTLE_S = 5.0
"""Seconds in which a worker looks around after its start."""
FLUSH_S = 1.5
"""Seconds after which PostgreSQL has counted what a connection did before it ended."""


def main(options: argparse.Namespace) -> int:
    with bench() as bench_of_ours:
        found = asyncio.run(_measure(bench_of_ours, options.seconds))
    print(json.dumps(found) if options.json else lines(found))
    return 0


async def _measure(bench: Bench, seconds: int) -> dict[str, float]:
    """Statements are counted for certain only when connections end: so two runs, one of them
    longer, and what the longer one has more."""
    say(f"A worker rests for {SETTLE_S:g} s, another one for {seconds} s more …")
    start = await _run(bench, 0)
    rest = await _run(bench, seconds)
    more = {name: rest[name] - start[name] for name in ("statements", "round_trips")}
    return {
        "percent_of_a_core": round(100 * rest["cpu_s"] / seconds, 2),
        "postgres_percent_of_a_core": round(100 * rest["postgres_s"] / seconds, 2),
        "statements_per_minute": round(60 * more["statements"] / seconds, 1),
        "round_trips_per_minute": round(60 * more["round_trips"] / seconds, 1),
        "rss_mib": round(rest["rss_mib"], 1),
        "seconds": seconds,
        "cores": cores(),
    }


async def _run(bench: Bench, seconds: float) -> dict[str, float]:
    meter = Meter(bench.services)
    async with Redis.from_url(bench.services.redis_url) as redis:
        statements, trips = await meter.statements(), (await meter.read(redis)).round_trips
        log = bench.folder / "worker"
        with running(WORKER, log, lambda said: "worker_started" in said) as process:
            meter.watch(process)
            await asyncio.sleep(SETTLE_S)
            before = await meter.read(redis)
            await asyncio.sleep(seconds)
            cost = (await meter.read(redis)).since(before)
            rss = peak_mib(process)
        await asyncio.sleep(FLUSH_S)
        return {
            "cpu_s": cost.cpu_s,
            "postgres_s": cost.postgres_s,
            "statements": await meter.statements() - statements,
            "round_trips": (await meter.read(redis)).round_trips - trips,
            "rss_mib": rss,
        }
