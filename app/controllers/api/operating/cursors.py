"""Where a page ended, as an opaque text: nothing but sort keys, and every byte is checked."""

import base64
import binascii
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated
from uuid import UUID

from msgspec import Meta

from app.controllers.api.problems import Problem

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

type Cursor = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=64,
        pattern="^[A-Za-z0-9_-]+$",
        description="`next` of the page before; only ever one that was answered here.",
    ),
]

type Limit = Annotated[int, Meta(ge=1, le=200, description="Entries on a page, at most.")]

type Next = Annotated[
    str | None, Meta(description="`cursor` of the next page; `null` on the last one.")
]


def of_id(key: UUID) -> str:
    return _encode(key.bytes)


def read_id(cursor: str | None) -> UUID | None:
    """Raises :class:`Problem` for a text that is no cursor of ours."""
    return None if cursor is None else UUID(bytes=_decode(cursor, 16))


def of_time(moment: datetime, key: UUID) -> str:
    """A time and, among those of the same time, an id."""
    since = (moment - EPOCH) // MICROSECOND
    return _encode(since.to_bytes(8, "big", signed=True) + key.bytes)


def read_time(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Raises :class:`Problem` for a text that is no cursor of ours."""
    if cursor is None:
        return None
    raw = _decode(cursor, 24)
    try:
        moment = EPOCH + int.from_bytes(raw[:8], "big", signed=True) * MICROSECOND
    except OverflowError:
        raise _refusal() from None
    return moment, UUID(bytes=raw[8:])


def cut[T](rows: Sequence[T], limit: int) -> tuple[Sequence[T], bool]:
    """Of ``limit + 1`` rows that were asked for: the page, and whether there are more."""
    return rows[:limit], len(rows) > limit


def _encode(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _decode(cursor: str, length: int) -> bytes:
    try:
        raw = base64.b64decode(cursor + "=" * (-len(cursor) % 4), b"-_", validate=True)
    except binascii.Error, ValueError:
        raise _refusal() from None
    if len(raw) != length or _encode(raw) != cursor:
        raise _refusal()
    return raw


def _refusal() -> Problem:
    return Problem.invalid({"cursor": ["Is no cursor of this list."]})
