"""What Twilio reports about a message, by webhook and by polling, as one kind of event."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict

from app.transports.contract import REPORTS, EventType, ProviderEvent, Report
from app.transports.sms.twilio_codes import ERROR_CODES, explain
from app.transports.sms.twilio_replies import Message

STATUSES: Mapping[str, EventType] = {
    "accepted": EventType.QUEUED,
    "scheduled": EventType.QUEUED,
    "queued": EventType.QUEUED,
    "sending": EventType.SENT,
    "sent": EventType.SENT,
    "delivered": EventType.DELIVERED,
    "partially_delivered": EventType.DELIVERED,
    "read": EventType.DELIVERED,
    "undelivered": EventType.FAILED,
    "failed": EventType.FAILED,
    "canceled": EventType.FAILED,
}
"""Twilio's statuses of outbound messages; any other one is kept and moves nothing.

Source: https://www.twilio.com/docs/messaging/api/message-resource#message-status-values
"""


def event_key(sid: str, status: str, code: str) -> str:
    """Twilio gives no event id: the same news about one message is the same event."""
    return hashlib.sha256(json.dumps([sid, status, code]).encode()).hexdigest()


def type_of(status: str) -> EventType:
    return STATUSES.get(status, EventType.UNKNOWN)


def normal_code(code: str) -> str:
    """Callbacks leave the code out, send it empty or send 0 where there is no error."""
    return "" if code.strip() == "0" else code.strip()


def text_of(status: str, code: str) -> str:
    """What a person reads; more than the bare status only where something failed."""
    if REPORTS[type_of(status)] is Report.FAILED and code:
        return f"Twilio: {status}. {explain(code)}"
    return f"Twilio: {status}"


def reason_of(status: str, code: str) -> str:
    if REPORTS[type_of(status)] is not Report.FAILED:
        return ""
    return ERROR_CODES[code].reason if code in ERROR_CODES else "other"


def event_of_message(message: Message) -> ProviderEvent:
    """The event of a message that was asked for; it has the key that its callback would have."""
    status, code = message.status.lower(), normal_code(message.error_code)
    return ProviderEvent(
        event_key=event_key(message.sid, status, code),
        type=type_of(status),
        status=status,
        message_id=message.sid,
        recipient=message.recipient,
        code=code,
        text=text_of(status, code),
        reason=reason_of(status, code),
        occurred_at=message.updated,
        raw=asdict(message) | {"updated": message.updated and message.updated.isoformat()},
    )
