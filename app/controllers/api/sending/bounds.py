"""What a token may send besides what its permissions say."""

from collections.abc import Iterator, Mapping
from uuid import UUID

from app.access.caller import Bounds, Caller
from app.controllers.api.sending.messages import EmailDraft, Message
from app.items.writing import Composed
from app.models.queries.compose_email import NewEmail
from app.models.queries.compose_sms import NewSms
from app.settings import TwilioSettings

SENDER = "The token may not send in the name of this address or number."
COUNTRY = "The token may not send to numbers of this country."

NUMBER = "The token may not name a number of this country."
HIDDEN = (
    "Naming a receiver by an id beside others needs read_content: an address that is named twice"
    " gets one item, which would tell whose it is. Send to each by itself, or give addresses."
)


def tells_addresses(message: Message, caller: Caller) -> bool:
    """Whether the number of its items would tell an address that the caller may not see."""
    if caller.may("read_content") or not isinstance(message, EmailDraft):
        return False
    receivers = [*message.to, *message.cc, *message.bcc]
    return len(receivers) > 1 and any(isinstance(one, UUID) for one in receivers)


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


def find_breaches_of_person(
    table: str, values: Mapping[str, str | None], bounds: Bounds
) -> dict[str, list[str]]:
    """What a token may not make of a row that others name by its id: no more than it may send."""
    if table == "senders" and bounds.senders:
        given = {field: values.get(field) for field in ("email", "cell")}
        return {f: [SENDER] for f, text in given.items() if text and not may_send_as(text, bounds)}
    number = values.get("cell") if table == "receivers" and bounds.sms_prefixes else None
    return {"cell": [NUMBER]} if number and not number.startswith(bounds.sms_prefixes) else {}


def own_sender() -> str:
    """What the channel sends from when the message names nobody."""
    twilio = TwilioSettings()
    return twilio.messaging_service_sid or twilio.from_number


def may_send_as(address: str, bounds: Bounds) -> bool:
    """Whether the address is listed, or its domain as ``@example.com``; case doesn't matter."""
    lower = address.lower()
    _, at, domain = lower.rpartition("@")
    return lower in bounds.senders or (at == "@" and f"@{domain}" in bounds.senders)
