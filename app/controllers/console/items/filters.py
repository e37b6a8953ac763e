"""What a list's address says, as the API is asked for it."""

from dataclasses import dataclass

from msgspec import Struct

from app.controllers.api.items.query import ListQuery, QueueItemsQuery, SentItemsQuery
from app.controllers.api.reading import convert
from app.controllers.console.forms import Form
from app.controllers.console.moments import read_moment
from app.models.queries.browsing.wanted import ALL_DONE, NOT_DONE
from app.workflow import State

WORDS = ("q", "method", "error_kind", "receiver", "tag", "created_by", "message_id")
ORIGIN = ("origin_type", "origin_id")
TIMES = ("queued_from", "queued_until", "finished_from", "finished_until")
CARRIED = {"state", *WORDS, *ORIGIN, *TIMES, *(f"{name}_zone" for name in TIMES)}
"""Fields of the address that a list's form takes along. With any others, whoever made a link would
choose what somebody else's button does.
"""


@dataclass(frozen=True, slots=True)
class Listing:
    """One of the two lists, and the operation of the API that it shows."""

    title: str
    address: str
    operation: str
    query: type[ListQuery]
    states: tuple[State, ...]


QUEUE = Listing("Queue", "/console/queue", "queue-items.list", QueueItemsQuery, NOT_DONE)
SENT = Listing("Sent", "/console/sent", "sent-items.list", SentItemsQuery, ALL_DONE)


def read_filters(listing: Listing, asked: Form) -> dict[str, object]:
    """The parameters of the operation that the address names; raises :class:`Problem`."""
    fields = listing.query.__struct_fields__
    given: dict[str, object] = dict(asked.filled(*WORDS, *ORIGIN, "order"))
    given |= {name: read_moment(asked, name) for name in TIMES}
    given["state"] = [state for state in asked.all("state") if state in listing.states]
    return {name: value for name, value in given.items() if name in fields and value}


def as_struct(listing: Listing, given: dict[str, object]) -> ListQuery:
    """The same as the operation reads it; raises :class:`Problem`."""
    converted: Struct = convert(given, listing.query, strict=False)
    assert isinstance(converted, ListQuery)
    return converted
