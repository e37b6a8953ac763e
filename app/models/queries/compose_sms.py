"""Writes an SMS and its item, in one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models.queries import compose
from app.models.queries.compose import Envelope
from app.models.statements import Row


@dataclass(frozen=True, slots=True, repr=False)
class NewSms:
    id: UUID
    item_id: UUID
    channel: str
    sender_id: UUID | None
    sender_number: str
    receiver_id: UUID | None
    receiver_name: str
    receiver_number: str
    body: str
    media_url: str | None


ADD = f"""
WITH message AS (
    INSERT INTO sms_messages (id, sender_id, sender_number, body, media_url)
    VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (id) DO NOTHING
    RETURNING id, queued
), people AS (
    SELECT id AS sms_id, queued, $6::uuid AS item_id, $7::text AS channel, $8::uuid AS receiver_id,
        $9::text AS name, $10::text AS address, 'to' AS role, $11::text AS origin_type,
        $12::text AS origin_id, '{{}}'::text[] AS tags
    FROM message
), item AS (
    INSERT INTO queue_items ({compose.ITEM_COLUMNS.format(message="sms_id")})
    SELECT item_id, 'sms', channel, $13, sms_id, queued, $14::timestamptz, $15::timestamptz,
        {compose.DUE_AT.format(scheduled="$16", now="queued", send_at="$14::timestamptz")},
        {compose.DISPATCHED_AT.format(scheduled="$16", now="queued", send_at="$14::timestamptz")},
        queued
    FROM people
    RETURNING *
), search AS (
    INSERT INTO item_search ({compose.SEARCH_COLUMNS})
    SELECT item_id, 'sms', receiver_id, name, address, role, origin_type, origin_id, tags, queued,
        $17, $18::uuid
    FROM people
)
SELECT {compose.WHOLE} FROM item i, people p
"""


async def add(sms: NewSms, envelope: Envelope) -> Sequence[Row]:
    """The one new item."""
    return await compose.write(
        ADD,
        [sms.item_id],
        sms.id,
        sms.sender_id,
        sms.sender_number,
        sms.body,
        sms.media_url,
        sms.item_id,
        sms.channel,
        sms.receiver_id,
        sms.receiver_name,
        sms.receiver_number,
        envelope.origin_type,
        envelope.origin_id,
        envelope.priority,
        envelope.send_at,
        envelope.expires_at,
        envelope.scheduled,
        envelope.created_by,
        envelope.request_id,
    )
