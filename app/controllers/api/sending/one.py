"""Sends one message, whichever kind it is, and shows what became of it."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import Meta, Struct

from app.controllers.api.operation import Answer, Call, Nothing
from app.controllers.api.problems import Problem
from app.controllers.api.sending.answers import (
    Links,
    Method,
    field_errors,
    item_link,
    message_link,
    queued,
)
from app.controllers.api.sending.bounds import HIDDEN, find_breaches, tells_addresses
from app.controllers.api.sending.drafts import compose
from app.controllers.api.sending.keys import find_answer, read_key
from app.controllers.api.sending.messages import Message
from app.controllers.api.sending.reading import Received, read_as
from app.controllers.api.sending.store import Writing, store
from app.items.writing import Composed
from app.models.queries import messages as queries

PROBLEMS = ("out-of-bounds", "still-running", "key-reused", "cap-reached")


async def send(call: Call[Nothing, Any], received: Received, kind: type[Message]) -> Answer:
    """Queue the message, unless an equal request did that before."""
    key = read_key(call.request, call.caller.user_id, received.digest)
    if key is not None and (earlier := await find_answer(key)):
        return earlier
    draft = read_as(received.content, kind)
    if tells_addresses(draft, call.caller):
        raise Problem("forbidden", HIDDEN, needs=["read_content"])
    message = await compose(draft, received.files)
    require_bounds(call, [message])
    body = queued(message)
    answer = Answer(body, 202, {"location": body.links.self})
    return await store(Writing(call.caller, call.request_id, [message], key, answer))


def require_bounds(call: Call[Any, Any], messages: list[Composed]) -> None:
    """Raises :class:`Problem` for what the caller's token may not send."""
    require_few(call, messages)
    errors = [
        error
        for message in messages
        for error in field_errors(find_breaches(message, call.caller.bounds))
    ]
    if errors:
        raise Problem("out-of-bounds", errors=errors)


def require_few(call: Call[Any, Any], messages: Iterable[Composed]) -> None:
    """Raises :class:`Problem` for more receivers in a request than the token may name."""
    most = call.caller.bounds.max_receivers
    if most is not None and sum(len(message.item_ids) for message in messages) > most:
        raise Problem("out-of-bounds", f"The token may name {most} receivers in a request.")


class ItemOfMessage(Struct):
    """An item of a message: what became of it for one receiver."""

    id: UUID
    role: Annotated[str, Meta(description="`to`, `cc` or `bcc`.")]
    state: Annotated[str, Meta(description="A state of `/api/workflow`.")]
    error_kind: Annotated[str | None, Meta(description="Why it is `errored`.")]
    links: Links


class MessageShown(Struct):
    """A message and its items, copies among them; its content stands with the items."""

    id: UUID
    method: Method
    queued: datetime
    items: list[ItemOfMessage]
    links: Links


async def show(method: Method, key: UUID) -> Answer:
    rows = await queries.list_items(method, key)
    if not rows:
        raise Problem("not-found")
    items = [
        ItemOfMessage(row["id"], row["role"], row["state"], row["error_kind"], item_link(row["id"]))
        for row in rows
    ]
    links = message_link(method, key)
    return Answer(MessageShown(key, method, rows[0]["queued"], items, links))
