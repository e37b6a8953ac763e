"""How many messages a worker sends, beside the floor of the parts it stands on."""

import argparse
import asyncio
import json
import uuid
from typing import Any

import asyncpg

from bench import floor_process, sending
from bench.cost import cores
from bench.report import lines
from bench.rounds import Round, medians
from bench.surroundings import LATENCY_S, Bench, bench
from bench.work import Message, compose
from local.demo.play import say

PUT = """
INSERT INTO floor_items (id, state, receiver, subject, body)
SELECT id, 'queued', 'ada@example.com', 'Order', $2 FROM unnest($1::uuid[]) id
"""


def main(options: argparse.Namespace) -> int:
    with bench() as running:
        found = asyncio.run(_measure(running, options.items, options.rounds))
    print(json.dumps(found) if options.json else lines(found))
    return 0


async def _measure(running: Bench, items: int, rounds: int) -> dict[str, Any]:
    say(f"Queueing {rounds} × {items:,} messages …")
    messages = await compose(items * rounds)
    ours: list[Round] = []
    floor: list[Round] = []
    for number in range(rounds):
        say(f"Round {number + 1} of {rounds} …")
        own = messages[number * items : (number + 1) * items]
        floor.append(await sending.send_on_the_floor(running, await _put(running, items)))
        ours.append(await sending.send(running, own))
    return result(ours, floor)


def result(ours: list[Round], floor: list[Round]) -> dict[str, Any]:
    """Medians of the rounds, and their ratio."""
    own, theirs = medians(ours), medians(floor)
    rounded = {name: round(value, 2) for name, value in own.items()}
    return {
        **rounded,
        "floor_items_per_s": round(theirs["items_per_s"], 2),
        "floor_cpu_ms_per_item": round(theirs["cpu_ms_per_item"], 2),
        "ratio_to_floor": round(own["items_per_s"] / theirs["items_per_s"], 3),
        "items": ours[0].items,
        "rounds": len(ours),
        "provider_latency_ms": round(1000 * LATENCY_S),
        "cores": cores(),
    }


async def _put(running: Bench, items: int) -> list[Message]:
    """The floor's items, and their messages."""
    keys = [uuid.uuid7() for _ in range(items)]
    url = running.services.database_url.replace("+asyncpg", "")
    connection = await asyncpg.connect(url)
    try:
        await connection.execute(floor_process.TABLES)
        await connection.execute(PUT, keys, "Your order is on its way.\n" * 20)
    finally:
        await connection.close()
    return [{b"id": str(key).encode()} for key in keys]
