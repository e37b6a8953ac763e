"""A report that is nearly right never does more than be refused."""

import json
from collections.abc import Callable
from typing import Any

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    Webhook,
    WebhookUnreadable,
)
from tests.providers.webhooks import is_storable, receive


def survives(webhook: Webhook, request: RawRequest) -> list[ProviderEvent]:
    """The events of an authentic request whose content may be anything; each can be stored."""
    try:
        events = receive(webhook, request)
    except WebhookUnreadable:
        return []
    for event in events:
        assert event.event_key.isascii()
        assert isinstance(event.type, EventType)
        assert is_storable([event.status, event.message_id, event.recipient, event.text])
        assert is_storable([event.code, dict(event.metadata), list(event.tags), dict(event.raw)])
        assert all(isinstance(value, str) for value in event.metadata.values())
        assert len(event.status) <= 200
    return events


def dump(content: Any) -> bytes:
    """As a careless sender writes it: also what is no JSON, and halves of characters."""
    return json.dumps(content).encode("utf-8", "surrogatepass")


type Post = Callable[[bytes], RawRequest]
"""Makes an authentic request of a body."""
