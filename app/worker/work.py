"""The messages being worked on: each in a task of its own, until it is settled or given up."""

import asyncio
from collections.abc import Callable

from app.worker.acks import Acks
from app.worker.connection import AWAY
from app.worker.delivery import Deliveries, Delivery
from app.worker.guard import Guard, KnownJob
from app.worker.names import log
from app.worker.quarantine import Quarantine
from app.worker.refusal import Refused
from app.worker.runner import Runner
from app.worker.signing import Signer


class Work:
    """Calls ``on_done`` for each job that ended, ``on_uncounted`` for one that did not count."""

    def __init__(
        self,
        deliveries: Deliveries,
        acks: Acks,
        guard: Guard,
        signer: Signer,
        runner: Runner,
        quarantine: Quarantine,
        last_words: float,
        on_done: Callable[[], None],
        on_uncounted: Callable[[], None],
    ) -> None:
        self._deliveries = deliveries
        self._acks = acks
        self._guard = guard
        self._signer = signer
        self._runner = runner
        self._quarantine = quarantine
        self._last_words = last_words
        self._on_done = on_done
        self._on_uncounted = on_uncounted
        self.tasks: set[asyncio.Task[None]] = set()

    def begin(self, delivery: Delivery) -> None:
        """Hold the message from now on, and start on it."""
        self._deliveries.add(delivery)
        try:
            payload, job = self._guard.open(
                self._signer, delivery.label, delivery.data, delivery.signature
            )
        except Refused as refused:
            task = asyncio.create_task(self._refuse(delivery, refused))
        else:
            task = asyncio.create_task(self._run(delivery, payload, job))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _run(self, delivery: Delivery, payload: str, job: KnownJob) -> None:
        try:
            await self._runner.run(payload, job, delivery.label, self._last_words)
        except Refused as refused:
            await self._refuse(delivery, refused)
        except asyncio.CancelledError:
            self._give_up(delivery)
            raise
        except BaseException as error:
            # Not acknowledged: whoever takes it over when it looks abandoned tries again.
            log().error("job_not_finished", job=job.job_cls.__name__, error=type(error).__name__)
            self._give_up(delivery)
        else:
            self._on_done()
            self._acks.add(delivery)

    async def _refuse(self, delivery: Delivery, refused: Refused) -> None:
        try:
            await self._quarantine.put(delivery, refused.reason)
        except AWAY as error:
            log().warning("quarantine_failed", error=type(error).__name__)
        self._give_up(delivery)

    def _give_up(self, delivery: Delivery) -> None:
        self._on_uncounted()
        self._deliveries.drop(delivery)
