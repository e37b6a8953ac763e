"""When a message may be sent first and last, how urgent it is, and what caused it."""

from collections.abc import Mapping
from datetime import datetime

from app.items.origins import NO_ORIGIN, check_origin
from app.items.refusals import Problems, Refused
from app.models.queries.compose import Envelope

PRIORITIES = ("high", "default", "bulk")


def check_envelope(draft: Mapping[str, object], problems: Problems, *, scheduled: bool) -> Envelope:
    """What all items of a message share. Whether a time has passed is the database's to judge."""
    first = problems.accept("send_at", check_time, draft.get("send_at"), None)
    last = problems.accept("expires_at", check_time, draft.get("expires_at"), None)
    if first is not None and last is not None and last <= first:
        problems.add("expires_at", "Must be later than send_at.")
    origin = problems.accept("origin", check_origin, draft.get("origin"), NO_ORIGIN)
    return Envelope(
        priority=problems.accept("priority", check_priority, draft.get("priority", "default"), ""),
        send_at=first,
        expires_at=last,
        scheduled=scheduled,
        origin_type=origin.type,
        origin_id=origin.id,
    )


def check_time(value: object) -> datetime | None:
    if value is None:
        return None
    if not isinstance(value, datetime):
        raise Refused("Must be a datetime.")
    if value.utcoffset() is None:
        raise Refused("Must say its time zone, as datetime.now(UTC) does.")
    if not 1970 < value.year < 9999:
        raise Refused("Must be a time between 1971 and 9998.")
    return value


def check_priority(value: object) -> str:
    if value not in PRIORITIES:
        raise Refused(f"Must be one of {', '.join(PRIORITIES)}.")
    return str(value)
