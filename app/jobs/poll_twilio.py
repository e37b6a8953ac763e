"""Asks for the status of SMS whose channel gets no webhooks."""

from typing import override

from arvel.queue import Job

from app.items import timeouts
from app.jobs.look_up import look_up
from app.transports.channels import current


class PollTwilio(Job):
    """Least recently asked first, by the provider's id: foreign messages are never read."""

    tries = 1

    @override
    async def handle(self) -> None:
        if current().pollable:
            await timeouts.poll(look_up, current().pollable)
