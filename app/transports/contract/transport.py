"""What a transport is, and what may be known of one without asking it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from app.transports.contract.asking import AttemptRef, LookUp
from app.transports.contract.events import ProviderEvent, RawRequest
from app.transports.contract.messages import Go, OutboundEmail, OutboundSms
from app.transports.contract.outcomes import Outcome


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


@runtime_checkable
class AskingWebhook(Webhook, Protocol):
    """One that has to ask somebody for something before it can judge a request."""

    async def prepare(self, request: RawRequest) -> None:
        """Called before ``authenticate``. Raises :class:`WebhookRefused`, and
        :class:`WebhookUnreadable` while nobody can be asked."""
        ...
