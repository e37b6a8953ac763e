"""Messages between the check of what a caller wants and the rows that hold them."""

import asyncio
import contextlib
from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from app.items import file_store
from app.items.attachments import Files
from app.items.keeping import attach_files, store_contents
from app.items.refusals import InvalidMessage
from app.models.queries import compose_email, compose_sms
from app.models.queries.compose import Envelope, RowGone
from app.models.queries.compose_email import NewEmail
from app.models.queries.compose_sms import NewSms
from app.models.queries.files import Blob
from app.models.statements import Row


@dataclass(frozen=True, slots=True, repr=False)
class Composed:
    """A message that may be written: checked, with the keys that it and its items will have."""

    content: NewEmail | NewSms
    envelope: Envelope
    files: Files = field(default_factory=Files)

    @property
    def item_ids(self) -> list[UUID]:
        if isinstance(self.content, NewSms):
            return [self.content.item_id]
        return [box.item_id for box in self.content.mailboxes if box.item_id is not None]


async def store_files(messages: Iterable[Composed]) -> dict[str, Blob]:
    """Write the files of messages to the disk, before the transaction that writes their rows."""
    return await store_contents([upload for one in messages for upload in one.files.uploads])


async def write(message: Composed, written: dict[str, Blob]) -> Sequence[Row]:
    """The new items; ``written`` are the files on disk, and loses those that have rows now.

    A message with files needs an open transaction; one without, written again because nobody knows
    whether it is there, is written once. Raises :class:`InvalidMessage`.
    """
    with refusing_lost_rows():
        if isinstance(message.content, NewSms):
            return await compose_sms.add(message.content, message.envelope)
        rows = await compose_email.add(message.content, message.envelope)
    if message.files:
        await attach_files(message.content.id, message.files, written)
    return rows


async def remove_files(written: Mapping[str, Blob]) -> None:
    """Remove files that no row names: a rival stored them too, or their message was refused."""
    for blob in written.values():
        await asyncio.to_thread(file_store.remove, blob.path)


@contextlib.contextmanager
def refusing_lost_rows() -> Generator[None]:
    """A row that was read before, but is deleted by now, is the caller's to know."""
    try:
        yield
    except RowGone as gone:
        field = "sender" if gone.of_sender else "receiver"
        raise InvalidMessage({field: ["There is no such row."]}) from None
