"""Issuing, listing and revoking API tokens. No token makes a user."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from app.access.caller import Caller
from app.access.narrower import find_excess
from app.access.tokens import NameTaken, TokenRefused, Wish, issue
from app.controllers.api.access.shown import EXAMPLE, NewToken, Token, members, show
from app.controllers.api.access.wanted import EXAMPLE as WANTED_EXAMPLE
from app.controllers.api.access.wanted import WantedToken
from app.controllers.api.operating import cursors
from app.controllers.api.operating.cursors import Cursor, Limit, Next
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.models.queries import access as queries
from app.models.statements import Row

PERMISSION = "manage_tokens"


class Tokens(Struct):
    """A page of tokens, the newest first."""

    data: list[Token]
    next: Next


class Page(Struct, forbid_unknown_fields=True):
    limit: Limit = 50
    cursor: Cursor | None = None


class Revocation(Struct, forbid_unknown_fields=True):
    issued: Annotated[
        bool, Meta(description="Revoke the tokens that it issued too, and those that they did.")
    ] = False


async def index(call: Call[Page, Nothing]) -> Answer:
    before = cursors.read_id(call.query.cursor)
    limit = call.query.limit
    found, more = cursors.cut(await queries.list_tokens(None, before, limit + 1), limit)
    return Answer(
        Tokens([show(row) for row in found], cursors.of_id(found[-1]["id"]) if more else None)
    )


async def create(call: Call[Nothing, WantedToken]) -> Answer:
    caller = call.caller
    own = await _own(caller)
    wish = call.body.wish(own["expires_at"])
    _require_less(caller, own, wish)
    try:
        issued = await issue(caller.user_id, caller.permissions, wish, caller.token_id)
    except NameTaken as refused:
        raise Problem("conflict", " ".join(refused.errors["name"])) from None
    except TokenRefused as refused:
        raise Problem.invalid(refused.errors) from None
    row = await _find(issued.id)
    place = {"location": f"/api/tokens/{issued.id}"}
    return Answer(NewToken(**members(row), token=issued.text), 201, place)


async def show_one(call: Call[Nothing, Nothing]) -> Answer:
    return Answer(show(await _find(_reachable(call))))


async def revoke(call: Call[Revocation, Nothing]) -> Answer:
    if not await queries.revoke(_reachable(call), issued=call.query.issued):
        raise Problem("not-found")
    return Answer(None, 204)


async def _own(caller: Caller) -> Row:
    if caller.token_id is None:
        raise Problem("unauthenticated")
    return await _find(caller.token_id)


def _require_less(caller: Caller, own: Row, wish: Wish) -> None:
    """Raises 403 for a wish that goes beyond what the asking token is itself."""
    if excess := find_excess(caller, own, wish):
        errors = [{"field": name, "message": texts[0]} for name, texts in excess.items()]
        raise Problem(
            "forbidden", "A token can't give more than it has: see errors.", errors=errors
        )


def _reachable(call: Call[Nothing, Nothing] | Call[Revocation, Nothing]) -> UUID:
    """Every token for who manages them; else only the one that asks."""
    key = call.key()
    if not call.caller.may(PERMISSION) and key != call.caller.token_id:
        raise Problem("not-found")
    return key


async def _find(token_id: UUID) -> Row:
    row = await queries.find_token(token_id)
    if row is None:
        raise Problem("not-found")
    return row


OWN = " With `manage_tokens` any token; without it a token reaches itself alone."

OPERATIONS = (
    Operation(
        method="GET",
        path="/tokens",
        name="tokens.index",
        tag="Tokens",
        summary="All tokens, the newest first",
        description="With who has them, what they may do, and when they were used last.",
        permissions=(PERMISSION,),
        handler=index,
        query=Page,
        answers={200: Tokens},
        answer_example={"data": [EXAMPLE], "next": None},
    ),
    Operation(
        method="POST",
        path="/tokens",
        name="tokens.create",
        tag="Tokens",
        summary="Issue a token",
        description=(
            "The new token is the user's whose token asks. It can have no ability, no wider bound"
            " and no later end than that one (403, with `errors`). A token with a cap can't give"
            " `send` or `can_resend`, since two caps are more than one; and one without"
            " `read_content` can't choose their senders and countries, since what is refused would"
            " tell addresses. The answer shows the token"
            " once. Users are made on the command line alone (`arvel dispatch:user`)."
        ),
        permissions=(PERMISSION,),
        handler=create,
        body=WantedToken,
        answers={201: NewToken},
        problems=("conflict",),
        example=WANTED_EXAMPLE,
        answer_example={**EXAMPLE, "token": "plb_4f8Kd02hQzLm_…"},
        max_body=100_000,
    ),
    Operation(
        method="GET",
        path="/tokens/{id}",
        name="tokens.show",
        tag="Tokens",
        summary="One token",
        description="What it may do and when it was used last." + OWN,
        permissions=(),
        handler=show_one,
        answers={200: Token},
        answer_example=EXAMPLE,
    ),
    Operation(
        method="DELETE",
        path="/tokens/{id}",
        name="tokens.revoke",
        tag="Tokens",
        summary="Revoke a token",
        description=(
            "From the next request on it is as good as none, and so are its links to attachments."
            + OWN
        ),
        permissions=(),
        handler=revoke,
        query=Revocation,
        answers={204: None},
    ),
)
