"""Composing messages: everything is checked, then written at once, then published."""

from collections.abc import Mapping, Sequence
from typing import Unpack

from arvel.kernel import app

from app.events import traces
from app.items.attachments import check_attachments
from app.items.channels import require_channel
from app.items.compose_email import check_email
from app.items.compose_sms import check_sms
from app.items.envelopes import check_envelope
from app.items.fields import EmailFields, SmsFields, require_arguments
from app.items.publish import publish_after_commit
from app.items.refusals import Problems
from app.items.writing import Composed, remove_files, store_files, write
from app.models.queries.publish import Due
from app.models.queue_item import QueueItem


async def add_email(**email: Unpack[EmailFields]) -> list[QueueItem]:
    """Queue an email: one item for each receiver in ``to``, ``cc`` and ``bcc``, in that order.

    An address that is named twice gets one item, in its first role. The items are written in the
    caller's transaction, if one is open, and published after its commit; with ``send_at`` in the
    future they are published when it comes. They keep the addresses that they were composed with.

    Raises :class:`InvalidMessage`, before anything is written, when something can't be sent.
    """
    require_arguments(email, EmailFields)
    items = await write_alone(await compose_email(email))
    await publish_due(items)
    return items


async def add_abstract_email(**email: Unpack[EmailFields]) -> list[QueueItem]:
    """Like :func:`add_email`, but each item is sent only once it is scheduled."""
    require_arguments(email, EmailFields)
    return await write_alone(await compose_email(email, scheduled=False))


async def add_sms(**sms: Unpack[SmsFields]) -> QueueItem:
    """Queue an SMS to one receiver; as :func:`add_email`."""
    require_arguments(sms, SmsFields)
    items = await write_alone(await compose_sms(sms))
    await publish_due(items)
    return items[0]


async def compose_email(draft: Mapping[str, object], *, scheduled: bool = True) -> Composed:
    """The email that a draft with the keys of :class:`EmailFields` makes; nothing is written yet.

    Raises :class:`InvalidMessage`.
    """
    problems = Problems()
    email = await check_email(draft, problems)
    for channel in sorted({box.channel for box in email.mailboxes if box.channel}):
        require_channel("email", channel, problems)
    texts = len(email.text.encode()) + len(email.html.encode())
    files = await check_attachments(draft.get("attachments"), texts, problems)
    envelope = check_envelope(draft, problems, scheduled=scheduled)
    problems.raise_if_any()
    return Composed(email, envelope, files)


async def compose_sms(draft: Mapping[str, object]) -> Composed:
    """The SMS that a draft with the keys of :class:`SmsFields` makes; as :func:`compose_email`."""
    problems = Problems()
    sms = await check_sms(draft, problems)
    envelope = check_envelope(draft, problems, scheduled=True)
    problems.raise_if_any()
    return Composed(sms, envelope)


async def write_alone(message: Composed) -> list[QueueItem]:
    """The files are on disk before the transaction begins, and locked until it commits."""
    if not message.files:
        return [QueueItem.from_row(row) for row in await write(message, {})]
    written = await store_files([message])
    async with app().make("db").transaction():
        rows = await write(message, written)
    await remove_files(written)
    return [QueueItem.from_row(row) for row in rows]


async def publish_due(items: Sequence[QueueItem]) -> None:
    """Publish what may be sent at once; the ticker publishes the others when they come due."""
    await traces.remember(item.id for item in items if item.dispatched_at is None)
    await publish_after_commit(
        [
            Due(item.id, item.priority, item.dispatched_at)
            for item in items
            if item.dispatched_at is not None
        ]
    )
