"""Puts a worker together from its parts and lets it run."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from arvel.queue import (
    _stop_on_memory,  # pyright: ignore[reportPrivateUsage]  # arvel's own watch for --memory
)

from app.items import publish
from app.settings import ClockSettings
from app.worker import identity, metrics_server
from app.worker.acks import Acks
from app.worker.connection import AWAY
from app.worker.delivery import Deliveries
from app.worker.due import DueItems
from app.worker.heartbeat import Heartbeat
from app.worker.lease import Lease
from app.worker.options import Options
from app.worker.pace import Pace
from app.worker.poison import Poison
from app.worker.port import Broker
from app.worker.pulse import Pulse
from app.worker.receiver import Receiver
from app.worker.takeover import TakeOver
from app.worker.ticker import Ticker
from app.worker.work import Work
from app.worker.worker import Loop, Worker

if TYPE_CHECKING:
    from app.worker.queue import Queue

EMPTY = 0.2
"""Seconds between two looks whether everything is empty."""
MEMORY = 1.0
"""Seconds between two looks at the memory in use."""


class Service:
    """A worker of ``queue``, to be run once."""

    def __init__(self, queue: Queue, broker: Broker, options: Options) -> None:
        self._queue = queue
        self._options = options
        self._pace = _pace(queue.pace, options)
        me = identity.standing(options)
        self._worker_id = me.id
        self._lease = Lease(me, self._pace)
        self._pulse = Pulse(options.health_check_file)
        self._deliveries = Deliveries(options.concurrency, options.most)
        self._mailbox = broker.mailbox(me.id, self._pace, self._deliveries.holds)
        self._acks = Acks(self._mailbox, self._deliveries)
        self._due = DueItems(publish.publish_due)
        self._ticker = Ticker(queue.ticks, self._mailbox.consumer, queue.run_here)
        self._work = self._assemble_work(broker)
        self._receiver = self._assemble_receiver(broker)

    async def run(self, stop: asyncio.Event, hurry: asyncio.Event) -> None:
        """Work until ``stop``; ``hurry`` cuts short what is left to do then.

        Raises:
            WorkerIdTaken: another worker that is alive has our name.
            WorkerRefused: its file can't be written or its port not be had.
        """
        async with contextlib.AsyncExitStack() as stack:
            self._pulse.forget()
            if not await self._take_name(stop):
                return
            stack.push_async_callback(self._lease.leave)
            self._pulse.begin()
            await stack.enter_async_context(self._metrics())
            stack.enter_context(self._queue.runner.counting(self._options, stop))
            stack.enter_context(self._queue.nudged(self._due.nudge, self._ticker.nudge))
            await self._assemble(stop).run(stop, hurry, ClockSettings().drain)

    async def _take_name(self, stop: asyncio.Event) -> bool:
        """False when we are to stop before the name is ours."""
        taking, stopping = asyncio.create_task(self._lease.take()), asyncio.create_task(stop.wait())
        try:
            await asyncio.wait((taking, stopping), return_when="FIRST_COMPLETED")
            return taking.done() and taking.result() is None
        finally:
            taking.cancel()
            stopping.cancel()

    @contextlib.asynccontextmanager
    async def _metrics(self) -> AsyncGenerator[None]:
        port = self._options.metrics_port
        if port is None:
            yield
            return
        async with metrics_server.serving(self._options.metrics_host, port, self._queue.metrics):
            yield

    def _assemble(self, stop: asyncio.Event) -> Worker:
        heartbeat = Heartbeat(self._mailbox, self._deliveries, self._pace)
        return Worker(
            self._mailbox,
            reading=self._reading(stop),
            holding=(self._acks.run, heartbeat.run, self._lease.keep),
            busy=lambda: self._work.tasks | set(self._ticker.running.values()),
            settle=self._acks.settle,
            labels=self._options.labels,
            pace=self._pace,
            pulse=self._pulse,
        )

    def _assemble_work(self, broker: Broker) -> Work:
        return Work(
            self._deliveries,
            self._acks,
            self._queue.guard,
            broker.signer,
            self._queue.runner,
            self._queue.quarantine,
            self._pace.last_words,
            on_done=self._ticker.nudge,
            on_uncounted=lambda: self._receiver.allow_one_more(),
        )

    def _assemble_receiver(self, broker: Broker) -> Receiver:
        queue, labels = self._queue, self._options.labels
        poison = Poison(queue.guard, broker.signer, queue.quarantine, queue.poisoned)
        take_over = TakeOver(self._mailbox, self._deliveries, poison, labels, self._pace.abandoned)
        return Receiver(
            self._mailbox,
            self._deliveries,
            take_over,
            labels,
            self._pace,
            begin=self._work.begin,
            most=self._options.max_jobs,
            pulse=self._pulse,
            worker_id=self._worker_id,
        )

    def _reading(self, stop: asyncio.Event) -> Iterator[Callable[[], Loop]]:
        yield self._receiver.run
        yield partial(self._queue.release.run, self._pace.release)
        if self._options.scheduler:
            yield self._due.run
            yield self._ticker.run
        if self._options.max_time is not None:
            yield partial(asyncio.sleep, self._options.max_time)
        if self._options.memory is not None:
            yield partial(_stop_on_memory, stop, self._options.memory, MEMORY)
        if self._options.stop_when_empty:
            yield self._until_empty

    async def _until_empty(self) -> None:
        while True:
            await asyncio.sleep(EMPTY)
            if await self._is_empty():
                return

    async def _is_empty(self) -> bool:
        at_rest = self._receiver.found_nothing and not len(self._deliveries)
        looked = self._due.looked or not self._options.scheduler
        if not (at_rest and self._queue.release.looked and looked):
            return False
        try:
            return await self._mailbox.length(self._options.labels) == 0
        except AWAY:
            return False


def _pace(pace: Pace, options: Options) -> Pace:
    return replace(pace, block=EMPTY) if options.stop_when_empty else pace
