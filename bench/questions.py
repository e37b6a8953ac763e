"""What is asked: a name, a path, and parameters that differ from request to request.

``{n}`` is the number of some item, ``{person}`` of its receiver (see ``bench.rows``).
"""

from typing import NamedTuple

QUEUE, SENT = "/api/queue-items", "/api/sent-items"
ALL = "sender,receiver,email,sms,attempts,events,history,attachments"


class Question(NamedTuple):
    """``pages``: how many pages are turned before the one that is measured, 0 for the first."""

    name: str
    path: str
    query: dict[str, str] = {}  # noqa: RUF012
    pages: int = 0


QUESTIONS = (
    Question("queue, first page", QUEUE),
    Question("queue, oldest first", QUEUE, {"order": "queued"}),
    Question("queue, a later page", QUEUE, pages=5),
    Question("queue, 200 items", QUEUE, {"limit": "200"}),
    Question("queue, all expansions", QUEUE, {"expand": ALL}),
    Question("queue, counted", QUEUE, {"count": "true"}),
    Question("queue, errored", QUEUE, {"state": "errored"}),
    Question(
        "queue, errored and delayed SMS", QUEUE, {"state": "errored,delayed", "method": "sms"}
    ),
    Question("queue, error kind", QUEUE, {"error_kind": "outcome_unknown"}),
    Question("queue, error kind that is rare", QUEUE, {"error_kind": "poisoned"}),
    Question("queue, tag of many old items", QUEUE, {"tag": "launch"}),
    Question("queue, tag that is rare", QUEUE, {"tag": "audit", "count": "true"}),
    Question("queue, search in results", QUEUE, {"state": "errored", "q": "mailbox {n}"}),
    Question("queue, search", QUEUE, {"q": "user{person}@"}),
    Question("sent, first page", SENT),
    Question("sent, oldest first", SENT, {"order": "queued"}),
    Question("sent, a later page", SENT, pages=5),
    Question("sent, by end", SENT, {"order": "-finished"}),
    Question("sent, all expansions", SENT, {"expand": ALL}),
    Question("sent, counted", SENT, {"count": "true"}),
    Question("sent, unconfirmed", SENT, {"state": "unconfirmed", "count": "true"}),
    Question("sent, unconfirmed by end", SENT, {"state": "unconfirmed", "order": "-finished"}),
    Question("sent, receiver", SENT, {"receiver": "user{person}@mail{mail}.example"}),
    Question(
        "sent, receiver by end",
        SENT,
        {"receiver": "user{person}@mail{mail}.example", "order": "finished"},
    ),
    Question("sent, origin", SENT, {"origin_type": "order", "origin_id": "{third}"}),
    Question("sent, rare origin type", SENT, {"origin_type": "refund", "count": "true"}),
    Question("sent, tag", SENT, {"tag": "receipt"}),
    Question("sent, tag, counted", SENT, {"tag": "receipt", "count": "true"}),
    Question("sent, tag that is rare", SENT, {"tag": "audit", "count": "true"}),
    Question("sent, tag of many old items", SENT, {"tag": "launch"}),
    Question("sent, tag of old items by end", SENT, {"tag": "launch", "order": "-finished"}),
    Question("sent, rare creator", SENT, {"created_by": "ops/desk"}),
    Question("sent, provider's id", SENT, {"message_id": "msg-{n}"}),
    Question("sent, search for one person", SENT, {"q": "user{person}@"}),
    Question("sent, search for a name", SENT, {"q": "grace rivers {person}"}),
    Question("sent, search for a frequent name", SENT, {"q": "barbara woods"}),
    Question("sent, search for a domain", SENT, {"q": "@mail7.example"}),
    Question("sent, search for what all have", SENT, {"q": "example"}),
    Question("sent, search for nothing", SENT, {"q": "nobody{n}"}),
    Question("sent, search, counted", SENT, {"q": "barbara woods", "count": "true"}),
    Question("sent, search with a rare state", SENT, {"q": "example", "state": "unconfirmed"}),
    Question(
        "sent, search with tag and method", SENT, {"q": "ada", "tag": "launch", "method": "sms"}
    ),
    Question("sent, a day long ago", SENT, {"queued_from": "{day}", "queued_until": "{next_day}"}),
    Question(
        "sent, finished on a day long ago",
        SENT,
        {"finished_from": "{day}", "finished_until": "{next_day}"},
    ),
    Question("one item", QUEUE + "/{id}"),
    Question("one item with everything", SENT + "/{id}", {"expand": ALL}),
)
