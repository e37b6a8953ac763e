"""The configured provider accounts: which are there, and whether they send."""

from datetime import UTC, datetime
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from app.controllers.api.operating.filters import in_utc
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.items import pause
from app.models.queries import channels as queries
from app.models.statements import Row
from app.transports.channels import current

type Method = Literal["email", "sms"]

NEEDED = ("manage_channels",)
PAST = "Must be in the future."


class PauseWanted(Struct, forbid_unknown_fields=True):
    """Why nothing may be sent, and until when."""

    reason: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=500,
            pattern="^[^\\u0000]*$",
            description="Shown with the channel, and to who has `read_content` with its items.",
        ),
    ]
    until: (
        Annotated[
            datetime, Meta(tz=True, description="With a zone; without it until it is resumed.")
        ]
        | None
    ) = None


class ChannelShown(Struct):
    """A channel, and whether it sends."""

    name: str
    methods: Annotated[list[Method], Meta(description="What can be sent through it.")]
    paused: bool
    paused_until: Annotated[
        datetime | None, Meta(description="`null` for a pause that only a person ends.")
    ]
    reason: Annotated[str | None, Meta(description="Why it is paused.")]
    changed_by: Annotated[
        str | None, Meta(description="Who paused or resumed it last; `null`: nobody, or by itself.")
    ]
    changed_at: datetime | None


class ChannelList(Struct):
    """All configured channels, by name."""

    data: list[ChannelShown]


class ChannelResumed(Struct):
    """A channel that sends again."""

    channel: ChannelShown
    items: Annotated[int, Meta(description="How many had waited for it and are due again.")]


async def list_all(_call: Call[Nothing, Nothing]) -> Answer:
    names = pause.names()
    changes = await queries.find_changes(names)
    return Answer(ChannelList([show(name, changes.get(name)) for name in names]))


async def show_one(call: Call[Nothing, Nothing]) -> Answer:
    return Answer(await find(call))


async def pause_one(call: Call[Nothing, PauseWanted]) -> Answer:
    wanted = call.body
    until = None if wanted.until is None else in_utc("until", wanted.until)
    if until is not None and until <= datetime.now(UTC):
        raise Problem.invalid({"until": [PAST]})
    await pause.pause(name_of(call), wanted.reason, until=until, actor=call.caller.actor)
    return Answer(await find(call))


async def resume_one(call: Call[Nothing, Nothing]) -> Answer:
    items = await pause.resume(name_of(call), call.caller.actor, call.request_id)
    return Answer(ChannelResumed(await find(call), items))


def name_of(call: Call[Any, Any]) -> str:
    name = call.path["name"]
    if name not in pause.names():
        raise Problem("not-found")
    return name


async def find(call: Call[Any, Any]) -> ChannelShown:
    name = name_of(call)
    return show(name, (await queries.find_changes([name])).get(name))


def show(name: str, change: Row | None) -> ChannelShown:
    """``change`` is ``None`` for a channel that never was paused."""
    methods = methods_of(name)
    if change is None:
        return ChannelShown(name, methods, False, None, None, None, None)
    return ChannelShown(
        name,
        methods,
        bool(change["paused"]),
        change["until"],
        change["reason"],
        change["changed_by"],
        change["changed_at"],
    )


def methods_of(name: str) -> list[Method]:
    found: list[Method] = []
    if name in current().email:
        found.append("email")
    if name in current().sms:
        found.append("sms")
    return found


SENDING = {
    "name": "postmark",
    "methods": ["email"],
    "paused": False,
    "paused_until": None,
    "reason": None,
    "changed_by": "anna/console",
    "changed_at": "2026-05-01T09:30:00Z",
}
PAUSED = {**SENDING, "paused": True, "reason": "The account is being moved."}

OPERATIONS = (
    Operation(
        method="GET",
        path="/channels",
        name="channels.index",
        tag="Channels",
        summary="All channels",
        description="The provider accounts that are configured, by name.",
        permissions=NEEDED,
        handler=list_all,
        answers={200: ChannelList},
        answer_example={"data": [SENDING]},
    ),
    Operation(
        method="GET",
        path="/channels/{name}",
        name="channels.show",
        tag="Channels",
        summary="One channel",
        description="404 for a name that isn't configured.",
        permissions=NEEDED,
        handler=show_one,
        answers={200: ChannelShown},
        answer_example=SENDING,
    ),
    Operation(
        method="POST",
        path="/channels/{name}/pause",
        name="channels.pause",
        tag="Channels",
        summary="Send nothing through a channel",
        description=(
            "Until it is resumed, or until a time. Messages wait, and nothing is lost by it. A"
            " longer pause stays as it is: resume the channel first to make it shorter."
        ),
        permissions=NEEDED,
        handler=pause_one,
        body=PauseWanted,
        answers={200: ChannelShown},
        example={"reason": "The account is being moved."},
        answer_example=PAUSED,
    ),
    Operation(
        method="POST",
        path="/channels/{name}/resume",
        name="channels.resume",
        tag="Channels",
        summary="Send through a channel again",
        description=(
            "What had waited is due again, and what the provider refused only because it didn't"
            " accept our credentials is retried. A channel that isn't paused stays as it is."
        ),
        permissions=NEEDED,
        handler=resume_one,
        answers={200: ChannelResumed},
        answer_example={"channel": SENDING, "items": 17},
    ),
)
