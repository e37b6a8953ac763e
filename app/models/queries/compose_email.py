"""Writes an email once and an item for each of its receivers, in one statement."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models.queries import compose
from app.models.queries.compose import Envelope
from app.models.statements import Row


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A mailbox as the message shows it; one with an item id gets an item.

    ``place`` is where the caller named it, such as ``to.0``.
    """

    role: str
    person_id: UUID | None
    name: str
    address: str
    item_id: UUID | None
    channel: str | None
    place: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class NewEmail:
    id: UUID
    sender_id: UUID | None
    sender_name: str
    sender_address: str
    subject: str
    text: str
    html: str
    headers: Mapping[str, str]
    tags: Sequence[str]
    mailboxes: Sequence[Mailbox]


ADD = f"""
WITH message AS (
    INSERT INTO email_messages
        (id, sender_id, sender_name, sender_address, subject, text, html, headers, tags)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, queued, tags
), people AS (
    SELECT p.*, m.id AS email_id, m.queued, m.tags,
        $18::text AS origin_type, $19::text AS origin_id
    FROM message m,
        unnest($10::text[], $11::uuid[], $12::text[], $13::text[], $14::uuid[], $15::text[])
        WITH ORDINALITY AS p (role, receiver_id, name, address, item_id, channel, place)
), shown AS (
    INSERT INTO email_receivers (email_id, role, position, receiver_id, name, address)
    SELECT email_id, role, place, receiver_id, name, address FROM people
), item AS (
    INSERT INTO queue_items ({compose.ITEM_COLUMNS.format(message="email_id")})
    SELECT item_id, 'email', channel, $16, email_id, queued, $17::timestamptz, $20::timestamptz,
        {compose.DUE_AT.format(scheduled="$21", now="queued", send_at="$17::timestamptz")},
        {compose.DISPATCHED_AT.format(scheduled="$21", now="queued", send_at="$17::timestamptz")},
        queued
    FROM people WHERE item_id IS NOT NULL
    RETURNING *
), search AS (
    INSERT INTO item_search ({compose.SEARCH_COLUMNS})
    SELECT item_id, 'email', receiver_id, name, address, role, origin_type, origin_id, tags, queued,
        $22, $23::uuid
    FROM people WHERE item_id IS NOT NULL
)
SELECT {compose.WHOLE} FROM item i JOIN people p ON p.item_id = i.id ORDER BY p.place
"""


async def add(email: NewEmail, envelope: Envelope) -> Sequence[Row]:
    """The new items, in the order of the mailboxes."""
    boxes = email.mailboxes
    return await compose.write(
        ADD,
        [box.item_id for box in boxes if box.item_id is not None],
        email.id,
        email.sender_id,
        email.sender_name,
        email.sender_address,
        email.subject,
        email.text,
        email.html,
        json.dumps(dict(email.headers)),
        list(email.tags),
        [box.role for box in boxes],
        [box.person_id for box in boxes],
        [box.name for box in boxes],
        [box.address for box in boxes],
        [box.item_id for box in boxes],
        [box.channel for box in boxes],
        envelope.priority,
        envelope.send_at,
        envelope.origin_type,
        envelope.origin_id,
        envelope.expires_at,
        envelope.scheduled,
        envelope.created_by,
        envelope.request_id,
    )
