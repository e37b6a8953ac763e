"""Asks an item's transport for the last news of its message."""

from app.models.queries.timeouts import Waiting
from app.transports.channels import current
from app.transports.contract import CannotTell, LookUp


async def look_up(waiting: Waiting) -> LookUp:
    """What the provider says of an SMS now."""
    transport = current().sms.get(waiting.channel)
    if transport is None or waiting.message_id is None:
        return CannotTell("There is nobody to ask.")
    return await transport.status(waiting.message_id)
