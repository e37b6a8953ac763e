"""An item as a row: what is seen of it at a glance."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from markupsafe import Markup, escape
from msgspec import UNSET

from app.controllers.console import times
from app.workflow import State

FIRST_WORDS = 80


@dataclass(frozen=True, slots=True)
class Row:
    """``why`` it is errored; ``doubt`` is what must be known before anybody acts."""

    id: UUID
    state: str
    receiver: str
    about: str
    method: str
    channel: str
    queued: datetime
    finished: datetime | None
    tries: int
    next: Markup | str
    doubt: str
    why: str
    version: str


def row_of(item: Any) -> Row:
    """``item`` as the API lists it, with ``sms`` where that may be seen."""
    return Row(
        item.id,
        str(item.state),
        item.receiver_name or item.receiver_address or "",
        _about(item),
        item.method,
        item.channel,
        item.queued,
        item.finished_at,
        item.attempt_count,
        _next(item),
        _doubt(item),
        item.error or "",
        item.last_updated.isoformat(),
    )


def _about(item: Any) -> str:
    if item.subject:
        return item.subject
    sms = getattr(item, "sms", UNSET)
    return "" if sms in (UNSET, None) else (sms.body or "")[:FIRST_WORDS]


def _next(item: Any) -> Markup | str:
    due: datetime | None = item.due_at
    match item.state:
        case State.QUEUED | State.DELAYED if due is not None and due > datetime.now(UTC):
            words = "retries" if item.state == State.DELAYED else "is sent"
            return Markup("{} {}").format(words, times.ago(due))
        case State.QUEUED | State.DELAYED:
            return "is sent as soon as a worker is free" if due else "waits to be scheduled"
        case State.AWAITING:
            return "waits for the provider's report"
        case State.SENDING:
            return "is being sent"
        case _:
            return escape(item.error or "")


def _doubt(item: Any) -> str:
    if item.copies > 1:
        return f"{item.copies} copies"
    if item.delivered_after_cancel:
        return "delivered after cancel"
    return "may have been sent" if item.may_have_been_sent else ""
