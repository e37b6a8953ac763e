"""What is sent, ready to be sent, and the check before bytes go out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID


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
