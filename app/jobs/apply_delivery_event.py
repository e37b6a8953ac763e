"""Applies one stored event to its attempt and item."""

from typing import override

from arvel.queue import Job

from app.items import evidence
from app.jobs.transmission import as_uuid


class ApplyDeliveryEvent(Job):
    """Takes no lock: one conditional statement decides, in whatever order events come."""

    after_commit = True
    tries = 1

    def __init__(self, event_id: str) -> None:
        self.event_id = str(event_id)

    @override
    async def handle(self) -> None:
        await evidence.apply_safely(as_uuid(self.event_id))
