"""Every route × every set of permissions: who is let in, and who isn't.

The table below is written by hand and not derived from the operations: it is what they are held
against. Whoever adds an operation says here who may use it.
"""

import asyncio
import uuid
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arvel.kernel import Application

from app.access.permissions import PERMISSIONS
from app.access.tokens import Wish, issue
from app.controllers.api.table import OPERATIONS
from tests.fakes.access import bearer, put_user
from tests.fakes.web import Web, serving

type Names = frozenset[str]

ANYBODY = None
"""No token at all."""

ANY_TOKEN: Names = frozenset()


def needs(*names: str) -> Names:
    return frozenset(names)


OPERATING = ("list_queueitem", "read_queueitem", "read_workflow")
PEOPLE = needs("send", "read_content")

TABLE: Mapping[str, Names | None] = {
    "GET /openapi.json": ANYBODY,
    "GET /docs": ANYBODY,
    "GET /docs.css": ANYBODY,
    # By a signed link, which is worth what its token is worth: tests/api/test_attachments.py
    "GET /attachments/{id}/content": ANYBODY,
    "GET /workflow": needs("read_workflow"),
    "GET /queue-items": needs("list_queueitem"),
    "GET /queue-items/{id}": needs("read_queueitem"),
    "GET /sent-items": needs("list_queueitem"),
    "GET /sent-items/{id}": needs("read_queueitem"),
    "POST /queue-items/{id}/retry": needs(*OPERATING, "can_retry"),
    "POST /queue-items/{id}/cancel": needs(*OPERATING, "can_cancel"),
    "POST /queue-items/{id}/transitions": needs(*OPERATING),
    "POST /queue-items/retry": needs(*OPERATING, "can_retry"),
    "POST /queue-items/cancel": needs(*OPERATING, "can_cancel"),
    "POST /sent-items/{id}/resend": needs("can_resend"),
    "POST /sent-items/resend": needs("can_resend"),
    "POST /operations": needs("list_queueitem"),
    "GET /operations": needs("list_queueitem"),
    "GET /operations/{id}": needs("list_queueitem"),
    "GET /operations/{id}/results": needs("list_queueitem"),
    "POST /operations/{id}/cancel": needs("list_queueitem"),
    "GET /channels": needs("manage_channels"),
    "GET /channels/{name}": needs("manage_channels"),
    "POST /channels/{name}/pause": needs("manage_channels"),
    "POST /channels/{name}/resume": needs("manage_channels"),
    "GET /failed-jobs": needs("manage_failed_jobs"),
    "GET /failed-jobs/{id}": needs("manage_failed_jobs"),
    "POST /failed-jobs/{id}/retry": needs("manage_failed_jobs"),
    "DELETE /failed-jobs/{id}": needs("manage_failed_jobs"),
    "GET /events": needs("list_queueitem", "read_queueitem"),
    "GET /events/{id}": needs("read_queueitem"),
    "POST /events/{id}/replay": needs("manage_channels"),
    "POST /emails": needs("send"),
    "GET /emails/{id}": needs("read_queueitem"),
    "POST /sms": needs("send"),
    "GET /sms/{id}": needs("read_queueitem"),
    "POST /messages/batch": needs("send"),
    "POST /messages/preview": needs("send"),
    "GET /senders": PEOPLE,
    "POST /senders": needs("send"),
    "GET /senders/{id}": PEOPLE,
    "PATCH /senders/{id}": PEOPLE,
    "GET /receivers": PEOPLE,
    "POST /receivers": needs("send"),
    "GET /receivers/{id}": PEOPLE,
    "PATCH /receivers/{id}": PEOPLE,
    "GET /me": ANY_TOKEN,
    # Of itself alone: tests/api/test_tokens.py
    "GET /tokens/{id}": ANY_TOKEN,
    "DELETE /tokens/{id}": ANY_TOKEN,
    "GET /tokens": needs("manage_tokens"),
    "POST /tokens": needs("manage_tokens"),
    "GET /attachments/{id}": needs("read_queueitem", "read_content"),
    "POST /attachments/{id}/links": needs("read_queueitem", "read_content"),
}

HIDDEN = {"GET /attachments/{id}", "POST /attachments/{id}/links"}
"""Where the answer to who may not is that there is no such thing."""

