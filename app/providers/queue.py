"""Wires the queue: our manager in place of arvel's."""

from typing import Any, override

from arvel.kernel import ServiceProvider

from app.worker.queue import Queue


class QueueProvider(ServiceProvider):
    @override
    def register(self) -> None:
        # Arvel's own provider registers later, and would replace a binding made here.
        self.app.extend("queue", self._queue)

    def _queue(self, _old: Any, app: Any) -> Queue:
        return Queue(app)
