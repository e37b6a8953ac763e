"""Writes messages, the key of their request and what they use up: all of it, or nothing."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from arvel.validation import ValidationException

from app.access.caller import Caller
from app.controllers.api.operation import Answer
from app.controllers.api.problems import Problem
from app.controllers.api.sending import keys
from app.controllers.api.sending.keys import Key
from app.items import writing
from app.items.compose import publish_due
from app.items.keeping import FilesContended
from app.items.writing import Composed
from app.models import failures, statements
from app.models.queries import compose, usage
from app.models.queries.files import Blob
from app.models.queue_item import QueueItem
from app.models.statements import TRIES, Row

HOUR = 3600


@dataclass(frozen=True, slots=True)
class Writing:
    """Messages of one request, and what it is answered with when they are written."""

    caller: Caller
    request_id: UUID
    messages: Sequence[Composed]
    key: Key | None
    answer: Answer

    @property
    def items(self) -> int:
        return sum(len(message.item_ids) for message in self.messages)

    @property
    def is_capped(self) -> bool:
        bounds = self.caller.bounds
        return bounds.hourly_cap is not None or bounds.daily_cap is not None

    @property
    def is_one_statement(self) -> bool:
        alone = len(self.messages) == 1 and not self.messages[0].files
        return alone and self.key is None and not self.is_capped


async def store(writing_: Writing) -> Answer:
    """Write the messages and publish them; the answer, or that of an earlier equal request.

    Raises :class:`Problem` when a cap is reached or the key belongs to somebody else; then nothing
    is written, and no file is left.
    """
    work = signed(writing_)
    written = await writing.store_files(work.messages)
    try:
        rows, earlier = await write(work, dict(written))
    except Problem, ValidationException:
        await writing.remove_files(written)
        raise
    except FilesContended:
        raise Problem("unavailable", headers={"retry-after": "1"}) from None
    if earlier is not None:
        await writing.remove_files(written)
        return earlier
    await publish_due([QueueItem.from_row(row) for row in rows])
    return work.answer


def signed(work: Writing) -> Writing:
    """Each message says who had it sent, and by which request."""
    by = {"created_by": work.caller.actor, "request_id": work.request_id}
    messages = [
        replace(message, envelope=message.envelope._replace(**by)) for message in work.messages
    ]
    return replace(work, messages=messages)


async def write(work: Writing, written: dict[str, Blob]) -> tuple[Sequence[Row], Answer | None]:
    """The new items, or what was answered before; repeated when the database asks for it."""
    if work.is_one_statement:
        return await writing.write(work.messages[0], written), None
    for attempt in range(1, TRIES + 1):
        try:
            if attempt > 1 and (rows := await read_back(work)):
                return rows, None
            return await write_together(work, dict(written))
        except Exception as error:
            if attempt == TRIES or not failures.is_repeatable(error):
                raise
            await asyncio.sleep(0.05 * 2**attempt)
    raise AssertionError("unreachable")


async def read_back(work: Writing) -> Sequence[Row]:
    """The items, when only the answer to their commit was lost."""
    return await compose.read([key for message in work.messages for key in message.item_ids])


async def write_together(
    work: Writing, written: dict[str, Blob]
) -> tuple[Sequence[Row], Answer | None]:
    async with statements.transaction():
        if work.key is not None and (earlier := await keys.claim(work.key, work.answer)):
            return [], earlier
        await use_up(work)
        rows = [row for message in work.messages for row in await writing.write(message, written)]
    await writing.remove_files(written)
    return rows, None


async def use_up(work: Writing) -> None:
    """Count the items against the token's caps; raises :class:`Problem` when they don't fit."""
    token, bounds = work.caller.token_id, work.caller.bounds
    if token is None or not work.is_capped:
        return
    if not await usage.count(token, work.items, bounds.hourly_cap, bounds.daily_cap):
        wait = HOUR - int(time.time()) % HOUR
        raise Problem("cap-reached", headers={"retry-after": str(wait)})
