"""Looks for RabbitMQ when a process starts, with the client that the queue has."""

from typing import override

from arvel.kernel import ServiceProvider

from app.settings import QueueSettings


class BrokerProvider(ServiceProvider):
    @override
    def boot(self) -> None:
        settings = QueueSettings()
        if settings.default == "amqp":
            from app.worker.amqp.reachable import Reachable

            self.app.resources.register(Reachable(settings.url))
