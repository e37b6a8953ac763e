"""``/api/messages/batch``: many messages, each with a result of its own."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, cast

from arvel.validation import ValidationException
from msgspec import Meta, Struct

from app.access.caller import Caller
from app.controllers.api.operation import Answer, Call, Nothing, Operation
from app.controllers.api.problems import Problem
from app.controllers.api.sending import emails, keys, one, sms
from app.controllers.api.sending.answers import FieldError, Result, Results, field_errors, queued
from app.controllers.api.sending.bounds import HIDDEN, find_breaches, tells_addresses
from app.controllers.api.sending.drafts import compose
from app.controllers.api.sending.keys import Key, find_answer, read_key
from app.controllers.api.sending.known import Known, find_named
from app.controllers.api.sending.messages import Batch, Message
from app.controllers.api.sending.reading import read_as, receive
from app.controllers.api.sending.store import Writing, store
from app.controllers.api.sending.tagged import read_tagged
from app.items.writing import Composed

AT_ONCE = 20
"""Messages that are checked before others have their turn."""


class Loose(Struct, forbid_unknown_fields=True):
    """A batch whose messages are looked at one by one."""

    messages: Annotated[list[Any], Meta(min_length=1, max_length=500)]


@dataclass(frozen=True, slots=True)
class Judged:
    """A message that may be queued, or what is wrong with it."""

    message: Composed | None
    result: Result


async def send(call: Call[Nothing, Any]) -> Answer:
    received = await receive(call.request)
    key = read_key(call.request, call.caller.user_id, received.digest)
    if key is not None and (earlier := await find_answer(key)):
        return earlier
    entries = read_as(received.content, Loose).messages
    return await queue(call, key, await judge_all(entries, call.caller))


async def queue(call: Call[Nothing, Any], key: Key | None, judged: list[Judged]) -> Answer:
    """All that can be queued, in one transaction; raises :class:`Problem` when nothing can."""
    messages = [one.message for one in judged if one.message is not None]
    if not messages:
        raise Problem("invalid", "None of the messages can be queued.", errors=gather(judged))
    one.require_few(call, messages)
    results = [one.result for one in judged]
    answer = Answer(Results(len(messages), len(judged) - len(messages), results), 202)
    return await store(Writing(call.caller, call.request_id, messages, key, answer))


def gather(judged: list[Judged]) -> list[FieldError]:
    return [
        FieldError(f"messages.{position}.{error.field}".rstrip("."), error.message)
        for position, one in enumerate(judged)
        for error in one.result.errors or ()
    ]


async def judge_all(entries: list[Any], caller: Caller) -> list[Judged]:
    forms = [read_form(entry) for entry in entries]
    known = await find_named(form for form in forms if isinstance(form, Message))
    judged: list[Judged] = []
    for position, form in enumerate(forms):
        if position % AT_ONCE == AT_ONCE - 1:
            await asyncio.sleep(0)
        judged.append(await judge(form, known, caller) if isinstance(form, Message) else form)
    return judged


def read_form(entry: object) -> Message | Judged:
    """The message, or what is wrong with its form."""
    try:
        return read_tagged(entry)
    except Problem as problem:
        errors = cast("list[Mapping[str, str]]", problem.members["errors"])
        return refused(422, [FieldError(error["field"], error["message"]) for error in errors])


async def judge(message: Message, known: Known, caller: Caller) -> Judged:
    if tells_addresses(message, caller):
        return refused(403, [FieldError("to", HIDDEN)])
    try:
        composed = await compose(message, known=known)
    except ValidationException as invalid:
        return refused(422, field_errors(cast("dict[str, list[str]]", invalid.errors)))
    if breaches := find_breaches(composed, caller.bounds):
        return refused(403, field_errors(breaches))
    return Judged(composed, Result(202, queued(composed)))


def refused(status: Any, errors: list[FieldError]) -> Judged:
    return Judged(None, Result(status, errors=errors))


OPERATIONS = (
    Operation(
        method="POST",
        path="/messages/batch",
        name="messages.batch",
        tag="Sending",
        summary="Queue up to 500 messages",
        description="Emails and SMS in any mix, each with its `method`, and a result for each in"
        " their order. Those that can be used are written together, or not at all; the others are"
        " told what is wrong with them. A batch of which nothing can be used is 422, and one that"
        " would pass a cap of the token is 429 as a whole.",
        permissions=("send",),
        handler=send,
        body=Batch,
        reads_body=True,
        answers={202: Results},
        problems=one.PROBLEMS,
        headers=keys.HEADERS,
        example={
            "messages": [
                {"method": "email", **emails.EXAMPLE},
                {"method": "sms", **sms.EXAMPLE, "receiver": {"cell": "0151"}},
            ]
        },
        answer_example={
            "accepted": 1,
            "refused": 1,
            "results": [
                {"status": 202, "message": emails.ANSWER},
                {
                    "status": 422,
                    "errors": [
                        {
                            "field": "receiver.cell",
                            "message": "Is not a number in the international form E.164.",
                        }
                    ],
                },
            ],
        },
    ),
)
