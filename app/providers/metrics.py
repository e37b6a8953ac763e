"""Wires the metrics of every process; the web process shows them by ``app/providers/watching``."""

from typing import override

from arvel.kernel import ServiceProvider

from app.worker.metrics import Metrics
from app.worker.queue import Queue


class MetricsProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        queue: Queue = self.app.make("queue")
        metrics = Metrics(queue)
        queue.metrics = metrics.render
        self.app.instance("metrics", metrics)
