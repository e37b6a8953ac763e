"""Lets the tracking strategy find our keys in reports that a transport found none in."""

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

from arvel.kernel.logging import LogManager

from app.transports.contract import ProviderEvent
from app.transports.email.tracking import EmailTrackingStrategy


def fill_keys(
    events: Sequence[ProviderEvent], strategy: EmailTrackingStrategy
) -> list[ProviderEvent]:
    """The same events; those without a key of ours with what the strategy finds."""
    return [event if has_key(event) else fill(event, strategy) for event in events]


def has_key(event: ProviderEvent) -> bool:
    return event.item_key is not None or event.attempt_key is not None


def fill(event: ProviderEvent, strategy: EmailTrackingStrategy) -> ProviderEvent:
    """A strategy that fails must not lose a report: its id may still be known."""
    try:
        keys = strategy.find_queue_item(event)
        if keys is None:
            return event
        return replace(event, item_key=as_key(keys.item), attempt_key=as_key(keys.attempt))
    except Exception as error:
        LogManager().channel("webhooks").warning("tracking_failed", error=type(error).__name__)
        return event


def as_key(key: object) -> UUID | None:
    """A strategy may have read its keys as texts, whatever it is typed as."""
    return None if key is None else UUID(str(key))
