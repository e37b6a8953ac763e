"""Takes over the messages of workers that died."""

from collections.abc import Callable, Sequence

from app.worker.delivery import Deliveries, Delivery
from app.worker.names import log
from app.worker.pace import DELIVERIES
from app.worker.poison import Poison
from app.worker.port import Mailbox


class TakeOver:
    def __init__(
        self,
        mailbox: Mailbox,
        deliveries: Deliveries,
        poison: Poison,
        labels: Sequence[str],
        idle: float,
    ) -> None:
        self._mailbox = mailbox
        self._deliveries = deliveries
        self._poison = poison
        self._labels = labels
        self._idle = idle

    async def take(self, room: int, room_for: Callable[[str], int]) -> list[Delivery]:
        """At most ``room`` abandoned messages, and of each queue as it has; ours from now on."""
        taken: list[Delivery] = []
        for label in self._labels:
            taken += await self._take(label, min(room - len(taken), room_for(label)))
        return taken

    async def give_up_previous(self, worker_id: str) -> None:
        """What an earlier process with our name held counts as abandoned at once: it has ended."""
        for label in self._labels:
            messages = await self._mailbox.abandon(label, worker_id, self._idle)
            if messages:
                log().info("previous_messages_found", queue=label, messages=messages)

    async def _take(self, label: str, room: int) -> list[Delivery]:
        if room < 1:
            return []
        found = await self._mailbox.abandoned(label, self._idle, room)
        worn = [one.id for one in found if one.deliveries >= DELIVERIES]
        fresh = [one.id for one in found if one.deliveries < DELIVERIES]
        for delivery in await self._claim(label, worn):
            await self._poison.stop(delivery)
        return await self._claim(label, fresh)

    async def _claim(self, label: str, ids: Sequence[bytes]) -> list[Delivery]:
        # What we hold ourselves only looks abandoned: our heartbeats did not get through.
        free = [i for i in ids if not self._deliveries.holds(label, i)]
        taken = await self._mailbox.take(label, free, self._idle) if free else []
        if taken:
            log().info("messages_taken_over", queue=label, messages=len(taken))
        return taken
