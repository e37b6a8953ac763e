"""What a caller may say about a message, and what is said when it isn't."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Required, TypedDict

from app.items.attachments import Attachments
from app.items.people import ReceiverLike, Receivers, SenderLike


class MessageFields(TypedDict, total=False):
    """What emails and SMS have in common.

    ``origin`` is the record that caused the message: a model, an object with an ``id``, or a pair
    of type and id. ``send_at`` and ``expires_at`` are aware; what can't be sent before it expires
    is cancelled. ``priority`` is ``high``, ``default`` or ``bulk``.
    """

    sender: Required[SenderLike]
    origin: object
    send_at: datetime | None
    expires_at: datetime | None
    priority: str


class EmailFields(MessageFields, total=False):
    """An email. People are rows, the keys of rows, or dicts of ``name`` and ``email``.

    ``attachments`` maps the names that files are sent under to bytes, paths, open binary files or
    ``Inline``; or it lists attachments of earlier messages, as rows or keys.
    """

    to: Required[Receivers]
    cc: Receivers
    bcc: Receivers
    reply_to: Receivers
    subject: Required[str]
    text: str
    html: str
    headers: Mapping[str, str] | None
    tags: Iterable[str]
    attachments: Attachments | None


class SmsFields(MessageFields, total=False):
    """An SMS. People are rows, the keys of rows, or dicts of ``name`` and ``cell`` (E.164).

    ``media_url`` is a public https address, which the provider fetches.
    """

    receiver: Required[ReceiverLike]
    body: Required[str]
    media_url: str | None


def require_arguments(given: Mapping[str, object], fields: type) -> None:
    """Raises ``TypeError`` as Python does for a function with these keyword arguments."""
    required: frozenset[str] = getattr(fields, "__required_keys__", frozenset())
    optional: frozenset[str] = getattr(fields, "__optional_keys__", frozenset())
    if missing := sorted(required - given.keys()):
        raise TypeError(f"missing keyword arguments: {', '.join(missing)}")
    if unknown := sorted(given.keys() - required - optional):
        raise TypeError(f"unexpected keyword arguments: {', '.join(unknown)}")
