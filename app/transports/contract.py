"""What a transport takes, and what it answers.

A transport knows no model, job or database: it is handed a message that is ready to send, calls its
provider once and returns an :data:`Outcome`. It never raises for a reply that a provider can give;
exceptions of libraries are wrapped here at the edge, without addresses, content or secrets.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol
from uuid import UUID

# --- outcomes: what one call came to


class RejectKind(StrEnum):
    """The provider's error kinds at the call: the message, the receiver's wish, or our account."""

    REJECTED = "rejected"
    OPTED_OUT = "opted_out"
    CONFIGURATION = "configuration"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider took the message. ``final`` means that it will never report on it again."""

    message_id: str | None = None
    text: str = ""
    final: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """The provider refused this message for good; repeating it would be refused again."""

    text: str
    code: str = ""
    kind: RejectKind = RejectKind.REJECTED


@dataclass(frozen=True, slots=True)
class TryLater:
    """The provider asks for another try. ``retry_after`` in seconds, where the provider named one.

    ``may_have_been_sent``: the provider's table does not say that the message was not accepted.
    """

    text: str
    code: str = ""
    retry_after: float | None = None
    may_have_been_sent: bool = False


@dataclass(frozen=True, slots=True)
class NotSent:
    """No byte of the message can have reached the provider; costs no retry."""

    text: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The request was written and no readable answer came: it may have been sent."""

    text: str
    code: str = ""


type Outcome = Accepted | Rejected | TryLater | NotSent | Unknown


# --- what is sent


@dataclass(frozen=True, slots=True)
class Address:
    """A mailbox. ``email`` has an IDNA 2008 domain already (A-labels)."""

    email: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """An attachment's content. ``content_id`` (without angle brackets) makes it inline."""

    name: str
    content_type: str
    content: bytes
    content_id: str | None = None


@dataclass(frozen=True, slots=True)
class OutboundEmail:
    """One email to one receiver; ``to`` and ``cc`` are what the headers show.

    ``metadata`` travels with the message unseen and comes back with its reports: our keys.
    """

    item_id: UUID
    attempt_id: UUID
    provider_key: UUID
    sender: Address
    receiver: Address
    to: tuple[Address, ...]
    cc: tuple[Address, ...]
    reply_to: tuple[Address, ...]
    subject: str
    text: str
    html: str
    headers: Mapping[str, str]
    tags: tuple[str, ...]
    files: tuple[File, ...]
    queued: datetime
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class OutboundSms:
    """One SMS. Numbers are E.164; ``sender`` may be empty where the channel has a default."""

    item_id: UUID
    attempt_id: UUID
    provider_key: UUID
    sender: str
    receiver: str
    body: str
    media_url: str | None


class LeaseOver(Exception):
    """The lease of this attempt is over: nothing may be transmitted any more."""


class MetadataRefused(Exception):
    """The message can't be sent with its metadata, and nothing of it was sent.

    Raised by a transport before it asks the provider, or for an answer that its table lists as
    this. It is then called once more, without metadata. ``reason`` is for our log only.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


type Go = Callable[[], None]
"""Called last before bytes go out; raises :class:`LeaseOver` when the attempt may not transmit."""


# --- what providers report


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
    """The request is not what our provider would send. ``reason`` is for our log only."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WebhookUnreadable(Exception):
    """The request is authentic, but it can't be read as events."""


# --- asking a provider


@dataclass(frozen=True, slots=True)
class AttemptRef:
    """What is known of an attempt when its provider is asked about it."""

    item_id: UUID
    attempt_id: UUID
    provider_key: UUID
    message_id: str | None
    recipient: str
    started_at: datetime


@dataclass(frozen=True, slots=True)
class Found:
    events: tuple[ProviderEvent, ...]
    message_id: str | None = None


@dataclass(frozen=True, slots=True)
class NotFound:
    """The provider says for certain that it never took the message."""


@dataclass(frozen=True, slots=True)
class CannotTell:
    text: str = ""


type LookUp = Found | NotFound | CannotTell


# --- transports


@dataclass(frozen=True, slots=True)
class Facts:
    """A provider's table of facts: what the rest of Pillarbox may know without asking.

    ``reports``: final states arrive by webhook or polling; without them acceptance is the end.
    ``idempotency_window`` in seconds, 0 where the provider does not deduplicate.
    ``max_webhook_bytes``: the provider's own limit of one request.
    ``shares_message_id``: one id may stand for several receivers.
    ``shows_everybody``: headers may name others than the one who gets the message; where not,
    everybody sees only themselves in To.
    ``signs_webhooks``: nobody who merely knows our address and password can write a report.
    ``pause_codes``: outcome codes which say that the provider doesn't know us (any more).
    ``refused_status`` and the others: how a webhook is answered.
    """

    name: str
    method: str  # "email" or "sms"
    reports: bool = True
    idempotency_window: float = 0.0
    shares_message_id: bool = False
    shows_everybody: bool = True
    signs_webhooks: bool = True
    max_webhook_bytes: int = 1_000_000
    refused_status: int = 403
    unreadable_status: int = 400
    not_stored_status: int = 503
    stored_status: int = 200
    max_message_bytes: int | None = None
    error_codes: Mapping[str, str] = field(default_factory=dict[str, str])
    pause_codes: frozenset[str] = frozenset()


class Transport(Protocol):
    @property
    def facts(self) -> Facts: ...

    async def close(self) -> None:
        """Give back connections; safe to call twice."""
        ...


class EmailTransport(Transport, Protocol):
    async def send(self, email: OutboundEmail, go: Go) -> Outcome:
        """Raises :class:`MetadataRefused` for an email with metadata, and nothing else."""
        ...

    async def find(self, attempt: AttemptRef) -> LookUp: ...


class SmsTransport(Transport, Protocol):
    async def send(self, sms: OutboundSms, go: Go) -> Outcome: ...

    async def find(self, attempt: AttemptRef) -> LookUp: ...

    async def status(self, message_id: str) -> LookUp:
        """Ask for one message by the provider's id (polling)."""
        ...


class Webhook(Protocol):
    """The half of a transport that believes, or refuses, what arrives on its route."""

    def authenticate(self, request: RawRequest) -> None:
        """Raises :class:`WebhookRefused` unless the provider itself sent the request."""
        ...

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        """The events of an authentic request; raises :class:`WebhookUnreadable`."""
        ...
