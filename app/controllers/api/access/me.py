"""What the API makes of the token that asks."""

from typing import Annotated
from uuid import UUID

from msgspec import Meta, Struct

from app.controllers.api.access import shown
from app.controllers.api.access.shown import Token
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.models.queries import access as queries


class Left(Struct):
    """What the caps still allow; `null` where there is none."""

    this_hour: Annotated[int | None, Meta(description="Items until the full hour.")]
    this_day: Annotated[int | None, Meta(description="Items in this hour and the 23 before it.")]


class Me(Struct):
    """Who asks, and what they may."""

    actor: Annotated[str, Meta(description="How the history of items names what this token does.")]
    user_id: Annotated[UUID, Meta(description="Whose token it is.")]
    permissions: Annotated[
        list[str], Meta(description="What the token may do: its abilities that its owner has too.")
    ]
    token: Annotated[Token, Meta(description="The token with its bounds.")]
    left: Annotated[Left, Meta(description="What the caps still allow.")]


async def show(call: Call[Nothing, Nothing]) -> Answer:
    caller = call.caller
    row = None if caller.token_id is None else await queries.find_token(caller.token_id)
    if row is None:
        raise Problem("unauthenticated")
    this_hour, this_day = await queries.spent(row["id"])
    left = Left(_left(row["hourly_cap"], this_hour), _left(row["daily_cap"], this_day))
    permissions = sorted(caller.permissions)
    return Answer(Me(caller.actor, caller.user_id, permissions, shown.show(row), left))


def _left(cap: int | None, spent: int) -> int | None:
    return None if cap is None else max(cap - spent, 0)


OPERATIONS = (
    Operation(
        method="GET",
        path="/me",
        name="me.show",
        tag="Tokens",
        summary="Who am I?",
        description="What the token that asks may do, within which bounds, and what is left of it.",
        permissions=(),
        handler=show,
        answers={200: Me},
        answer_example={
            "actor": "ada/shop",
            "user_id": shown.EXAMPLE["user_id"],
            "permissions": ["send"],
            "token": shown.EXAMPLE,
            "left": {"this_hour": 480, "this_day": 4811},
        },
    ),
)
