"""What providers reported, as callers list and read it."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from msgspec import UNSET, Meta, Struct

from app.controllers.api.masking import CONTENT
from app.controllers.api.operating.cursors import Cursor, Limit, Next
from app.controllers.api.operating.filters import Moment
from app.models.statements import Row
from app.transports.contract import EventType

type Hidden = Annotated[str | None, CONTENT]
type ProviderName = Annotated[str, Meta(min_length=1, max_length=64, pattern="^[^\\u0000]*$")]


class EventQuery(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | None = None
    provider: Annotated[ProviderName, Meta(description="Whose reports.")] | None = None
    item_id: Annotated[UUID, Meta(description="About which queue item.")] | None = None
    type: Annotated[EventType, Meta(description="What happened.")] | None = None
    standing: (
        Annotated[
            Literal["applied", "unapplied", "failed"],
            Meta(description="`failed`: applying it failed five times."),
        ]
        | None
    ) = None
    received_from: (
        Annotated[Moment, Meta(description="Received at this time or later; with a zone.")] | None
    ) = None
    received_until: (
        Annotated[Moment, Meta(description="Received before this time; with a zone.")] | None
    ) = None


class ReportedEvent(Struct, kw_only=True):
    """What a provider reported."""

    id: UUID
    provider: str
    type: Annotated[str, Meta(description="What happened: delivered, bounced, opened, …")]
    report: Annotated[
        str, Meta(description="What that says of the attempt: in_flight, engaged, delivered, …")
    ]
    status: Annotated[str, Meta(description="The provider's own word for it.")]
    code: Annotated[str, Meta(description="The provider's code.")]
    text: Hidden
    reason: Hidden
    message_id: Annotated[Hidden, Meta(description="The provider's id of the message.")]
    recipient: Hidden
    item_id: Annotated[UUID | None, Meta(description="The item that it was found to be about.")]
    attempt_id: UUID | None
    occurred_at: Annotated[datetime | None, Meta(description="By the provider's clock.")]
    received_at: datetime
    applied_at: Annotated[datetime | None, Meta(description="When the item was told.")]
    verdict: Annotated[str | None, Meta(description="What came of it.")]
    failures: Annotated[int, Meta(description="How often applying it failed; five is the most.")]
    raw: Annotated[
        Any, CONTENT, Meta(description="As it came, `{}` once it was pruned; not in lists.")
    ] = UNSET
    masked: Annotated[
        bool, Meta(description="Whether content was left out, because `read_content` is missing.")
    ] = False


class EventPage(Struct):
    """Some of the events, and where the next ones are."""

    data: list[ReportedEvent]
    next: Next


class ReplayWanted(Struct, forbid_unknown_fields=True):
    """How far back a replay goes."""

    to: Annotated[
        Literal["item", "parser"],
        Meta(
            description="`item`: what was understood is applied again. `parser`: what the provider"
            " sent is read again first."
        ),
    ]


class ReplayedEvent(Struct):
    """What came of an event."""

    id: UUID
    verdict: Annotated[
        str | None,
        Meta(description="`kept`: it changed nothing more. `null`: applying it failed, see log."),
    ]
    item_id: Annotated[UUID | None, Meta(description="The item that it is about.")]
    state: Annotated[str | None, Meta(description="What the item is now.")]
    history_id: Annotated[
        int | None, Meta(description="The last line of the item's history that this caused.")
    ]


class Replayed(Struct):
    """What came of the event, and of what else was read from it."""

    data: list[ReplayedEvent]


def show(row: Row) -> ReportedEvent:
    names = [name for name in ReportedEvent.__struct_fields__ if name not in ("raw", "masked")]
    return ReportedEvent(**{name: row[name] for name in names})


EVENT_EXAMPLE: dict[str, Any] = {
    "id": "019c1f70-31aa-7e02-b7f4-6d1c2b3a4f50",
    "provider": "postmark",
    "type": "bounced",
    "report": "failed",
    "status": "Bounce/HardBounce",
    "code": "HardBounce",
    "text": "Postmark: The server was unable to deliver your message",
    "reason": "bounced",
    "message_id": "883953f4-6105-42a2-a16a-77a8eac79483",
    "recipient": "anna@example.com",
    "item_id": "019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11",
    "attempt_id": "019c1f6e-6b20-7d02-9f11-3c4d5e6f7a8b",
    "occurred_at": "2026-05-01T09:02:10Z",
    "received_at": "2026-05-01T09:02:12Z",
    "applied_at": "2026-05-01T09:02:12Z",
    "verdict": "normal",
    "failures": 0,
    "masked": False,
}
