"""The fields of a webhook request, byte for byte as they were signed."""

import json
from collections.abc import Mapping
from typing import cast
from urllib.parse import parse_qsl

from app.transports.contract import RawRequest, WebhookUnreadable

MAX_FIELDS = 500
"""Twilio sends about 20, and some for each medium of an inbound message."""

type Pairs = list[tuple[bytes, bytes]]


def is_form(request: RawRequest) -> bool:
    content_type = request.headers.get("content-type", "").partition(";")[0]
    return content_type.strip().lower() == "application/x-www-form-urlencoded"


def pairs_of(request: RawRequest) -> Pairs:
    """Decoded names and values of a form, blank and repeated ones included.

    Raises ``ValueError`` when there are more than 500.
    """
    return parse_qsl(request.body, keep_blank_values=True, max_num_fields=MAX_FIELDS)


def fields_of(request: RawRequest) -> Mapping[str, str]:
    """The fields of a form or of a flat JSON object; of a repeated one the first value.

    Raises :class:`WebhookUnreadable`.
    """
    try:
        return form_fields(request) if is_form(request) else json_fields(request.body)
    except ValueError, RecursionError:
        raise WebhookUnreadable("The body is neither a form nor a JSON object.") from None


def form_fields(request: RawRequest) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    for name, value in pairs_of(request):
        fields.setdefault(name.decode("utf-8", "replace"), value.decode("utf-8", "replace"))
    return fields


def json_fields(body: bytes) -> Mapping[str, str]:
    content: object = json.loads(body)
    if not isinstance(content, dict):
        raise WebhookUnreadable("The body is not a JSON object.")
    values = cast("dict[str, object]", content)
    return {name: str(v) for name, v in values.items() if isinstance(v, str | int | float)}
