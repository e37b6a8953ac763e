"""What Postmark posts to a webhook, by the name of the report."""

import itertools
from typing import Any

from tests.fakes.postmark.messages import FakeMessage

AT = "2026-09-21T14:13:20.1234567-04:00"
BOUNCE_IDS = itertools.count(900_001)

DETAILS = {
    "HardBounce": "smtp;550 5.1.1 no such user",
    "Transient": "smtp;451 4.7.1 greylisted",
}


def report_of(message: FakeMessage, name: str) -> dict[str, Any]:
    """The report called ``name``: ``Delivery``, ``Bounce/HardBounce``, ``Open``, ``Click``, …"""
    record, _, kind = name.partition("/")
    common = {
        "RecordType": record,
        "MessageID": message.id,
        "ServerID": 23,
        "MessageStream": message.stream,
        "Tag": message.tag,
        "Metadata": message.metadata,
    }
    return common | MAKERS[record](message, kind)


def delivery(message: FakeMessage, _: str) -> dict[str, Any]:
    return {"Recipient": message.receiver, "DeliveredAt": AT, "Details": "smtp;250 2.0.0 OK"}


def bounce(message: FakeMessage, kind: str) -> dict[str, Any]:
    return {
        "ID": next(BOUNCE_IDS),
        "Type": kind or "SpamComplaint",
        "Email": message.receiver,
        "BouncedAt": AT,
        "Description": f"Postmark's words for {kind}",
        "Details": DETAILS.get(kind, ""),
        "Subject": message.subject,
    }


def opened(message: FakeMessage, _: str) -> dict[str, Any]:
    return {"Recipient": message.receiver, "ReceivedAt": AT, "UserAgent": "Mozilla/5.0"}


def clicked(message: FakeMessage, _: str) -> dict[str, Any]:
    return {**opened(message, ""), "OriginalLink": "https://example.com/r/81"}


MAKERS = {
    "Delivery": delivery,
    "Bounce": bounce,
    "SpamComplaint": bounce,
    "Open": opened,
    "Click": clicked,
}
