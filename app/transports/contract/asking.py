"""Asking a provider what it knows of an attempt."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from app.transports.contract.events import ProviderEvent


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
