"""What tests of webhooks ask: who is believed, and what was said."""

import base64
from typing import Any

import pytest

from app.transports.contract import ProviderEvent, RawRequest, Webhook, WebhookRefused
from app.transports.http.basic_auth import Login

PASSWORD = "a-canary-of-a-password"
LOGINS = (Login("hooks", PASSWORD),)
URL = "https://hooks.example.com/webhooks/email/x"


def basic(text: str = f"hooks:{PASSWORD}") -> str:
    return f"Basic {base64.b64encode(text.encode()).decode()}"


def posted(
    body: bytes, content_type: str = "application/json", url: str = URL, **headers: str
) -> RawRequest:
    """A report as it arrives; header names with ``_`` for ``-``."""
    named = {name.lower().replace("_", "-"): value for name, value in headers.items()}
    return RawRequest("POST", (url,), b"", {"content-type": content_type} | named, body)


def receive(webhook: Webhook, request: RawRequest) -> list[ProviderEvent]:
    """As the route does."""
    webhook.authenticate(request)
    return webhook.parse(request)


def assert_refused(webhook: Webhook, request: RawRequest) -> None:
    with pytest.raises(WebhookRefused) as caught:
        webhook.authenticate(request)
    assert "canary" not in str(caught.value)


def is_storable(value: Any) -> bool:
    """Whether nothing in it would be refused by PostgreSQL."""
    match value:
        case str():
            return "\0" not in value and value.encode("utf-8", "replace").decode() == value
        case dict():
            return all(is_storable(name) and is_storable(one) for name, one in value.items())
        case list() | tuple():
            return all(is_storable(one) for one in value)
        case _:
            return True


STRANGERS = [
    {},
    {"authorization": basic("hooks:")},
    {"authorization": basic(":")},
    {"authorization": basic(f"Hooks:{PASSWORD}")},
    {"authorization": basic(f"hooks:{PASSWORD} ")},
    {"authorization": f"Bearer {PASSWORD}"},
]
"""Headers of requests by those who don't know the password."""
