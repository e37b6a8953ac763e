"""What a token may send besides what its permissions say."""

from collections.abc import Iterator

from app.access.caller import Bounds
from app.items.writing import Composed
from app.models.queries.compose_email import NewEmail
from app.models.queries.compose_sms import NewSms
from app.settings import TwilioSettings

SENDER = "The token may not send in the name of this address or number."
COUNTRY = "The token may not send to numbers of this country."


def find_breaches(message: Composed, bounds: Bounds) -> dict[str, list[str]]:
    """Which fields of a message are beyond the token's bounds, whoever was named by an id too."""
    content = message.content
    found = in_email(content, bounds) if isinstance(content, NewEmail) else in_sms(content, bounds)
    return {field: [text] for field, text in found}


def in_email(email: NewEmail, bounds: Bounds) -> Iterator[tuple[str, str]]:
    if bounds.senders and not may_send_as(email.sender_address, bounds):
        yield "sender", SENDER


def in_sms(sms: NewSms, bounds: Bounds) -> Iterator[tuple[str, str]]:
    if bounds.senders and not may_send_as(sms.sender_number or own_sender(), bounds):
        yield "sender", SENDER
    if bounds.sms_prefixes and not sms.receiver_number.startswith(bounds.sms_prefixes):
        yield "receiver", COUNTRY


def own_sender() -> str:
    """What the channel sends from when the message names nobody."""
    twilio = TwilioSettings()
    return twilio.messaging_service_sid or twilio.from_number


def may_send_as(address: str, bounds: Bounds) -> bool:
    """Whether the address is listed, or its domain as ``@example.com``; case doesn't matter."""
    lower = address.lower()
    _, at, domain = lower.rpartition("@")
    return lower in bounds.senders or (at == "@" and f"@{domain}" in bounds.senders)
