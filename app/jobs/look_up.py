"""Asks an attempt's transport what its provider knows."""

from app.models.queries.timeouts import Waiting
from app.transports.channels import current
from app.transports.contract import AttemptRef, CannotTell, LookUp


async def look_up(waiting: Waiting) -> LookUp:
    """What the provider says of an SMS now, by the provider's own id."""
    transport = current().sms.get(waiting.channel)
    if transport is None or waiting.message_id is None:
        return CannotTell("There is nobody to ask.")
    return await transport.status(waiting.message_id)


async def find(waiting: Waiting) -> LookUp:
    """Whether the provider has the message of an attempt, by whatever it can be asked with."""
    channels = current()
    transport = channels.email.get(waiting.channel) or channels.sms.get(waiting.channel)
    if transport is None:
        return CannotTell("The channel is not configured any more.")
    reference = AttemptRef(
        item_id=waiting.item_id,
        attempt_id=waiting.attempt_id,
        provider_key=waiting.provider_key,
        message_id=waiting.message_id,
        recipient=waiting.recipient,
        started_at=waiting.started_at,
    )
    return await transport.find(reference)


def window_of(channel: str) -> float:
    """For how many seconds the channel's provider takes the same key for the same message."""
    channels = current()
    transport = channels.email.get(channel) or channels.sms.get(channel)
    return transport.facts.idempotency_window if transport is not None else 0.0
