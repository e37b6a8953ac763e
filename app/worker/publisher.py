"""Publishing that is never at the caller's expense: a second at most, and no exception."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import batched
from typing import Any

from arvel.queue import Job

from app.worker.breaker import Breaker
from app.worker.connection import AWAY
from app.worker.names import log
from app.worker.port import Broker, Outgoing, Unwritable

type OnPublishFailed = Callable[[type[Job], list[tuple[Any, ...]]], Awaitable[None]]
"""Told of a class of jobs and the arguments of each that did not reach the broker."""

LIMIT = 1.0
"""Seconds that one hand-over may take."""


@dataclass(frozen=True, slots=True)
class Message:
    """A job on its way to the broker."""

    job_cls: type[Job]
    args: tuple[Any, ...]
    label: str
    task_id: str
    data: bytes


class Publisher:
    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self._breaker = Breaker()

    async def publish(self, messages: Sequence[Message]) -> list[Message]:
        """The messages that can't be relied on to be on the broker; none when all went well."""
        missing: list[Message] = []
        for part in batched(messages, self._broker.batch, strict=False):
            missing += await self._try(part)
        return missing

    async def _try(self, messages: Sequence[Message]) -> Sequence[Message]:
        if not self._breaker.lets_through():
            return messages
        try:
            async with asyncio.timeout(LIMIT):
                await self._broker.add([Outgoing(m.label, m.data) for m in messages])
        except Unwritable as error:
            missing = [m for m in messages if m.label in error.labels]
            log().error("queue_unwritable", jobs=len(missing), queues=sorted(error.labels))
            self._breaker.worked()
            return missing
        except AWAY as error:
            self._breaker.failed()
            log().warning("publish_failed", jobs=len(messages), error=type(error).__name__)
            return messages
        self._breaker.worked()
        return ()


async def log_unpublished(job_cls: type[Job], args: list[tuple[Any, ...]]) -> None:
    """What happens to unpublished jobs unless a provider says otherwise: the log counts them."""
    log().error("jobs_not_published", job=job_cls.__name__, jobs=len(args))


async def tell(hook: OnPublishFailed, missing: Sequence[Message]) -> None:
    """Tell the hook, class by class; what it raises is logged."""
    by_class: dict[type[Job], list[tuple[Any, ...]]] = {}
    for message in missing:
        by_class.setdefault(message.job_cls, []).append(message.args)
    for job_cls, args in by_class.items():
        try:
            await hook(job_cls, args)
        except Exception as error:
            log().error("publish_failed_hook_raised", error=type(error).__name__)
