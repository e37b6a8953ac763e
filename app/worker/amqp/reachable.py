"""Whether RabbitMQ can be reached, asked once when a process starts."""

from arvel.contracts import HealthResult, HealthStatus

from app.worker.amqp import link

HEARTBEAT = 10.0


class Reachable:
    """In place of arvel's check, which wants a client of its own. Makes no queue."""

    def __init__(self, url: str) -> None:
        self.name = "queue:default"
        self.critical = False
        self._url = url

    async def check(self) -> HealthResult:
        connection = await link.connect(self._url, heartbeat=HEARTBEAT, name="pillarbox start")
        await link.close(connection)
        return HealthResult(HealthStatus.OK, detail="AMQP connect")
