"""What belongs to an item, as expansions show it."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import Meta, Struct

from app.controllers.api.masking import CONTENT

type Hidden = Annotated[str | None, CONTENT]


class Sender(Struct):
    """Who the message is from, as it was composed."""

    id: Annotated[UUID | None, Meta(description="Of `/api/senders`, if it was one of these.")]
    name: Hidden
    address: Annotated[Hidden, Meta(description="An address, or the number of an SMS.")]


class Receiver(Struct):
    """Who the message is for, as it was composed."""

    id: Annotated[UUID | None, Meta(description="Of `/api/receivers`, if it was one of these.")]
    name: Hidden
    address: Annotated[Hidden, Meta(description="An address, or a number.")]
    role: Annotated[Literal["to", "cc", "bcc"], Meta(description="Where it stands.")]


class Mailbox(Struct):
    """A name and an address, as the email shows them."""

    name: Hidden
    address: Hidden


class Email(Struct):
    """The content of an email, shared by the items of all its receivers."""

    id: UUID
    subject: Hidden
    text: Annotated[Hidden, Meta(description="In lists only the first 10,000 characters.")]
    html: Annotated[Hidden, Meta(description="In lists only the first 10,000 characters.")]
    cut: Annotated[bool, Meta(description="Whether `text` or `html` goes on.")]
    headers: Annotated[dict[str, str] | None, CONTENT]
    to: Annotated[list[Mailbox], CONTENT]
    cc: Annotated[list[Mailbox], CONTENT]
    bcc: Annotated[list[Mailbox], CONTENT]
    reply_to: Annotated[list[Mailbox], CONTENT]


class Sms(Struct):
    """The content of an SMS."""

    id: UUID
    body: Hidden
    media_url: Hidden


class Attempt(Struct):
    """One transmission."""

    id: UUID
    number: Annotated[int, Meta(description="Counts from 1.")]
    provider: str
    message_id: Annotated[Hidden, Meta(description="The provider's id.")]
    outcome: Annotated[
        Literal["accepted", "rejected", "try_later", "not_sent", "unknown"] | None,
        Meta(description="What the call came to; `null` until it is recorded."),
    ]
    report: Annotated[
        Literal["in_flight", "engaged", "delivered", "failed"] | None,
        Meta(description="The strongest that the provider reported since."),
    ]
    accepted: Annotated[bool, Meta(description="The provider is known to have taken it.")]
    may_have_been_sent: Annotated[bool, Meta(description="Nobody knows whether it was sent.")]
    recovered: Annotated[bool, Meta(description="Known from a report, not by our own record.")]
    code: Annotated[str | None, Meta(description="The provider's code.")]
    text: Annotated[Hidden, Meta(description="What the provider said.")]
    started_at: datetime
    ended_at: datetime | None


class Event(Struct):
    """What a provider reported."""

    id: UUID
    attempt_id: UUID | None
    provider: str
    type: Annotated[str, Meta(description="What happened: delivered, bounced, opened, …")]
    status: Annotated[str, Meta(description="The provider's own word for it.")]
    code: Annotated[str, Meta(description="The provider's code.")]
    text: Hidden
    reason: Hidden
    occurred_at: Annotated[datetime | None, Meta(description="By the provider's clock.")]
    received_at: datetime
    applied_at: Annotated[datetime | None, Meta(description="When the item was told.")]
    verdict: Annotated[str | None, Meta(description="What the item did with it.")]
    raw: Annotated[
        Any,
        CONTENT,
        Meta(description="As it came, without what exceeds 64 kB; not in lists."),
    ]


class Change(Struct):
    """A change of state, or an attempt at one; or a `download` of a file, which changes nothing."""

    at: datetime
    transition: str
    from_state: str | None
    to_state: str | None
    actor: Annotated[str, Meta(description="A worker, or `owner/token` of who asked for it.")]
    text: Hidden
    attempt_id: UUID | None
    request_id: Annotated[
        UUID | None, Meta(description="The request or decision that it came from.")
    ]


class Attachment(Struct):
    """A file of an email."""

    id: UUID
    name: Hidden
    content_type: str
    size: Annotated[int, Meta(description="Bytes.")]
    content_id: Annotated[Hidden, Meta(description="By which HTML refers to it.")]
    removed_at: Annotated[datetime | None, Meta(description="When its file was cleaned away.")]
    href: Annotated[str, Meta(description="Where it can be fetched.")]