BY_BODY: Sequence[tuple[str, object, Names]] = (
    ("POST /queue-items/{id}/transitions", {"transition": "retry"}, needs(*OPERATING, "can_retry")),
    (
        "POST /queue-items/{id}/transitions",
        {"transition": "cancel"},
        needs(*OPERATING, "can_cancel"),
    ),
    (
        "POST /operations",
        {"action": "retry", "filter": {"state": "errored"}, "dry_run": True},
        needs(*OPERATING, "can_retry"),
    ),
    (
        "POST /operations",
        {"action": "cancel", "filter": {"state": "errored"}, "dry_run": True},
        needs(*OPERATING, "can_cancel"),
    ),
    (
        "POST /operations",
        {"action": "resend", "filter": {"state": "succeeded"}, "dry_run": True},
        needs("list_queueitem", "can_resend"),
    ),
)
"""What more a request needs because of what it asks for."""

ALL: Names = frozenset(PERMISSIONS)


def name_of(method: str, path: str) -> str:
    return f"{method} {path}"


def sets_of_permissions() -> Iterator[Names]:
    """None, each alone, all but one, all."""
    yield ANY_TOKEN
    yield ALL
    for name in PERMISSIONS:
        yield frozenset({name})
        yield ALL - {name}


def test_every_operation_has_a_line_here() -> None:
    there = {name_of(operation.method, operation.path) for operation in OPERATIONS}
    assert there == set(TABLE)


def test_every_operation_says_who_may() -> None:
    """The document and the page tell people what the operations say."""
    for operation in OPERATIONS:
        wanted = TABLE[name_of(operation.method, operation.path)]
        said = None if operation.permissions is None else frozenset(operation.permissions)
        assert said == wanted, operation.name


async def test_no_route_of_the_api_is_outside_the_table(application: Application) -> None:
    routes = {
        name_of(method, route.path.removeprefix("/api"))
        for route in application.make("router").routes()
        for method in route.methods
        if f"/{route.path.lstrip('/')}".startswith("/api/")
    }
    assert {route for route in routes if not route.startswith("HEAD ")} == set(TABLE)


@pytest.fixture
async def busy(database_url: str, redis_url: str, tmp_path: Path) -> AsyncIterator[Web]:
    """A server that lets a token ask as often as it likes."""
    async with serving(STORAGE_PATH=str(tmp_path), API_RATE_LIMIT="1000000") as web:
        yield web


async def token_with(held: Names) -> str:
    """A token that may do exactly this, because its owner may do no more."""
    owner = await put_user(*held)
    wish = Wish("a test", list(PERMISSIONS), datetime.now(UTC) + timedelta(days=1))
    return (await issue(owner, ALL, wish)).text


async def ask(web: Web, line: str, headers: Mapping[str, str], body: object = None) -> int:
    method, _, path = line.partition(" ")
    place = path.replace("{id}", str(uuid.uuid7())).replace("{name}", "nothing")
    content = {} if body is None else {"json": body}
    answer = await web.client.request(method, f"/api{place}", headers=headers, **content)
    return answer.status_code


async def test_without_a_token_only_what_is_for_everybody_is_answered(busy: Web) -> None:
    for line, wanted in TABLE.items():
        status = await ask(busy, line, {})
        assert (status == 401) == (wanted is not ANYBODY), (line, status)


async def test_a_token_gets_what_its_permissions_open_and_nothing_else(busy: Web) -> None:
    wrong = []
    for held in sets_of_permissions():
        headers = bearer(await token_with(held))
        lines = [line for line, wanted in TABLE.items() if wanted is not ANYBODY]
        statuses = await asyncio.gather(*(ask(busy, line, headers) for line in lines))
        for line, status in zip(lines, statuses, strict=True):
            wanted = TABLE[line] or ANY_TOKEN
            refused = 404 if line in HIDDEN else 403
            fits = status not in (401, 403) if wanted <= held else status == refused
            wrong += [] if fits else [(line, sorted(held), status)]
    assert wrong == []


async def test_what_a_body_asks_for_may_need_more(busy: Web) -> None:
    wrong = []
    for line, body, wanted in BY_BODY:
        for held in (wanted, *(wanted - {name} for name in wanted), *(ALL - {n} for n in wanted)):
            status = await ask(busy, line, bearer(await token_with(held)), body)
            fits = status in (200, 404) if wanted <= held else status == 403
            wrong += [] if fits else [(line, body, sorted(held), status)]
    assert wrong == []
