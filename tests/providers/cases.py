"""Requests, answers and reports of providers as others captured them, in ``tests/cases``.

All that is in them is invented. A report's ``recommended`` events are what it means; where there
are none, ``expected`` are.
"""

import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.transports.contract import Address, File, OutboundEmail, ProviderEvent, RawRequest
from tests.providers.emails import an_email

FOLDER = Path(__file__).resolve().parents[1] / "cases"


@dataclass(frozen=True, slots=True)
class Reported:
    """One webhook request, unsigned, and what it means."""

    content_type: str
    headers: Mapping[str, str]
    body: bytes
    events: list[dict[str, Any]]

    def request(self, body: bytes | None = None, **headers: str) -> RawRequest:
        """As it arrives; header names with ``_`` for ``-``."""
        named = {name.lower().replace("_", "-"): value for name, value in headers.items()}
        given = {name.lower(): value for name, value in self.headers.items()}
        return RawRequest(
            "POST",
            ("https://hooks.example.com/webhooks/email/x",),
            b"",
            {"content-type": self.content_type} | given | named,
            self.body if body is None else body,
        )


def reports_of(provider: str) -> list[Any]:
    """Each report of the provider, as parameters of a test."""
    cases = json.loads((FOLDER / f"{provider}-events.json").read_text())
    return [
        pytest.param(
            Reported(
                case["content_type"],
                case["headers"],
                case["raw_body"].encode(),
                merge(case["expected"], case.get("recommended")),
            ),
            id=f"{number}-{case['native_event']}",
        )
        for number, case in enumerate(cases)
    ]


def merge(expected: list[dict[str, Any]], recommended: list[Any] | None) -> list[dict[str, Any]]:
    """What is recommended names only what differs."""
    if recommended is None:
        return expected
    if len(recommended) != len(expected):
        return recommended
    return [one | better for one, better in zip(expected, recommended, strict=True)]


def answers_of(provider: str) -> list[Any]:
    """Each answer to a message: ``name, http_status, headers, body, parsed``."""
    cases = json.loads((FOLDER / f"{provider}-send.json").read_text())["responses"]
    return [pytest.param(case, id=case["name"].replace(" ", "-")) for case in cases]


def request_of(provider: str) -> dict[str, Any]:
    """The request that the email of :func:`the_receipt` makes: ``method, url, headers, body``."""
    return json.loads((FOLDER / f"{provider}-send.json").read_text())


def meaning(events: list[ProviderEvent]) -> list[dict[str, Any]]:
    """Events in the words of the cases, as far as both say the same things."""
    return [
        {
            "event_type": event.type.value,
            "message_id": event.message_id,
            "recipient": event.recipient.lower(),
            "reject_reason": event.reason,
            "metadata": dict(event.metadata),
            "timestamp": event.occurred_at,
            "tags": list(event.tags),
        }
        for event in events
    ]


def the_receipt(**changes: Any) -> OutboundEmail:
    """The email of the captured requests, to the one receiver of it that Pillarbox would name."""
    ada = Address("ada@example.com", "Ada Lovelace")
    logo = (
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5E"
        "rkJggg=="
    )
    given: dict[str, Any] = {
        "sender": Address("mail@example.com", "Pillarbox, Inc."),
        "receiver": ada,
        "to": (ada, Address("bob@example.com")),
        "cc": (Address("cy@example.com"),),
        "reply_to": (Address("help@example.com", "Help"), Address("ops@example.com")),
        "subject": "Your receipt nr 81",
        "text": "Thanks, the text part.",
        "html": '<p>Thanks, the html part. <img src="cid:logo@inline"></p>',
        "headers": {"X-Pillarbox-Item": "81", "List-Unsubscribe": "<https://example.com/u/81>"},
        "tags": ("receipts", "eu"),
        "metadata": {"item_id": "81", "attempt": "1"},
        "files": (
            File("receipt.txt", 'text/plain; charset="utf-8"', b"total 12.50\n"),
            File("logo.png", "image/png", b64decode(logo), "logo@inline"),
        ),
    }
    return an_email(**(given | changes))
