"""What the reports of all APIs have in common."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import UTC, datetime

from app.transports.contract import EventType
from app.transports.email.tidy import tidy
from app.transports.http.objects import Object, list_in, text_in

type Meaning = tuple[EventType, str]
"""A normalised type and the normalised reason of a refusal, empty where there is none."""

UNKNOWN: Meaning = (EventType.UNKNOWN, "")
LONGEST_FIELD = 200

HEADER_END = re.compile(r"\r?\n\r?\n")
MESSAGE_ID = re.compile(r"^message-id:[ \t]*(<[^>\s]{1,190}>)", re.IGNORECASE | re.MULTILINE)


def digest(*said: str | None) -> str:
    """One key for what was said; the same for the same words."""
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()


def from_seconds(text: str) -> datetime | None:
    """A time by seconds since 1970 in UTC, as a text."""
    try:
        return datetime.fromtimestamp(float(text), UTC)
    except ValueError, OverflowError, OSError:
        return None


def from_iso(text: str) -> datetime | None:
    """A time as ISO 8601 writes it; UTC where it names no zone."""
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except ValueError, OverflowError:
        return None


def number_in(content: Object, name: str) -> str:
    """A number in a field, or a text that may be one, as text; else empty."""
    value = content.get(name)
    is_float = isinstance(value, float)
    return str(value) if is_float else text_in(content, name)


def texts_in(content: Object, name: str) -> tuple[str, ...]:
    """The texts of a list in a field."""
    return tuple(one for one in list_in(content, name) if isinstance(one, str) and one)


def status_text(status: str) -> str:
    """A native name, fit to be stored."""
    return tidy(status, ())[:LONGEST_FIELD]


def say(provider: str, words: Iterable[str], otherwise: str) -> str:
    """What a person reads: the provider's words, then those of the receiver's server."""
    said = ". ".join(word.strip().removesuffix(".") for word in words if word.strip())
    return tidy(f"{provider}: {said or otherwise}", ())


def message_id_in(message: str) -> str | None:
    """The Message-ID of a message to us, with its brackets."""
    found = MESSAGE_ID.search(HEADER_END.split(message, maxsplit=1)[0])
    return found[1] if found else None
