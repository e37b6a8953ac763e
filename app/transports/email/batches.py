"""Many reports in one request: one that can't be read is kept, and leaves the others alone."""

import json
from collections.abc import Callable, Iterable

from app.transports.contract import ProviderEvent, WebhookUnreadable
from app.transports.email.api_events import UNKNOWN, digest, say
from app.transports.http.objects import Object, as_object

UNREADABLE = "unreadable"


def read_batch(
    provider: str,
    members: Iterable[object],
    read: Callable[[Object], list[ProviderEvent] | None],
) -> list[ProviderEvent]:
    """The events of all members; one that ``read`` has no answer to becomes an unknown event.

    Raises :class:`WebhookUnreadable` when that is so of every member: it is no batch of reports.
    """
    answers = [(member, read(as_object(member))) for member in members]
    if answers and all(events is None for _, events in answers):
        raise WebhookUnreadable("There is no report that can be read.")
    return [
        event
        for member, events in answers
        for event in ([unreadable(provider, member)] if events is None else events)
    ]


def unreadable(provider: str, report: object) -> ProviderEvent:
    """Something authentic that says nothing we know, for people to look at."""
    return ProviderEvent(
        event_key=digest(UNREADABLE, json.dumps(report, sort_keys=True)),
        type=UNKNOWN[0],
        status=UNREADABLE,
        text=say(provider, ["a report that can't be read"], UNREADABLE),
        raw={"report": report},
    )
