"""All looks at Redis or Valkey, usually one server, at most three; and at RabbitMQ."""

import asyncio
from collections.abc import Awaitable, Callable

from redis.asyncio import Redis

from app.doctor import queues, rabbitmq, redis
from app.doctor.finding import Finding, warning, wrong
from app.doctor.limits import LIMIT, NoAnswer, look, unanswered
from app.doctor.reasons import reason
from app.doctor.subject import Subject
from app.worker.connection import connect

type Look = Callable[[Redis, str, Subject], Awaitable[list[Finding]]]

NAMES = ("REDIS_URL", "QUEUE_URL", "CACHE_URL")
AT_THE_SERVER: tuple[Look, ...] = (redis.server, redis.clock)
AT_STREAMS: tuple[Look, ...] = (queues.streams, queues.quarantine)


async def examine_brokers(subject: Subject) -> list[Finding]:
    servers = _servers(subject)
    several = len(servers) > 1
    looks = [_examine(url, names, subject, several=several) for url, names in servers.items()]
    if _is_rabbitmq(subject):
        looks.append(rabbitmq.examine(subject.readings.text("QUEUE_URL"), subject))
    findings = await asyncio.gather(*looks)
    return [*_judge_broker(subject), *(finding for found in findings for finding in found)]


def _servers(subject: Subject) -> dict[str, list[str]]:
    """Which settings name which server."""
    servers: dict[str, list[str]] = {}
    for name in NAMES:
        if name == "QUEUE_URL" and _is_rabbitmq(subject):
            continue
        if url := subject.readings.text(name):
            servers.setdefault(url, []).append(name)
    return servers


def _is_rabbitmq(subject: Subject) -> bool:
    return subject.readings.text("QUEUE_CONNECTION") == "amqp"


def _judge_broker(subject: Subject) -> list[Finding]:
    if subject.readings.text("QUEUE_CONNECTION") != "memory":
        return []
    text = "Messages stay in the process that queues them: no worker gets them."
    return [warning("broker", text, "Set QUEUE_CONNECTION=redis or amqp.")]


async def _examine(url: str, names: list[str], subject: Subject, *, several: bool) -> list[Finding]:
    check = f"redis {names[0]}" if several else "redis"
    client = connect(url, size=1, patience=LIMIT)
    streams = "QUEUE_URL" in names and subject.readings.text("QUEUE_CONNECTION") == "redis"
    looks = (*AT_THE_SERVER, *(AT_STREAMS if streams else ()))
    try:
        return await _look_at(client, check, subject, looks)
    except Exception as error:
        remedy = f"Start it, or correct {' and '.join(names)}. Nothing in it could be looked at."
        return [wrong(check, f"The server {reason(error)}.", remedy)]
    finally:
        await client.aclose()


async def _look_at(
    client: Redis, check: str, subject: Subject, looks: tuple[Look, ...]
) -> list[Finding]:
    findings: list[Finding] = []
    try:
        async with asyncio.timeout(LIMIT):
            await client.ping()  # pyright: ignore[reportGeneralTypeIssues, reportUnknownMemberType]
        for one in looks:
            findings += await look(check, one(client, check, subject))
    except NoAnswer:
        findings.append(unanswered(check, "The server"))
    return findings
