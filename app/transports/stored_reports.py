"""Lets a webhook's parser read a report that was stored, in the envelope that it came in."""

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlencode

from app.transports.contract import ProviderEvent, RawRequest, Webhook

type Raw = Mapping[str, Any]

JSON = "application/json"
FORM = "application/x-www-form-urlencoded"

ENVELOPES: tuple[tuple[str, Callable[[Raw], Any]], ...] = (
    (JSON, lambda raw: raw),
    (JSON, lambda raw: [raw]),
    (JSON, lambda raw: {"event-data": raw}),
    (JSON, lambda raw: {"events": [raw]}),
    (JSON, lambda raw: [{"msys": {"message_event": raw}}]),
    (FORM, lambda raw: {"mandrill_events": json.dumps([raw])}),
    (FORM, lambda raw: raw),
)
"""How providers send one report, or one in a batch. What is stored is the report alone."""


def read_stored(
    webhook: Webhook, raw: Raw, message_id: str | None, query_string: bytes = b""
) -> list[ProviderEvent]:
    """What the parser makes of a report; nothing when it can't be read by itself.

    ``message_id`` is that of the event, which guards against reading it in a foreign envelope.
    ``query_string`` is for providers whose addresses carry our keys.
    """
    for request in requests_of(raw, query_string):
        news = parse(webhook, request)
        if news and (message_id is None or any(one.message_id == message_id for one in news)):
            return news
    return []


def requests_of(raw: Raw, query_string: bytes) -> Iterator[RawRequest]:
    for media_type, wrap in ENVELOPES:
        content = wrap(raw)
        text = json.dumps(content) if media_type == JSON else urlencode(texts_in(content))
        yield RawRequest("POST", (), query_string, {"content-type": media_type}, text.encode())


def texts_in(content: Raw) -> dict[str, str]:
    return {name: value for name, value in content.items() if isinstance(value, str)}


def parse(webhook: Webhook, request: RawRequest) -> list[ProviderEvent]:
    """Nothing, whatever a parser raises about a form that it doesn't know."""
    try:
        return webhook.parse(request)
    except Exception:
        return []
