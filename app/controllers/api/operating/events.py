"""What providers reported: listed, shown, and applied or read once more."""

import json
from typing import Any

from msgspec import structs

from app.controllers.api.masking import mask
from app.controllers.api.operating import cursors
from app.controllers.api.operating.events_shown import (
    EVENT_EXAMPLE,
    EventPage,
    EventQuery,
    Replayed,
    ReplayedEvent,
    ReplayWanted,
    ReportedEvent,
    show,
)
from app.controllers.api.operating.filters import in_utc
from app.controllers.api.operating.reading_again import read_again
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.items import replay
from app.items.replay import Replay, UnknownEvent
from app.models.queries import reports as queries
from app.models.queries.reports import WantedReports
from app.models.statements import Row


async def list_all(call: Call[EventQuery, Nothing]) -> Answer:
    limit = call.query.limit
    before = cursors.read_id(call.query.cursor)
    found = await queries.list_reports(wanted_by(call.query), before, limit + 1)
    page, more = cursors.cut(found, limit)
    following = cursors.of_id(page[-1]["id"]) if more else None
    return Answer(mask(call.caller, EventPage([show(row) for row in page], following)))


def wanted_by(query: EventQuery) -> WantedReports:
    since, until = query.received_from, query.received_until
    return WantedReports(
        provider=query.provider,
        item_id=query.item_id,
        type=None if query.type is None else str(query.type),
        standing=query.standing,
        received_from=None if since is None else in_utc("received_from", since),
        received_until=None if until is None else in_utc("received_until", until),
    )


async def show_one(call: Call[Nothing, Nothing]) -> Answer:
    row = await find(call)
    return Answer(mask(call.caller, structs.replace(show(row), raw=json.loads(row["raw"]))))


async def replay_one(call: Call[Nothing, ReplayWanted]) -> Answer:
    by = Replay(call.caller.actor, call.request_id)
    try:
        if call.body.to == "item":
            outcomes = await replay.apply_again(call.key(), by)
        else:
            event = await find(call)
            outcomes = await replay.read_again(event, read_again(event), by)
    except UnknownEvent:
        raise Problem("not-found") from None
    return Answer(Replayed([outcome_of(row) for row in outcomes]))


def outcome_of(row: Row) -> ReplayedEvent:
    return ReplayedEvent(row["id"], row["verdict"], row["item_id"], row["state"], row["history_id"])


async def find(call: Call[Any, Any]) -> Row:
    row = await queries.find(call.key())
    if row is None:
        raise Problem("not-found")
    return row


REPLAY = (
    "Applies a report again, as if it came now; also one that failed five times or that found no"
    " item. What it had changed before doesn't change again: the order and the number of reports"
    " make no difference. With `parser` the provider's parser first reads what was stored when it"
    " came, without asking again who sent it, and what it makes of it now replaces what was"
    " understood then. 409 when that was pruned (`reason` is `raw_pruned`) or can't be read by"
    " itself (`unreadable`). The item's history says who did it."
)

OPERATIONS = (
    Operation(
        method="GET",
        path="/events",
        name="events.index",
        tag="Events",
        summary="All that providers reported, the latest first",
        description="Without `read_content` addresses and what providers said are left out.",
        permissions=("list_queueitem", "read_queueitem"),
        handler=list_all,
        query=EventQuery,
        answers={200: EventPage},
        answer_example={"data": [EVENT_EXAMPLE], "next": None},
    ),
    Operation(
        method="GET",
        path="/events/{id}",
        name="events.show",
        tag="Events",
        summary="One report",
        description="`raw` is what the provider sent, with `read_content`, until it is pruned.",
        permissions=("read_queueitem",),
        handler=show_one,
        answers={200: ReportedEvent},
        answer_example={**EVENT_EXAMPLE, "raw": {"RecordType": "Bounce", "Type": "HardBounce"}},
    ),
    Operation(
        method="POST",
        path="/events/{id}/replay",
        name="events.replay",
        tag="Events",
        summary="Apply a report once more",
        description=REPLAY,
        permissions=("manage_channels",),
        handler=replay_one,
        body=ReplayWanted,
        answers={200: Replayed},
        problems=("conflict",),
        example={"to": "item"},
        answer_example={
            "data": [
                {
                    "id": EVENT_EXAMPLE["id"],
                    "verdict": "kept",
                    "item_id": EVENT_EXAMPLE["item_id"],
                    "state": "errored",
                    "history_id": 48214,
                }
            ]
        },
    ),
)
