"""Runs one message through arvel: its middleware, time limit, retries, chain and batch."""

import asyncio
import contextlib
from collections.abc import Generator

from arvel.queue.serialization import deserialize_any
from arvel.queue.worker import (
    JobWorker,
    _WorkerOptions,  # pyright: ignore[reportPrivateUsage]  # what arvel counts jobs in
)

from app.jobs.holds import Held, holding
from app.worker import routing
from app.worker.guard import KnownJob
from app.worker.options import Options


class Runner(JobWorker):
    """Arvel's worker without its loop; payloads have passed the guard."""

    @contextlib.contextmanager
    def counting(self, options: Options, stop: asyncio.Event) -> Generator[None]:
        """While a worker runs: arvel counts jobs, rests between them, and stops after enough."""
        self._worker_options = _WorkerOptions(
            max_jobs=options.max_jobs, rest=options.rest, stop_when_empty=False
        )
        self._worker_stop = stop
        try:
            yield
        finally:
            self._worker_options = self._worker_stop = None

    async def run(self, payload: str, job: KnownJob, label: str, last_words: float) -> None:
        """Run the job, and wait for what it holds.

        A cancelled run gives what it holds ``last_words`` seconds to end. Whatever this raises
        means that the message must not be acknowledged.
        """
        routing.running.set((job.job_cls, label))
        with holding() as held:
            try:
                try:
                    await self._invoke(await deserialize_any(payload), queue_label=label)
                finally:
                    await _wait_for(held)
            except asyncio.CancelledError:
                await _cut_short(held, last_words)
                raise


async def _wait_for(held: Held) -> None:
    task = asyncio.current_task()
    while held and task is not None and not task.cancelling():
        await asyncio.wait(held)


async def _cut_short(held: Held, seconds: float) -> None:
    for task in held:
        task.cancel()
    if held:
        await asyncio.wait(held, timeout=seconds)
