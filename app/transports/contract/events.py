"""What providers report, and the requests that bring it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from uuid import UUID


class Report(StrEnum):
    """What an event says about its attempt (``design``: section 3, rank within one attempt)."""

    IN_FLIGHT = "in_flight"
    ENGAGED = "engaged"  # opened, clicked, complained, …: delivered, but it leaves `sending` alone
    DELIVERED = "delivered"
    FAILED = "failed"
    NOTED = "noted"  # kept and shown; moves nothing


class EventType(StrEnum):
    """The normalised event types, the same for every provider."""

    QUEUED = "queued"
    SENT = "sent"
    REJECTED = "rejected"
    FAILED = "failed"
    BOUNCED = "bounced"
    DEFERRED = "deferred"
    DELIVERED = "delivered"
    AUTORESPONDED = "autoresponded"
    OPENED = "opened"
    CLICKED = "clicked"
    COMPLAINED = "complained"
    UNSUBSCRIBED = "unsubscribed"
    SUBSCRIBED = "subscribed"
    INBOUND = "inbound"
    INBOUND_FAILED = "inbound_failed"
    UNKNOWN = "unknown"


REPORTS: Mapping[EventType, Report] = {
    EventType.QUEUED: Report.IN_FLIGHT,
    EventType.SENT: Report.IN_FLIGHT,
    EventType.DEFERRED: Report.IN_FLIGHT,
    EventType.DELIVERED: Report.DELIVERED,
    EventType.REJECTED: Report.FAILED,
    EventType.FAILED: Report.FAILED,
    EventType.BOUNCED: Report.FAILED,
    EventType.AUTORESPONDED: Report.ENGAGED,
    EventType.OPENED: Report.ENGAGED,
    EventType.CLICKED: Report.ENGAGED,
    EventType.COMPLAINED: Report.ENGAGED,
    EventType.UNSUBSCRIBED: Report.ENGAGED,
    EventType.SUBSCRIBED: Report.NOTED,
    EventType.INBOUND: Report.NOTED,
    EventType.INBOUND_FAILED: Report.NOTED,
    EventType.UNKNOWN: Report.NOTED,
}


@dataclass(frozen=True, slots=True)
class ProviderEvent:
    """One thing that a provider said about one message.

    ``event_key`` is the provider's event id or a digest of what was said, never of how it came, so
    that the same news by webhook and by polling is one event. ``item_key`` and ``attempt_key`` are
    ours, as the message carried them; where a transport doesn't know them, the tracking strategy
    may find them in ``metadata`` and ``tags``, which are the message's as the provider returned
    them. ``occurred_at`` is the provider's clock: shown, never judged.
    """

    event_key: str
    type: EventType
    status: str
    message_id: str | None = None
    item_key: UUID | None = None
    attempt_key: UUID | None = None
    recipient: str = ""
    code: str = ""
    text: str = ""
    reason: str = ""
    occurred_at: datetime | None = None
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    tags: tuple[str, ...] = ()
    raw: Mapping[str, object] = field(default_factory=dict[str, object])

    @property
    def report(self) -> Report:
        return REPORTS[self.type]


@dataclass(frozen=True, slots=True)
class RawRequest:
    """A webhook request before anything is interpreted.

    ``url`` is our configured public URL of the route plus the query string byte for byte: what the
    provider called and signed, whatever proxies did to host and scheme. ``urls`` holds the same for
    every public URL that is valid during a move. Header names are lower case.
    """

    method: str
    urls: tuple[str, ...]
    query_string: bytes
    headers: Mapping[str, str]
    body: bytes


class WebhookRefused(Exception):
    """The request is not what our provider would send. ``reason`` is for our log only.

    ``final``: no other proof would change that, so it is answered by 403 whatever asks this
    provider for its proof.
    """

    def __init__(self, reason: str, *, final: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.final = final


class WebhookUnreadable(Exception):
    """The request is authentic, but it can't be read as events."""
