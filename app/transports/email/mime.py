"""From an email that is ready to send to the bytes of its message."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC
from email.utils import format_datetime
from uuid import UUID

from app.transports.contract import Address, OutboundEmail
from app.transports.email.addresses import to_mailbox
from app.transports.email.fields import address_field, custom_field, text_field
from app.transports.email.parts import build_body
from app.transports.email.unsendable import require_custom_header


@dataclass(frozen=True, slots=True)
class Letter:
    """A message and its envelope.

    ``content`` has CRLF line ends and is ASCII unless ``needs_smtputf8``: then addresses in its
    header are UTF-8 (RFC 6532).
    """

    sender: str
    receiver: str
    message_id: str
    content: bytes
    needs_smtputf8: bool


def build_letter(email: OutboundEmail, domain: str, tag_header: str = "") -> Letter:
    """The same bytes for the same item and ``provider_key``, however often it is called.

    ``domain``: the right side of Message-ID. ``tag_header``: the name of the field that carries
    each tag; empty: tags are not sent. Raises :class:`UnsendableEmail`.
    """
    head = "\r\n".join(write_head(email, domain, tag_header)) + "\r\n"
    return Letter(
        sender=to_mailbox("From", email.sender.email),
        receiver=to_mailbox("The receiver", email.receiver.email),
        message_id=message_id(email.item_id, domain),
        content=head.encode("utf-8") + build_body(email).as_bytes(),
        needs_smtputf8=not all(has_ascii_local_part(one) for one in all_addresses(email)),
    )


def message_id(item_id: UUID, domain: str) -> str:
    """One for all attempts of an item, so that receivers can tell a repetition."""
    return f"<item-{item_id}@{domain}>"


def write_head(email: OutboundEmail, domain: str, tag_header: str) -> Iterator[str]:
    yield address_field("From", [email.sender])
    yield from write_receivers(email)
    if email.reply_to:
        yield address_field("Reply-To", email.reply_to)
    yield text_field("Subject", email.subject)
    yield f"Date: {format_datetime(email.queued.astimezone(UTC))}"
    yield f"Message-ID: {message_id(email.item_id, domain)}"
    for name, value in email.headers.items():
        yield custom_field(require_custom_header(name), value)
    if tag_header:
        yield from (custom_field(tag_header, tag) for tag in email.tags)


def write_receivers(email: OutboundEmail) -> Iterator[str]:
    """The whole list, whoever this one is for; somebody in Bcc sees nobody else."""
    if email.to:
        yield address_field("To", email.to)
    if email.cc:
        yield address_field("Cc", email.cc)
    if not email.to and not email.cc:
        yield "To: undisclosed-recipients:;"


def all_addresses(email: OutboundEmail) -> Iterator[Address]:
    yield from (email.sender, email.receiver, *email.to, *email.cc, *email.reply_to)


def has_ascii_local_part(address: Address) -> bool:
    return address.email.rpartition("@")[0].isascii()
