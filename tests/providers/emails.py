"""Emails for tests of transports."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from uuid import uuid7

from app.transports.contract import Address, AttemptRef, OutboundEmail

RECEIVER = Address("receiver@example.com", "Rita Receiver")


def an_email(**changes: Any) -> OutboundEmail:
    """A new email; ``changes`` are fields of :class:`OutboundEmail`."""
    receiver = changes.get("receiver", RECEIVER)
    email = OutboundEmail(
        item_id=uuid7(),
        attempt_id=uuid7(),
        provider_key=uuid7(),
        sender=Address("sender@example.com", "Sam Sender"),
        receiver=receiver,
        to=(receiver,),
        cc=(),
        reply_to=(),
        subject="Your receipt",
        text="Thank you for your order.",
        html="",
        headers={},
        tags=(),
        files=(),
        queued=datetime(2026, 7, 1, 12, 30, 15, tzinfo=UTC),
    )
    return replace(email, **changes)


def reference_to(email: OutboundEmail) -> AttemptRef:
    return AttemptRef(
        item_id=email.item_id,
        attempt_id=email.attempt_id,
        provider_key=email.provider_key,
        message_id=None,
        recipient=email.receiver.email,
        started_at=email.queued,
    )
