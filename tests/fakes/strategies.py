"""Tracking strategies as an application's owner might write them."""

from dataclasses import replace
from typing import override
from uuid import UUID

from app.transports.contract import OutboundEmail, ProviderEvent
from app.transports.email.tracking import EmailTrackingStrategy, TrackingKeys

PREFIX = "pillarbox:"


class TagStrategy(EmailTrackingStrategy):
    """Both keys in the first tag, for a provider that returns tags and no metadata."""

    @override
    def attach(self, email: OutboundEmail, keys: TrackingKeys) -> OutboundEmail:
        return replace(email, tags=(f"{PREFIX}{keys.item}:{keys.attempt}", *email.tags))

    @override
    def find_queue_item(self, event: ProviderEvent) -> TrackingKeys | None:
        for tag in event.tags:
            if tag.startswith(PREFIX):
                item, _, attempt = tag.removeprefix(PREFIX).partition(":")
                return TrackingKeys(UUID(item), UUID(attempt))
        return None


class ItemStrategy(EmailTrackingStrategy):
    """The item's key alone, in a tag, as VDQ's strategies carry it."""

    @override
    def attach(self, email: OutboundEmail, keys: TrackingKeys) -> OutboundEmail:
        return replace(email, tags=(str(keys.item),))

    @override
    def find_queue_item(self, event: ProviderEvent) -> TrackingKeys | None:
        return TrackingKeys(UUID(event.tags[0])) if event.tags else None


class BrokenStrategy(EmailTrackingStrategy):
    """Fails on every report."""

    @override
    def find_queue_item(self, event: ProviderEvent) -> TrackingKeys | None:
        raise LookupError(f"a canary: {event.recipient}")


class NeedyStrategy(EmailTrackingStrategy):
    """Can't be made without an argument."""

    def __init__(self, needed: str) -> None:
        self.needed = needed


class NoStrategy:
    """No subclass of anything."""
