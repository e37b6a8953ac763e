"""Mailgun's reports as forms, which webhooks made before 2018 still get."""

from collections.abc import Mapping
from typing import cast
from urllib.parse import parse_qsl

from app.transports.contract import EventType as E
from app.transports.contract import ProviderEvent
from app.transports.email.api_events import (
    UNKNOWN,
    Meaning,
    digest,
    from_seconds,
    say,
    status_text,
)
from app.transports.email.mailgun.events import bracket
from app.transports.http.objects import NOTHING, as_object, read_array, read_object, texts_of

type Form = list[tuple[str, str]]

EVENTS: Mapping[str, Meaning] = {
    "delivered": (E.DELIVERED, ""),
    "dropped": (E.REJECTED, "other"),
    "bounced": (E.BOUNCED, "other"),
    "complained": (E.COMPLAINED, ""),
    "unsubscribed": (E.UNSUBSCRIBED, ""),
    "opened": (E.OPENED, ""),
    "clicked": (E.CLICKED, ""),
}

CODES: Mapping[str, str] = {"605": "bounced", "607": "spam", "499": "timed_out"}
"""Reasons by Mailgun's own codes; those of receivers' servers are all bounces."""

ENGAGED = frozenset({"opened", "clicked", "unsubscribed"})
"""Their metadata are fields of the form."""

FIELDS = frozenset(
    {
        *("event", "recipient", "domain", "ip", "country", "region", "city", "user-agent"),
        *("device-type", "client-type", "client-name", "client-os", "campaign-id"),
        *("campaign-name", "tag", "mailing-list", "timestamp", "token", "signature", "url"),
        *("Message-Id", "message-headers", "X-Mailgun-Tag", "X-Mailgun-Sid", "code", "error"),
        *("reason", "description", "notification", "body-plain", "attachment-count"),
    }
)

PROOF = ("timestamp", "token", "signature")
VARIABLES = "X-Mailgun-Variables"
MOST_FIELDS = 1_000


def read_form(body: bytes) -> Form | None:
    """The fields in their order; ``None`` for what is no form."""
    try:
        text = body.decode("utf-8")
        read = parse_qsl(text, keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        return None
    return [(tidied(name), tidied(value)) for name, value in read]


def tidied(text: str) -> str:
    return text.replace("\0", "\ufffd")


def first(form: Form, *names: str) -> str:
    """A variable of ours may have the name of a field: Mailgun's comes first …"""
    return next((value for name, value in form if name in names and value), "")


def last(form: Form, name: str) -> str:
    """… but for the three that prove where the form is from."""
    return next((value for given, value in reversed(form) if given == name), "")


def event_of(form: Form) -> ProviderEvent:
    status, code = status_text(first(form, "event")), first(form, "code")
    message_id = first(form, "Message-Id")
    kind, reason = EVENTS.get(status, UNKNOWN)
    said = [first(form, name) for name in ("description", "error")]
    names = ("event", "recipient", "Message-Id", "code", "url")
    return ProviderEvent(
        event_key=digest(*(first(form, name) for name in names), last(form, "timestamp")),
        type=kind,
        status=status,
        message_id=bracket(message_id) if message_id else None,
        recipient=first(form, "recipient"),
        code=status_text(code),
        text=say("Mailgun", said, status),
        reason=reason_of(code, reason),
        occurred_at=from_seconds(last(form, "timestamp")),
        metadata=metadata_of(form, status),
        tags=tuple(v for name, v in form if name in {"tag", "X-Mailgun-Tag"} and v),
        raw=dict(form),
    )


def reason_of(code: str, otherwise: str) -> str:
    """Codes are SMTP's, or enhanced ones such as 5.1.1."""
    if not otherwise:
        return otherwise
    is_bounce = code[:1] in {"4", "5"} and (len(code) == 3 or "." in code)
    return CODES.get(code, "bounced" if is_bounce else otherwise)


def metadata_of(form: Form, status: str) -> dict[str, str]:
    if status in ENGAGED:
        return {name: value for name, value in reversed(form) if name not in FIELDS}
    headers = read_array(first(form, "message-headers").encode("utf-8", "replace")) or []
    pairs = [cast("list[object]", one) for one in headers if isinstance(one, list)]
    written = [one[1] for one in pairs if len(one) == 2 and one[0] == VARIABLES]
    found: dict[str, str] = {}
    for text in written:
        content = read_object(str(text).encode("utf-8", "replace")) or NOTHING
        found |= texts_of(as_object(content))
    return found
