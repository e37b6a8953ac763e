"""Wires the queue: our manager in place of arvel's, and a worker in the web process if wanted."""

from typing import Any, override

from arvel.kernel import Application, ServiceProvider
from arvel.queue import FailedJob, JobBatch

from app.providers.broker import BrokerProvider
from app.settings import ClockSettings, DispatchSettings, QueueSettings
from app.worker.batches import BatchWatch
from app.worker.cache import Cache
from app.worker.clocks import check_clocks
from app.worker.embedded import EmbeddedWorker, when_served
from app.worker.letters import Watch
from app.worker.open_requests import OpenRequests
from app.worker.queue import Queue


class QueueProvider(ServiceProvider):
    def __init__(self, app: Application) -> None:
        super().__init__(app)
        self._requests = OpenRequests()
        self._embedded = EmbeddedWorker(app, self._requests)

    @override
    def register(self) -> None:
        # Arvel's own provider registers later, and would replace a binding made here.
        self.app.extend("queue", self._queue)
        self.app.extend("cache", self._cache)
        self.app.instance("http.requests", self._requests)
        when_served(self.app, self._embed)

    @override
    def boot(self) -> None:
        check_clocks(ClockSettings(), QueueSettings())
        queue: Queue = self.app.make("queue")
        FailedJob.observe(Watch(queue.guard))
        JobBatch.observe(BatchWatch(queue.guard))
        self.app.terminating(queue.close)
        # Booted last, so that its check replaces arvel's.
        self.app.register(BrokerProvider(self.app))

    def _queue(self, _old: Any, app: Any) -> Queue:
        return Queue(app)

    def _cache(self, _old: Any, app: Any) -> Cache:
        return Cache(app)

    def _embed(self) -> None:
        self.app.on("booted", self._start)
        # Fires before resources close, so that what is drained can still be recorded.
        self.app.on("terminating", self._stop)

    async def _start(self, _app: Application) -> None:
        if DispatchSettings().embedded_worker:
            await self._embedded.start()

    async def _stop(self, _app: Application) -> None:
        await self._embedded.stop()
