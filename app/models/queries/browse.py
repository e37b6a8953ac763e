"""Which items are there, and what happened to one of them?"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models import statements
from app.models.queries.downloads import list_downloads
from app.models.statements import Row

LIST = """
SELECT q.id, q.state, q.method, q.channel, q.attempts, q.queued, q.error_kind, q.result,
    s.receiver_name, s.receiver_address
FROM item_search s JOIN queue_items q ON q.id = s.item_id
WHERE ($1::text IS NULL OR q.state = $1) AND ($2::text IS NULL OR s.method = $2){page}
ORDER BY s.queued DESC, s.item_id DESC LIMIT $3
"""
FIRST_PAGE = LIST.format(page="")
LATER_PAGE = LIST.format(
    page=" AND (s.queued, s.item_id) <"
    " (SELECT b.queued, b.item_id FROM item_search b WHERE b.item_id = $4)"
)


async def list_items(
    *, state: str | None, method: str | None, before: UUID | None, limit: int
) -> Sequence[Row]:
    """Items, newest first; ``before`` is the last item of the page before."""
    if before is None:
        return await statements.run(FIRST_PAGE, state, method, limit)
    return await statements.run(LATER_PAGE, state, method, limit, before)


ITEM = """
SELECT q.*, s.receiver_id, s.receiver_name, s.receiver_address, s.role, s.origin_type, s.origin_id,
    s.tags, COALESCE(m.sender_name, '') AS sender_name,
    COALESCE(m.sender_address, t.sender_number) AS sender_address, m.subject, t.media_url,
    c.paused_until, c.pause_reason, statement_timestamp() AS now
FROM queue_items q JOIN item_search s ON s.item_id = q.id
LEFT JOIN email_messages m ON m.id = q.email_id
LEFT JOIN sms_messages t ON t.id = q.sms_id
LEFT JOIN channels c ON c.name = q.channel AND c.paused_until > statement_timestamp()
WHERE q.id = $1
"""

HISTORY = """
SELECT at, transition, from_state, to_state, actor, text, attempt_id
FROM item_history WHERE item_id = $1 ORDER BY id
"""

ATTEMPTS = """
SELECT id, number, provider, provider_key, message_id, outcome, report, may_have_been_sent,
    recovered, code, text, started_at, ended_at,
    outcome = 'accepted' OR report IN ('in_flight', 'engaged', 'delivered') AS accepted
FROM attempts WHERE item_id = $1 ORDER BY number
"""

EVENTS = """
SELECT id, attempt_id, provider, type, status, code, text, reason, occurred_at, received_at,
    applied_at, verdict
FROM delivery_events WHERE item_id = $1 ORDER BY received_at, id
"""

ATTACHMENTS = """
SELECT f.id, f.name, f.content_type, f.size, e.content_id, b.removed_at
FROM email_attachments e JOIN attachments f ON f.id = e.attachment_id
JOIN blobs b ON b.sha256 = f.sha256
WHERE e.email_id = $1 ORDER BY e.position
"""

LETTERS = """
SELECT id, exception, failed_at, attempt_id FROM failed_jobs WHERE item_id = $1 ORDER BY failed_at
"""


@dataclass(frozen=True, slots=True)
class Story:
    """An item with all that happened to it, oldest first; nothing of it is the message's body."""

    item: Row
    history: Sequence[Row]
    attempts: Sequence[Row]
    events: Sequence[Row]
    attachments: Sequence[Row]
    letters: Sequence[Row]
    downloads: Sequence[Row]

    @property
    def copies(self) -> int:
        """Messages that are known as accepted: more than one may have reached the receiver.

        Attempts under one key are one message to their provider.
        """
        return len({attempt["provider_key"] for attempt in self.attempts if attempt["accepted"]})


async def find_story(item_id: UUID) -> Story | None:
    """``None`` when there is no such item."""
    rows = await statements.run(ITEM, item_id)
    if not rows:
        return None
    return Story(
        item=rows[0],
        history=await statements.run(HISTORY, item_id),
        attempts=await statements.run(ATTEMPTS, item_id),
        events=await statements.run(EVENTS, item_id),
        attachments=await statements.run(ATTACHMENTS, rows[0]["email_id"]),
        letters=await statements.run(LETTERS, item_id),
        downloads=await list_downloads(rows[0]["email_id"]),
    )


async def exists(item_id: UUID) -> bool:
    return bool(await statements.run("SELECT FROM queue_items WHERE id = $1", item_id))
