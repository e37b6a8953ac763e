"""How an email carries our keys to its provider, and how a report brings them back.

A strategy only helps to find the attempt that a report is about. It can't make a report count:
whether the provider's id fits is checked after it, wherever the keys came from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import override
from uuid import UUID

from app.transports.contract import EventType, OutboundEmail, ProviderEvent

ITEM = "vdq_queue_item"
ATTEMPT = "vdq_attempt"


@dataclass(frozen=True, slots=True)
class TrackingKeys:
    """The item of a message, and the attempt that sent it.

    ``attempt`` is the attempt's ``provider_key``: where a provider recognises a repeated message,
    the repetition has to be the same to the byte, and it is still the first attempt's message.
    """

    item: UUID
    attempt: UUID | None = None


class EmailTrackingStrategy:
    """Attaches nothing and finds nothing: reports are then matched by the provider's id alone.

    A strategy of your own is a subclass whose ``__init__`` takes no arguments. Name it by
    ``EMAIL_TRACKING_STRATEGY``.
    """

    def attach(self, email: OutboundEmail, keys: TrackingKeys) -> OutboundEmail:
        """The email with ``keys`` on it; ``email`` itself when nothing is attached.

        The same keys must give the same email: it may have to be sent again to the byte.
        """
        return email

    def find_queue_item(self, event: ProviderEvent) -> TrackingKeys | None:
        """The keys that a report brings back, or ``None`` when it brings none."""
        return None


class MetadataEmailTrackingStrategy(EmailTrackingStrategy):
    """Both keys as metadata, which most providers return with every report."""

    @override
    def attach(self, email: OutboundEmail, keys: TrackingKeys) -> OutboundEmail:
        attached = {ITEM: str(keys.item)}
        if keys.attempt is not None:
            attached[ATTEMPT] = str(keys.attempt)
        return replace(email, metadata={**email.metadata, **attached})

    @override
    def find_queue_item(self, event: ProviderEvent) -> TrackingKeys | None:
        item = read_key(event.metadata, ITEM)
        return TrackingKeys(item, read_key(event.metadata, ATTEMPT)) if item else None


def brings_back(strategy: EmailTrackingStrategy, tracked: OutboundEmail) -> bool:
    """Whether a report that returns metadata and tags would name the attempt of this email."""
    report = ProviderEvent("", EventType.UNKNOWN, "", metadata=tracked.metadata, tags=tracked.tags)
    try:
        found = strategy.find_queue_item(report)
    except Exception:
        return False
    return found is not None and found.attempt == tracked.provider_key


def read_key(metadata: Mapping[str, str], name: str) -> UUID | None:
    """The key of that name; ``None`` for anything that is no UUID."""
    try:
        return UUID(metadata.get(name, ""))
    except ValueError:
        return None
