"""Asks a question again and again, one request after the other."""

import random
import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from bench.questions import SENT, Question


@dataclass(frozen=True, slots=True)
class Answers:
    """How long the answers to a question took, in milliseconds, and how many items they had."""

    question: Question
    times: Sequence[float]
    items: float
    more: bool

    def as_json(self) -> dict[str, Any]:
        hundredths = statistics.quantiles(self.times, n=100, method="inclusive")
        return {
            "endpoint": self.question.name,
            "path": self.question.path,
            "query": self.question.query,
            "requests": len(self.times),
            "items": round(self.items, 1),
            "more": self.more,
            "p50": round(hundredths[49], 1),
            "p95": round(hundredths[94], 1),
        }


async def ask_all(
    address: str, token: str, questions: Sequence[Question], rows: int, requests: int
) -> list[Answers]:
    headers = {"authorization": f"Bearer {token}"}
    limits: Any = {"base_url": address, "headers": headers, "trust_env": False, "timeout": 30}
    async with httpx.AsyncClient(**limits) as client:
        done = (await client.get(SENT, params={"limit": 200, "order": "queued"})).json()["data"]
        ids = [item["id"] for item in done]
        return [await _ask(client, question, rows, ids, requests) for question in questions]


async def _ask(
    client: httpx.AsyncClient, question: Question, rows: int, ids: Sequence[str], requests: int
) -> Answers:
    times: list[float] = []
    sizes: list[int] = []
    body: Any = {}
    # The first ones, while caches fill, are not what somebody waits for every day.
    for number in range(requests + 3):
        took, body = await _measure(client, question, _values(number, rows, ids))
        if number >= 3:
            times.append(took)
            sizes.append(len(body.get("data", (body,))))
    return Answers(question, times, statistics.mean(sizes), bool(body.get("next")))


async def _measure(
    client: httpx.AsyncClient, question: Question, values: dict[str, str]
) -> tuple[float, Any]:
    query = {name: value.format(**values) for name, value in question.query.items()}
    path = question.path.format(**values)
    for _ in range(question.pages):
        query["cursor"] = (await client.get(path, params=query)).raise_for_status().json()["next"]
    started = time.perf_counter()
    answer = await client.get(path, params=query)
    took = 1000 * (time.perf_counter() - started)
    return took, answer.raise_for_status().json()


def _values(number: int, rows: int, ids: Sequence[str]) -> dict[str, str]:
    """The same in every run, another for each request."""
    n = random.Random(number).randint(1, rows)
    person = n * 7919 % (rows // 5 + 1)
    day = datetime.now(UTC).replace(hour=0, minute=0, second=0) - timedelta(days=20 + number % 60)
    return {
        "n": str(n),
        "third": str(n // 3),
        "person": str(person),
        "mail": str(person % 50),
        "id": ids[number % len(ids)],
        "day": day.isoformat(timespec="seconds"),
        "next_day": (day + timedelta(days=1)).isoformat(timespec="seconds"),
    }
