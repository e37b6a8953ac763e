"""Senders and receivers, however they are given: rows, keys of rows, or dicts."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import cast
from uuid import UUID

from app.items.refusals import Problems, Refused
from app.models.queries import compose as queries
from app.models.receiver import Receiver
from app.models.sender import Sender

MOST = 50

FORM = "Must be a stored row, its UUID, or a dict of name, email and cell."
KEYS = frozenset({"name", "email", "cell"})

type SenderLike = Sender | UUID | Mapping[str, str | None]
type ReceiverLike = Receiver | UUID | Mapping[str, str | None]
type Receivers = ReceiverLike | Iterable[ReceiverLike]


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody as the caller gave them, not yet checked; ``id`` is the key of their row."""

    id: UUID | None = None
    name: object = None
    email: object = None
    cell: object = None


async def find_people(given: Mapping[str, object], problems: Problems) -> dict[str, Person]:
    """Whom each field names, without those that name nobody; ``sender`` is looked for in senders.

    Rows given by their keys are read in one statement, others are taken as they are.
    """
    read = {
        field: problems.accept(
            field, partial(read_person, as_sender=field == "sender"), value, None
        )
        for field, value in given.items()
    }
    keys = {field: person for field, person in read.items() if isinstance(person, UUID)}
    stored = await read_rows(keys) if keys else {}
    for field in keys.keys() - stored.keys():
        problems.add(field, "There is no such row.")
    people = {field: person for field, person in read.items() if isinstance(person, Person)}
    return {field: found for field in given if (found := people.get(field) or stored.get(field))}


async def read_rows(keys: Mapping[str, UUID]) -> dict[str, Person]:
    senders = {key for field, key in keys.items() if field == "sender"}
    receivers = {key for field, key in keys.items() if field != "sender"}
    found = {
        (row["is_sender"], row["id"]): Person(row["id"], row["name"], row["email"], row["cell"])
        for row in await queries.find_people(sorted(senders), sorted(receivers))
    }
    places = {field: (field == "sender", key) for field, key in keys.items()}
    return {field: found[place] for field, place in places.items() if place in found}


def read_person(value: object, *, as_sender: bool) -> Person | UUID | None:
    if isinstance(value, UUID):
        return value
    if isinstance(value, Sender | Receiver):
        of_its_table = isinstance(value, Sender) is as_sender
        return Person(value.id if of_its_table else None, value.name, value.email, value.cell)
    if isinstance(value, Mapping):
        return read_dict(cast("Mapping[object, object]", value))
    raise Refused(FORM)


def read_dict(value: Mapping[object, object]) -> Person:
    if not KEYS.issuperset(value):
        raise Refused(FORM)
    return Person(None, value.get("name"), value.get("email"), value.get("cell"))


def list_people(role: str, value: object, problems: Problems) -> dict[str, object]:
    """Everybody in that role by field (``to.0``); a lone one counts as a list of one."""
    if value is None:
        return {}
    if isinstance(value, Mapping | UUID | Sender | Receiver):
        return {f"{role}.0": cast("object", value)}
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        problems.add(role, "Must be a list; each of it a row, its UUID, or a dict of name, email.")
        return {}
    people = list(cast("Iterable[object]", value))
    if len(people) > MOST:
        problems.add(role, f"Must be at most {MOST}; send further messages for more.")
        return {}
    return {f"{role}.{position}": person for position, person in enumerate(people)}
