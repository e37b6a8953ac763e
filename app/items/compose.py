"""Composing messages: everything is checked, then written at once, then published."""

import contextlib
from collections.abc import Generator, Mapping, Sequence
from typing import Unpack

from arvel.kernel import app

from app.items.attachments import Files, check_attachments
from app.items.channels import require_channel
from app.items.compose_email import check_email
from app.items.compose_sms import check_sms
from app.items.envelopes import check_envelope
from app.items.fields import EmailFields, SmsFields, require_arguments
from app.items.keeping import attach_files, drop_unused, store_contents
from app.items.publish import publish_after_commit
from app.items.refusals import InvalidMessage, Problems
from app.models.queries import compose_email, compose_sms
from app.models.queries.compose import Envelope, RowGone
from app.models.queries.compose_email import NewEmail
from app.models.queries.publish import Due
from app.models.queue_item import QueueItem
from app.models.statements import Row


async def add_email(**email: Unpack[EmailFields]) -> list[QueueItem]:
    """Queue an email: one item for each receiver in ``to``, ``cc`` and ``bcc``, in that order.

    An address that is named twice gets one item, in its first role. The items are written in the
    caller's transaction, if one is open, and published after its commit; with ``send_at`` in the
    future they are published when it comes. They keep the addresses that they were composed with.

    Raises :class:`InvalidMessage`, before anything is written, when something can't be sent.
    """
    require_arguments(email, EmailFields)
    items = await write_email(email, scheduled=True)
    await publish_due(items)
    return items


async def add_abstract_email(**email: Unpack[EmailFields]) -> list[QueueItem]:
    """Like :func:`add_email`, but each item is sent only once it is scheduled."""
    require_arguments(email, EmailFields)
    return await write_email(email, scheduled=False)


async def add_sms(**sms: Unpack[SmsFields]) -> QueueItem:
    """Queue an SMS to one receiver; as :func:`add_email`."""
    require_arguments(sms, SmsFields)
    item = await write_sms(sms)
    await publish_due([item])
    return item


async def write_email(draft: Mapping[str, object], *, scheduled: bool) -> list[QueueItem]:
    problems = Problems()
    email = await check_email(draft, problems)
    for channel in sorted({box.channel for box in email.mailboxes if box.channel}):
        require_channel("email", channel, problems)
    texts = len(email.text.encode()) + len(email.html.encode())
    files = await check_attachments(draft.get("attachments"), texts, problems)
    envelope = check_envelope(draft, problems, scheduled=scheduled)
    problems.raise_if_any()
    with refusing_lost_rows():
        add = (
            add_with_files(email, envelope, files) if files else compose_email.add(email, envelope)
        )
        return [QueueItem.from_row(row) for row in await add]


async def add_with_files(email: NewEmail, envelope: Envelope, files: Files) -> Sequence[Row]:
    """The files are on disk before the transaction begins, and locked until it commits."""
    written = await store_contents(files.uploads)
    async with app().make("db").transaction():
        rows = await compose_email.add(email, envelope)
        await attach_files(email.id, files, written)
    await drop_unused(written)
    return rows


async def write_sms(draft: Mapping[str, object]) -> QueueItem:
    problems = Problems()
    sms = await check_sms(draft, problems)
    envelope = check_envelope(draft, problems, scheduled=True)
    problems.raise_if_any()
    with refusing_lost_rows():
        rows = await compose_sms.add(sms, envelope)
    return QueueItem.from_row(rows[0])


@contextlib.contextmanager
def refusing_lost_rows() -> Generator[None]:
    """A row that was read before, but is deleted by now, is the caller's to know."""
    try:
        yield
    except RowGone as gone:
        field = "sender" if gone.of_sender else "receiver"
        raise InvalidMessage({field: ["There is no such row."]}) from None


async def publish_due(items: Sequence[QueueItem]) -> None:
    """Publish what may be sent at once; the ticker publishes the others when they come due."""
    await publish_after_commit(
        [
            Due(item.id, item.priority, item.dispatched_at)
            for item in items
            if item.dispatched_at is not None
        ]
    )
