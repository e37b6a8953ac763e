"""Files of messages, for who may read one of the items that have them."""

from datetime import UTC, datetime
from typing import Annotated
from uuid import UUID

from arvel.http.response import StreamValue
from msgspec import Meta, Struct

from app.access import links
from app.access.authenticate import stand_for
from app.access.caller import Caller
from app.controllers.address import client_address
from app.controllers.api import rate
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.download import send_file
from app.items.file_store import FileMissing
from app.models.queries import downloads as queries
from app.models.statements import Row

PERMISSIONS = ("read_queueitem", "read_content")
GONE = "The file was cleaned away, or lost; what is known of it stays with its items."
NO_REFERRER = {"referrer-policy": "no-referrer"}


class NewLink(Struct):
    """A link that needs no `Authorization`: a browser can follow it."""

    url: Annotated[str, Meta(description="Relative to where the API is. Keep it out of logs.")]
    expires_at: Annotated[datetime, Meta(description="When it ends by itself.")]


class Given(Struct, forbid_unknown_fields=True):
    link: Annotated[
        str,
        Meta(
            description="What `POST …/links` answered with.",
            pattern="^[A-Za-z0-9_-]+$",
            min_length=links.LENGTH,
            max_length=links.LENGTH,
        ),
    ]


async def show(call: Call[Nothing, Nothing]) -> StreamValue:
    return await _send(call.key(), call.caller, call.request_id)


async def link(call: Call[Nothing, Nothing]) -> Answer:
    key, token_id = call.key(), call.caller.token_id
    _require_file(await _find(key))
    if token_id is None:
        raise Problem("unauthenticated")
    made = links.sign(token_id, key)
    url = f"/api/attachments/{key}/content?link={made.text}"
    return Answer(NewLink(url, datetime.fromtimestamp(made.ends, UTC)), 201, NO_REFERRER)


async def follow(call: Call[Given, Nothing]) -> StreamValue:
    """Whatever is wrong with a link, it is the same 404: not one of ours, over, for another file,
    of a token that is revoked, of a user who may not any more.
    """
    key = call.key()
    token_id = links.read(call.query.link, key)
    caller = token_id and await stand_for(token_id, client_address(call.request))
    if not caller or not caller.may(*PERMISSIONS) or caller.token_id is None:
        raise Problem("not-found", headers=NO_REFERRER)
    await rate.count(caller.token_id)
    return await _send(key, caller, call.request_id)


async def _send(key: UUID, caller: Caller, request_id: UUID) -> StreamValue:
    row = await _find(key)
    _require_file(row)
    try:
        answer = await send_file(row["path"], row["name"])
    except FileMissing:
        raise Problem("not-found", GONE, headers=NO_REFERRER) from None
    # First, so that nobody has what nobody knows of.
    await queries.note(key, caller.actor, request_id)
    return answer


async def _find(key: UUID) -> Row:
    row = await queries.find(key)
    if row is None:
        raise Problem("not-found", headers=NO_REFERRER)
    return row


def _require_file(row: Row) -> None:
    if row["removed"]:
        raise Problem("not-found", GONE, headers=NO_REFERRER)


WHO = (
    " There is no such attachment (404) for whoever may not read an item that has it, and none"
    " whose file was cleaned away; `detail` then says so. Each download is noted with who had it,"
    " and shown in the history of the items."
)

OPERATIONS = (
    Operation(
        method="GET",
        path="/attachments/{id}",
        name="attachments.show",
        tag="Attachments",
        summary="Download a file",
        description="The file as it was sent, always to be saved and never to be shown." + WHO,
        permissions=PERMISSIONS,
        hidden=True,
        handler=show,
        answers={200: bytes},
        produces="application/octet-stream",
    ),
    Operation(
        method="POST",
        path="/attachments/{id}/links",
        name="attachments.link",
        tag="Attachments",
        summary="A link to a file, for a minute",
        description=(
            "For a browser, which can't send the token. The link works for this file, while the"
            " token does, from the networks of the token, and for 60 seconds." + WHO
        ),
        permissions=PERMISSIONS,
        hidden=True,
        handler=link,
        answers={201: NewLink},
        answer_example={
            "url": "/api/attachments/019c1f6e-5a51-7a14-8c4e-0d9f3a7b2c11/content?link=…",
            "expires_at": "2026-12-01T09:01:00Z",
        },
    ),
    Operation(
        method="GET",
        path="/attachments/{id}/content",
        name="attachments.follow",
        tag="Attachments",
        summary="Download a file by a link",
        description="What a link leads to. It needs no token, and 404 is all it says if wrong.",
        permissions=None,
        handler=follow,
        query=Given,
        answers={200: bytes},
        produces="application/octet-stream",
        problems=("too-many-requests",),
    ),
)
