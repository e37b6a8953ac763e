"""Made-up histories of items, as a campaign of faults would find them."""

import uuid
from dataclasses import replace
from typing import Any
from uuid import UUID

from local.faults.blows import Hit
from local.faults.ledger import Request, Told
from local.faults.moods import FINE, Reply, Treatment
from local.faults.operators import Asked
from local.faults.story import Attempt, Item, Move, Story

ITEM = uuid.uuid7()
PERSON = "campaign/operators"


def attempt(number: int = 1, outcome: str | None = "accepted", **fields: Any) -> Attempt:
    """The n-th attempt: it begins at 100·n and takes a second."""
    began = 100.0 * number
    given = {"id": uuid.uuid7(), "number": number, "started": began, "ended": began + 1}
    return Attempt(**(given | {"outcome": outcome} | fields))


def request(
    of: Attempt, reply: Reply = Reply.ACCEPT, *, takes: bool = True, **fields: Any
) -> Request:
    """What a provider saw of an attempt half a second after it began."""
    treatment = FINE if reply is Reply.ACCEPT and takes else Treatment(takes, reply)
    at = of.started + 0.5
    given = {
        "at": at,
        "provider": "postmark",
        "item": ITEM,
        "attempt": of.id,
        "worker": "worker-0",
        "treatment": treatment,
        "taken": at if takes else None,
        "answered": None if reply in (Reply.HANG, Reply.DROP, Reply.HALF) else at + 0.1,
    }
    return Request(**(given | fields))


def told(of: Request, word: str, *, heard: bool = True) -> Told:
    return Told(ITEM, of.message, word, word, [(of.at + 2, 204 if heard else 503)])


def send(of: Attempt, before: str = "queued") -> Move:
    return Move(
        transition="send",
        before=before,
        after="sending",
        actor="worker",
        at=of.started,
        attempt=of.id,
    )


def by_person(transition: str, at: float = 150.0) -> Move:
    return Move(transition=transition, before="errored", after="", actor=PERSON, at=at)


def asked(what: str, status: int = 200) -> Asked:
    return Asked(150.0, what, ITEM, True, status)


def hit(target: str, how: str, at: float, until: float) -> Hit:
    return Hit(target, how, at, until)


def item(state: str, *attempts: Attempt, **fields: Any) -> Item:
    """An item whose current attempt is the last one."""
    current: UUID | None = attempts[-1].id if attempts else None
    given = {"id": ITEM, "method": "email", "channel": "postmark", "state": state}
    return Item(**(given | {"attempt": current, "attempts": attempts} | fields))


def sent(**fields: Any) -> Story:
    """An email that was sent once and delivered: nothing is wrong with it."""
    once = attempt()
    asked_for = request(once)
    story = Story(
        item=item("succeeded", once, moves=(send(once),)),
        requests=(asked_for,),
        told=(told(asked_for, "delivered"),),
    )
    return replace(story, **fields)
