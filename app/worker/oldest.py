"""When the oldest message that still waits was put on each stream."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, cast

from redis.asyncio import Redis
from redis.exceptions import ResponseError

from app.worker.connection import is_wrong_type
from app.worker.names import GROUP, LABELS, Names

BEGINNING = "-"


async def oldest_waiting(client: Redis, names: Names) -> dict[str, datetime | None]:
    """For each queue the time of its first message that no worker was given yet, by the broker's
    clock; ``None``: there is none.

    Messages that a worker was given don't count. It claims what they stand for at once, unless it
    dies of them, and one that kills its workers must not hold back all that comes after it.

    A queue whose key is no stream is left out: nothing can be put on it.
    """
    starts = await _find_undelivered(client, names)
    pipeline = client.pipeline(transaction=False)
    for label, start in starts.items():
        pipeline.xrange(names.stream(label), min=start, count=1)
    entries = await pipeline.execute() if starts else []
    return {
        label: _time_of(found[0][0]) if found else None
        for label, found in zip(starts, entries, strict=True)
    }


async def _find_undelivered(client: Redis, names: Names) -> dict[str, str]:
    """From where on no worker has read, for each queue that is a stream or nothing at all."""
    pipeline = client.pipeline(transaction=False)
    for label in LABELS:
        pipeline.xinfo_groups(names.stream(label))
    answers = await pipeline.execute(raise_on_error=False)
    found = {label: _start(answer) for label, answer in zip(LABELS, answers, strict=True)}
    return {label: start for label, start in found.items() if start is not None}


def _start(answer: object) -> str | None:
    if isinstance(answer, Exception):
        if is_wrong_type(answer):
            return None
        if isinstance(answer, ResponseError) and "no such key" in str(answer):
            return BEGINNING
        raise answer
    for group in cast("list[Mapping[str, Any]]", answer):
        if _text(group["name"]) == GROUP:
            return f"({_text(group['last-delivered-id'])}"
    return BEGINNING


def _text(value: bytes | str) -> str:
    return value if isinstance(value, str) else value.decode()


def _time_of(message_id: bytes) -> datetime:
    milliseconds = int(bytes(message_id).partition(b"-")[0])
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
