"""``/api/senders`` and ``/api/receivers``: people to name by an id."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from app.controllers.api.operating import cursors
from app.controllers.api.operating.cursors import Cursor, Limit, Next
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.sending.answers import Links, field_errors
from app.controllers.api.sending.bounds import find_breaches_of_person
from app.controllers.api.sending.messages import Address, Cell, Name
from app.items.addresses import check_address
from app.items.numbers import check_number
from app.items.refusals import Problems
from app.items.texts import check_name
from app.models.queries import people as queries
from app.models.statements import Row

TABLES = ("senders", "receivers")

CHECKS = {"name": check_name, "email": check_address, "cell": check_number}
NEITHER = "Give an email address, a number, or both."

type Values = dict[str, str | None]


class NewPerson(Struct, forbid_unknown_fields=True):
    """Somebody with an email address, a mobile number, or both."""

    name: Name = ""
    email: Address | None = None
    cell: Cell | None = None


class ChangedPerson(Struct, forbid_unknown_fields=True):
    """What is to be different; what is left out stays, `null` removes an address or number."""

    name: Name | UnsetType = UNSET
    email: Address | UnsetType | None = UNSET
    cell: Cell | UnsetType | None = UNSET


class Person(Struct):
    """Somebody who can be named by an id."""

    id: UUID
    name: str
    email: str | None
    cell: str | None
    created: datetime
    links: Links


class People(Struct):
    """A page of people, the newest first."""

    data: list[Person]
    next: Next


class PeoplePage(Struct, forbid_unknown_fields=True):
    """Which page."""

    limit: Limit = 50
    cursor: Cursor | None = None


async def list_people(table: str, call: Call[PeoplePage, Nothing]) -> Answer:
    limit = call.query.limit
    rows = await queries.list_people(table, cursors.read_id(call.query.cursor), limit + 1)
    page, more = cursors.cut(rows, limit)
    following = cursors.of_id(page[-1]["id"]) if more else None
    return Answer(People([person(table, row) for row in page], following))


async def create(table: str, call: Call[Nothing, NewPerson]) -> Answer:
    values = check(msgspec.structs.asdict(call.body))
    if values["email"] is None and values["cell"] is None:
        raise Problem.invalid({"email": [NEITHER]})
    made = person(table, await queries.add(table, uuid.uuid7(), values))
    return Answer(made, 201, {"location": made.links.self})


async def show(table: str, call: Call[Nothing, Nothing]) -> Answer:
    row = await queries.find(table, call.key())
    if row is None:
        raise Problem("not-found")
    return Answer(person(table, row))


async def change(table: str, call: Call[Nothing, ChangedPerson]) -> Answer:
    key = call.key()
    given = msgspec.structs.asdict(call.body)
    values = check({field: value for field, value in given.items() if value is not UNSET})
    before = await queries.find(table, key)
    if before is not None:
        # What others send in this name is not the token's to change either.
        require_bounds(table, {field: before[field] for field in CHECKS}, call)
    require_bounds(table, values, call)
    row = await queries.change(table, key, values)
    if row is not None:
        return Answer(person(table, row))
    if before is None:
        raise Problem("not-found")
    raise Problem.invalid({"email": [NEITHER]})


def require_bounds(table: str, values: Values, call: Call[Nothing, Any]) -> None:
    """Raises :class:`Problem` for an address or number that the token may not send from or to."""
    if breaches := find_breaches_of_person(table, values, call.caller.bounds):
        raise Problem("out-of-bounds", errors=field_errors(breaches))


def check(given: Mapping[str, Any]) -> Values:
    """The values as they are kept; raises :class:`InvalidMessage`."""
    problems = Problems()
    values: Values = {
        field: None
        if value is None and field != "name"
        else problems.accept(field, CHECKS[field], value, "")
        for field, value in given.items()
    }
    problems.raise_if_any()
    return values


def person(table: str, row: Row) -> Person:
    links = Links(f"/api/{table}/{row['id']}")
    return Person(row["id"], row["name"], row["email"], row["cell"], row["created"], links)


EXAMPLE = {"name": "Shop", "email": "shop@example.com"}
KEY = "0198a6f4-2d6e-7a31-9c55-0d7f2b5c9e12"


def operations_on(table: str) -> tuple[Operation, ...]:
    one = table.removesuffix("s")
    shown = {
        "id": KEY,
        **EXAMPLE,
        "cell": None,
        "created": "2026-05-01T07:00:00Z",
        "links": {"self": f"/api/{table}/{KEY}"},
    }
    return (
        Operation(
            method="GET",
            path=f"/{table}",
            name=f"{table}.list",
            tag="People",
            summary=f"The {table}, newest first",
            description="Needs `read_content` because it shows addresses.",
            permissions=("send", "read_content"),
            handler=partial(list_people, table),
            query=PeoplePage,
            answers={200: People},
            answer_example={"data": [shown], "next": None},
        ),
        Operation(
            method="POST",
            path=f"/{table}",
            name=f"{table}.create",
            tag="People",
            summary=f"Add a {one}",
            description=f"Messages can then name the {one} by the id.",
            permissions=("send",),
            handler=partial(create, table),
            body=NewPerson,
            answers={201: Person},
            example=EXAMPLE,
            answer_example=shown,
        ),
        Operation(
            method="GET",
            path=f"/{table}/{{id}}",
            name=f"{table}.show",
            tag="People",
            summary=f"One {one}",
            description="Needs `read_content` because it shows addresses.",
            permissions=("send", "read_content"),
            handler=partial(show, table),
            answers={200: Person},
            answer_example=shown,
        ),
        Operation(
            method="PATCH",
            path=f"/{table}/{{id}}",
            name=f"{table}.change",
            tag="People",
            summary=f"Change a {one}",
            description="Items that exist keep the address that they were composed with. A token"
            " that is bound to senders or countries changes those alone, and only within them.",
            permissions=("send", "read_content"),
            handler=partial(change, table),
            body=ChangedPerson,
            answers={200: Person},
            problems=("out-of-bounds",),
            example={"name": "The Shop"},
            answer_example={**shown, "name": "The Shop"},
        ),
    )


OPERATIONS = tuple(operation for table in TABLES for operation in operations_on(table))
