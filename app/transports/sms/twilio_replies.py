"""Twilio's replies as plain values, apart from the SDK."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Message:
    """What Twilio says about a message. ``error_code`` is empty where there is no error."""

    sid: str
    account_sid: str
    status: str
    error_code: str
    recipient: str
    updated: datetime | None


@dataclass(frozen=True, slots=True)
class Account:
    """What Twilio says about an account; ``status`` is active, suspended or closed."""

    sid: str
    status: str


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error answer. ``code`` is Twilio's, or the HTTP status where the body names none."""

    status: int
    code: str
    retry_after: float | None


@dataclass(frozen=True, slots=True)
class Unreadable:
    """An answer that is neither a message nor an error."""

    status: int


type Reply = Message | Refusal | Unreadable
