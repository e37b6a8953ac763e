"""An email as it would be handed to a mail server."""

import asyncio
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import urlsplit

from msgspec import Meta, Struct

from app.items import InvalidMessage
from app.items.attachments import Files
from app.models.queries.compose_email import Mailbox, NewEmail
from app.settings import DispatchSettings, SmtpSettings
from app.transports.channels import current
from app.transports.contract import Address, File, OutboundEmail
from app.transports.email.mime import build_letter, write_head
from app.transports.email.tracking import TrackingKeys
from app.transports.email.unsendable import UnsendableEmail


class HeaderLine(Struct):
    """A header field of an email, unfolded."""

    name: str
    value: Annotated[str, Meta(description="As it travels: encoded where it must be.")]


async def weigh(email: NewEmail, files: Files) -> tuple[int, list[HeaderLine]]:
    """Its size in bytes and its header; raises :class:`InvalidMessage`."""
    outbound = as_sent(email, files)
    try:
        outbound = current().tracking.attach(
            outbound, TrackingKeys(outbound.item_id, outbound.provider_key)
        )
        letter = await asyncio.to_thread(build_letter, outbound, domain())
        return len(letter.content), [split(line) for line in write_head(outbound, domain(), "")]
    except UnsendableEmail as unsendable:
        raise InvalidMessage({"message": [str(unsendable)]}) from None


def split(field: str) -> HeaderLine:
    name, _, value = field.replace("\r\n", "").partition(":")
    return HeaderLine(name, value.strip())


def domain() -> str:
    """The right side of Message-ID."""
    own = SmtpSettings().message_id_domain
    return own or urlsplit(DispatchSettings().public_urls[0]).hostname or "localhost"


def as_sent(email: NewEmail, files: Files) -> OutboundEmail:
    """What the first receiver would get now."""
    first = next(box for box in email.mailboxes if box.item_id is not None)
    key = first.item_id or uuid.uuid7()
    return OutboundEmail(
        item_id=key,
        attempt_id=uuid.uuid7(),
        provider_key=uuid.uuid7(),
        sender=Address(email.sender_address, email.sender_name),
        receiver=Address(first.address, first.name),
        to=shown(email.mailboxes, "to"),
        cc=shown(email.mailboxes, "cc"),
        reply_to=shown(email.mailboxes, "reply_to"),
        subject=email.subject,
        text=email.text,
        html=email.html,
        headers=email.headers,
        tags=tuple(email.tags),
        files=tuple(File(f.name, f.content_type, f.content, f.content_id) for f in files.uploads),
        queued=datetime.now(UTC),
    )


def shown(mailboxes: Sequence[Mailbox], role: str) -> tuple[Address, ...]:
    return tuple(Address(box.address, box.name) for box in mailboxes if box.role == role)
