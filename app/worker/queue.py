"""What is bound as ``queue``: arvel's manager with our publishing, our worker and our letters."""

import asyncio
import contextlib
import signal
import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, override

from arvel.cache import CacheSettings
from arvel.queue import Job
from arvel.support.signals import signal_traps

from app.settings import QueueSettings
from app.worker.guard import KnownJob
from app.worker.known import Known
from app.worker.lease import WorkerIdTaken
from app.worker.letters import Letter, Letters
from app.worker.metrics_server import Render, render_registry
from app.worker.names import LABELS
from app.worker.options import Options, configured, labels_of
from app.worker.pace import Pace
from app.worker.poison import OnPoisoned, ignore_poisoned
from app.worker.publishing import Publishing
from app.worker.quarantine import Quarantine
from app.worker.refused import check_setup
from app.worker.release import Release
from app.worker.runner import Runner
from app.worker.service import Service
from app.worker.ticks import Tick, configured_ticks


class Queue(Publishing):
    """Providers may set ``on_poisoned``, which is told of jobs that were delivered too often, and
    ``metrics``, which renders what a worker serves on its metrics port."""

    def __init__(self, app: Any = None, broker: Any = None, known: Known | None = None) -> None:
        super().__init__(app, broker, known)
        self.on_poisoned: OnPoisoned = ignore_poisoned
        self.metrics: Render = render_registry
        self.pace = Pace()
        self.runner = self._worker = Runner(
            get_broker=lambda: self.broker,
            push_instance=self.push_instance,
            dispatch_after=self.dispatch_after,
            release_due=self.release_due_jobs,
            queue_label=self._queue_label,
            is_durable=self._is_durable,
            get_app=lambda: self.app,
        )
        self._nudges: list[Callable[[], None]] = []

    @override
    async def work(
        self,
        queues: Sequence[str] | None = None,
        *,
        release_interval: float = 1.0,
        max_jobs: int | None = None,
        max_time: float | None = None,
        stop_when_empty: bool = False,
        rest: float = 0.0,
        memory: float | None = None,
    ) -> None:
        """Run a worker as ``queue:work`` names it, and else as configured.

        Raises:
            WorkerRefused: it could not do its work as configured; the text says why.
            UnknownQueue: nothing is ever put on one of ``queues``.
            SystemExit: 2, after it said whose name this is.
        """
        usual, labels = configured(), labels_of(self._read_for(queues))
        options = replace(
            usual,
            labels=usual.labels if labels == LABELS else labels,
            max_jobs=max_jobs or usual.max_jobs,
            max_time=max_time or usual.max_time,
            stop_when_empty=stop_when_empty or usual.stop_when_empty,
            rest=rest or usual.rest,
            memory=memory or usual.memory,
        )
        try:
            await self.work_as(options)
        except WorkerIdTaken as taken:
            print(f"Error: {taken}", file=sys.stderr)
            raise SystemExit(2) from None

    def _read_for(self, queues: Sequence[str] | None) -> list[str]:
        return [self.known.queue(name.strip()) for name in queues or () if name.strip()]

    async def work_as(self, options: Options) -> None:
        """Run a worker until a signal or a limit stops it; a second signal cuts its drain short.

        Raises:
            WorkerRefused: it could not do its work as configured; the text says why.
            WorkerIdTaken: another worker that is alive has its name.
        """
        stop, hurry = asyncio.Event(), asyncio.Event()

        def signalled() -> None:
            (hurry if stop.is_set() else stop).set()

        with signal_traps({signal.SIGTERM: signalled, signal.SIGINT: signalled}):
            await self.serve(options, stop, hurry)

    async def serve(self, options: Options, stop: asyncio.Event, hurry: asyncio.Event) -> None:
        """Run a worker until ``stop``, without touching the signals of the process.

        Raises:
            WorkerRefused: it could not do its work as configured; the text says why.
            WorkerIdTaken: another worker that is alive has its name.
        """
        self.check()
        await Service(self, self.broker, options).run(stop, hurry)

    def check(self) -> None:
        """Refuse a set-up in which a worker could not do its work.

        Raises:
            WorkerRefused: the text names the setting to change.
            NoKey: APP_KEY is not set.
        """
        settings = QueueSettings()
        check_setup(settings.default, CacheSettings().default, settings.concurrency)
        _ = self.broker
        self.known.discover()

    @override
    async def release_due_jobs(
        self, now: int | None = None, *, queues: Sequence[str] | None = None
    ) -> int:
        """Hand over jobs that have come due, of all queues; how many those were."""
        return (await self.release.once())[0]

    @override
    async def _note_stored(self) -> None:
        if self.on_broker:
            self.release.nudge()

    def nudge(self) -> None:
        """Let this process's workers look at once for what has come due."""
        for nudge in self._nudges:
            nudge()

    @contextlib.contextmanager
    def nudged(self, *nudges: Callable[[], None]) -> Generator[None]:
        """For a worker: be nudged as long as the block runs."""
        self._nudges += nudges
        try:
            yield
        finally:
            self._nudges = [nudge for nudge in self._nudges if nudge not in nudges]

    async def poisoned(self, job: KnownJob) -> None:
        await self.on_poisoned(job)

    async def run_here(self, job: Job) -> object:
        """Run a job in this task, as a worker would call it."""
        return await self.app.call(job.handle)

    @override
    async def retry_failed(self, failed_id: str | None = None) -> list[Letter]:
        """Revive one dead letter, or all of them; those that were revived.

        Raises:
            LetterRefused: it stays a dead letter; the text says why.
        """
        if not self.on_broker:
            return await super().retry_failed(failed_id)
        if failed_id is None:
            return await self.letters.revive_all()
        return await self.letters.revive(failed_id)

    async def close(self) -> None:
        """Close the connections to the broker that this loop has opened."""
        if self._drivers and self.on_broker:
            await self.broker.shutdown()

    @cached_property
    def ticks(self) -> list[Tick]:
        return configured_ticks()

    @cached_property
    def letters(self) -> Letters:
        return Letters(self.guard, self.publish_payload)

    @cached_property
    def quarantine(self) -> Quarantine:
        return Quarantine(self.broker)

    @cached_property
    def release(self) -> Release:
        reserve = QueueSettings().retry_after
        return Release(self.guard, self._publisher, self.quarantine, reserve)
