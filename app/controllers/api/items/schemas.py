"""A queue item as the API shows it."""

from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType

from app.controllers.api.items import parts
from app.controllers.api.items.parts import Hidden
from app.controllers.api.items.query import Method
from app.workflow import ErrorKind, State


class Origin(Struct):
    """The record that caused the message."""

    type: str
    id: str


class ItemLinks(Struct):
    """Addresses below the API's host."""

    self: str
    sent_item: Annotated[str | None, Meta(description="Among sent items, when it is done.")]
    cloned_from: Annotated[str | None, Meta(description="The item that this is a copy of.")]


class Item(Struct, kw_only=True):
    """One message to one receiver.

    Expansions are there when they are asked for; `attempts`, `events` and `history` hold the last
    100, oldest first.
    """

    id: UUID
    method: Method
    channel: Annotated[str, Meta(description="The provider account that it goes through.")]
    priority: Literal["high", "default", "bulk"]
    state: State
    done: Annotated[bool, Meta(description="Whether it is a sent item.")]
    error_kind: Annotated[ErrorKind | None, Meta(description="Why it is errored.")]
    error: Annotated[str | None, Meta(description="The error kind in words.")]
    result: Annotated[Hidden, Meta(description="What is known of its end or of its failure.")]
    next_step: Annotated[str, Meta(description="What happens to it by itself, in words.")]
    attempt_count: Annotated[int, Meta(description="Transmissions that were begun.")]
    retries: Annotated[int, Meta(description="Automatic retries since it was last queued.")]
    retry_delay: Annotated[float | None, Meta(description="Seconds before the coming retry.")]
    copies: Annotated[
        int, Meta(description="Messages known as accepted: with 2 there is a second copy.")
    ]
    may_have_been_sent: Annotated[
        bool, Meta(description="Whether nobody knows if some attempt of it was sent.")
    ]
    delivered_after_cancel: Annotated[
        bool, Meta(description="Whether it was delivered although it was cancelled.")
    ]
    cloned_from: Annotated[UUID | None, Meta(description="The item that this is a copy of.")]
    message_id: Annotated[Hidden, Meta(description="The id that the provider gave.")]
    subject: Annotated[Hidden, Meta(description="Of an email.")]
    receiver_name: Hidden
    receiver_address: Annotated[Hidden, Meta(description="An address, or a number.")]
    role: Literal["to", "cc", "bcc"]
    origin: Origin | None
    tags: list[str]
    created_by: Annotated[str | None, Meta(description="Who had it sent.")]
    request_id: Annotated[UUID | None, Meta(description="The request that had it sent.")]
    queued: datetime
    send_at: Annotated[datetime | None, Meta(description="It is not sent before.")]
    expires_at: Annotated[datetime | None, Meta(description="It is not sent after.")]
    due_at: Annotated[
        datetime | None, Meta(description="From when it may be sent, while it waits.")
    ]
    accepted_at: datetime | None
    finished_at: Annotated[datetime | None, Meta(description="When it came to be done.")]
    last_updated: datetime
    masked: Annotated[
        bool, Meta(description="Whether content was left out, because `read_content` is missing.")
    ] = False
    links: ItemLinks
    sender: parts.Sender | UnsetType = UNSET
    receiver: parts.Receiver | UnsetType = UNSET
    email: parts.Email | UnsetType | None = UNSET
    sms: parts.Sms | UnsetType | None = UNSET
    attempts: list[parts.Attempt] | UnsetType = UNSET
    events: list[parts.Event] | UnsetType = UNSET
    history: list[parts.Change] | UnsetType = UNSET
    attachments: list[parts.Attachment] | UnsetType = UNSET


class ItemCount(Struct):
    """How many items the whole list has."""

    value: Annotated[int, Meta(ge=0, le=10_000)]
    capped: Annotated[
        bool, Meta(description="There are at least `value`; counting further would take long.")
    ]


class ItemPage(Struct, omit_defaults=True):
    """Some of the items, and where the next ones are."""

    data: list[Item]
    next: Annotated[
        str | None,
        Meta(
            description="`cursor` of the next page; `null` on the last one. A page with a `next`"
            " may hold fewer items than `limit`, even none: what is asked for is rare, and the"
            " search goes on there."
        ),
    ]
    count: Annotated[ItemCount | UnsetType, Meta(description="Where `count` asked for it.")] = UNSET
