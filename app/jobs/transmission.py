"""One transmission: from the row that the claim returned to the outcome of the call."""

import json
import time
from collections.abc import Callable
from typing import Any, cast
from uuid import UUID

from app.items.attachments import load_files
from app.jobs.email_sending import send_email
from app.jobs.faults import reach
from app.models.statements import Row
from app.transports.channels import current
from app.transports.contract import (
    Address,
    Go,
    LeaseOver,
    NotSent,
    OutboundEmail,
    OutboundSms,
    Outcome,
)


def boot_time() -> float:
    """Seconds since boot, running on while this process or the machine is stopped."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Lease:
    """The right to transmit, and whether and when (``began``) it was used.

    A worker obeys its own lease: ``go`` refuses once so much time has passed since before the
    claim that the call could outlast the lease that the database knows.
    """

    def __init__(
        self, window: float, started: float, clock: Callable[[], float] = boot_time
    ) -> None:
        self._until = started + window
        self._clock = clock
        self.began: float | None = None

    def go(self) -> None:
        if self._clock() >= self._until:
            raise LeaseOver
        self.began = time.monotonic()

    @property
    def used(self) -> bool:
        return self.began is not None


async def transmit(claimed: Row, channel: str, go: Go) -> Outcome:
    """Call the transport of the claimed item once."""
    try:
        if claimed["method"] == "email":
            email = await _email(claimed)
            await reach("before_go")
            channels = current()
            return await send_email(channels.email_named(channel), email, go, channels.tracking)
        await reach("before_go")
        return await current().sms_named(channel).send(_sms(claimed), go)
    except LeaseOver:
        return NotSent("The lease was over before the message could be sent. Nothing was sent.")


def _json(value: Any) -> list[list[Any]]:
    return cast("list[list[Any]]", json.loads(value) if isinstance(value, str) else value or [])


async def _email(row: Row) -> OutboundEmail:
    shown = {
        role: tuple(
            Address(address, name)
            for said, address, name in _json(row["receivers"])
            if said == role
        )
        for role in ("to", "cc", "reply_to")
    }
    return OutboundEmail(
        item_id=row["id"],
        attempt_id=row["attempt_id"],
        provider_key=row["provider_key"],
        sender=Address(row["sender_address"], row["sender_name"]),
        receiver=Address(row["receiver_address"], row["receiver_name"]),
        to=shown["to"],
        cc=shown["cc"],
        reply_to=shown["reply_to"],
        subject=row["subject"],
        text=row["text"],
        html=row["html"],
        headers=cast("dict[str, str]", json.loads(row["headers"])),
        tags=tuple(row["tags"]),
        files=await load_files(_json(row["files"])),
        queued=row["queued"],
    )


def _sms(row: Row) -> OutboundSms:
    return OutboundSms(
        item_id=row["id"],
        attempt_id=row["attempt_id"],
        provider_key=row["provider_key"],
        sender=row["sender_number"],
        receiver=row["receiver_address"],
        body=row["body"],
        media_url=row["media_url"],
    )


def as_uuid(value: str | UUID) -> UUID:
    return value if isinstance(value, UUID) else UUID(value)
