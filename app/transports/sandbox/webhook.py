"""The sandbox's reports: signed like a real provider's, believed only when the signature fits."""

import hashlib
import hmac
import json
import time
from collections.abc import Callable, Mapping
from typing import Any, cast
from uuid import UUID

from app.transports.contract import (
    EventType,
    ProviderEvent,
    RawRequest,
    WebhookRefused,
    WebhookUnreadable,
)

SIGNATURE = "x-sandbox-signature"
TIMESTAMP = "x-sandbox-timestamp"
TOLERANCE = 300.0
"""Seconds by which a report's clock may differ from ours."""


def sign(secret: str, timestamp: str, body: bytes) -> str:
    """Hex HMAC-SHA256 over the timestamp, a full stop and the body."""
    return hmac.new(secret.encode(), timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()


class SandboxWebhook:
    def __init__(self, secret: str, clock: Callable[[], float] = time.time) -> None:
        self._secret = secret
        self._clock = clock

    def authenticate(self, request: RawRequest) -> None:
        timestamp = request.headers.get(TIMESTAMP, "")
        given = request.headers.get(SIGNATURE, "")
        expected = sign(self._secret, timestamp, request.body)
        if not hmac.compare_digest(given.encode(), expected.encode()):
            raise WebhookRefused("the signature does not fit")
        if not timestamp.isdigit() or abs(self._clock() - int(timestamp)) > TOLERANCE:
            raise WebhookRefused("the report is too old")

    def parse(self, request: RawRequest) -> list[ProviderEvent]:
        try:
            body = json.loads(request.body)
            return [_event(cast("Mapping[str, Any]", body))]
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise WebhookUnreadable(type(error).__name__) from error


def _event(body: Mapping[str, Any]) -> ProviderEvent:
    kind = EventType(body["type"])
    return ProviderEvent(
        event_key=str(body["event_id"]),
        type=kind,
        status=kind.value,
        message_id=str(body["message_id"]),
        item_key=_uuid(body.get("queue_item")),
        attempt_key=_uuid(body.get("attempt")),
        recipient=str(body.get("recipient", "")),
        text=str(body.get("text", "")),
        raw=body,
    )


def _uuid(value: object) -> UUID | None:
    try:
        return UUID(str(value))
    except ValueError:
        return None
