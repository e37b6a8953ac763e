"""May this message be sent once more, and if so: as which new item?

A copy shares the content of its original, which never changes, as the receivers of one email share
theirs: sender, header rows and attachments are the same rows. Its clocks start anew, and it has no
origin: that is shown where ``cloned_from`` leads.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.compose import SEARCH_COLUMNS
from app.models.queries.files import KEEP_FILES_OF
from app.models.queries.moves import DONE_STATES
from app.models.queries.operate import DECIDED, FILES_GONE, Decision
from app.models.queries.publish import Due

RECEIVERS = """
SELECT q.id, q.method, s.receiver_address
FROM queue_items q JOIN item_search s ON s.item_id = q.id WHERE q.id = ANY ($1::uuid[])
"""


class Reached(NamedTuple):
    """How an item reaches its receiver."""

    method: str
    address: str


async def find_receivers(ids: Sequence[UUID]) -> Mapping[UUID, Reached]:
    """Those of the items that there are."""
    rows = await statements.run(RECEIVERS, list(ids))
    return {row["id"]: Reached(row["method"], row["receiver_address"]) for row in rows}


PARTIES = """
SELECT q.id, q.method, COALESCE(m.sender_address, t.sender_number) AS sender, s.receiver_address
FROM queue_items q JOIN item_search s ON s.item_id = q.id
LEFT JOIN email_messages m ON m.id = q.email_id LEFT JOIN sms_messages t ON t.id = q.sms_id
WHERE q.id = ANY ($1::uuid[]) AND q.finished_at IS NOT NULL
"""


class Parties(NamedTuple):
    """Whom an item is from, empty where its channel decides, and whom it is for."""

    item_id: UUID
    method: str
    sender: str
    receiver: str


async def find_parties(ids: Sequence[UUID]) -> list[Parties]:
    """Of those of the items that are done."""
    rows = await statements.run(PARTIES, list(ids))
    return [Parties(r["id"], r["method"], r["sender"], r["receiver_address"]) for r in rows]


MAY_HAVE_BEEN_SENT = """({0}.state = 'unconfirmed' OR {0}.state = 'cancelled' AND EXISTS (
        SELECT FROM attempts a WHERE a.item_id = {0}.id AND a.report IS DISTINCT FROM 'failed'
            AND (a.outcome IS NULL OR a.outcome = 'unknown' OR a.may_have_been_sent)))"""
"""Of a done item: nobody knows whether its receiver has the message."""

COPY = f"""
WITH given AS (
    SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[]) AS g (id, copy_id, channel)
), own AS (
    SELECT q.id, q.state, q.attempt_id, q.email_id, {MAY_HAVE_BEEN_SENT.format("q")} AS doubtful
    FROM queue_items q WHERE q.id = ANY ($1::uuid[]) ORDER BY q.id FOR SHARE
), files AS (
    {KEEP_FILES_OF.format("own")}
), asked AS (
    SELECT own.*, g.copy_id, g.channel, gone.email_id IS NOT NULL AS files_gone,
        EXISTS (SELECT FROM queue_items c WHERE c.id = g.copy_id) AS settled
    FROM own JOIN given g ON g.id = own.id
    LEFT JOIN {FILES_GONE} gone ON gone.email_id = own.email_id
), copied AS (
    INSERT INTO queue_items (id, method, channel, priority, email_id, sms_id, due_at,
        dispatched_at, cloned_from)
    SELECT a.copy_id, q.method, a.channel, q.priority, q.email_id, q.sms_id,
        CASE WHEN $7 THEN statement_timestamp() END, CASE WHEN $7 THEN statement_timestamp() END,
        q.id
    FROM asked a JOIN queue_items q ON q.id = a.id
    WHERE a.state IN ({DONE_STATES}) AND NOT a.files_gone AND (NOT a.doubtful OR $4) AND NOT $6
    ON CONFLICT (id) DO NOTHING
    RETURNING *
), search AS (
    INSERT INTO item_search ({SEARCH_COLUMNS})
    SELECT c.id, s.method, s.receiver_id, s.receiver_name, s.receiver_address, s.role, NULL, NULL,
        s.tags, c.queued, $5, $8::uuid
    FROM copied c JOIN item_search s ON s.item_id = c.cloned_from
), told AS (
    {DECIDED}
    SELECT c.id, NULL::uuid, 'resend', NULL, c.state, $5, 'A copy of ' || c.cloned_from, $8::uuid,
        c.last_updated
    FROM copied c
    UNION ALL
    SELECT a.id, a.attempt_id, 'resend', a.state, a.state, $5, 'Sent again as ' || c.id, $8,
        c.last_updated
    FROM asked a JOIN copied c ON c.cloned_from = a.id
)
SELECT asked.id, asked.state, asked.files_gone, asked.doubtful,
    c.id IS NOT NULL OR asked.settled AS copied, c.priority, c.dispatched_at
FROM asked LEFT JOIN copied c ON c.id = asked.copy_id
"""


class Copying(NamedTuple):
    """An item to be sent once more, as which one, and through which channel."""

    item_id: UUID
    copy_id: UUID
    channel: str


class CopyAnswer(NamedTuple):
    """What the original was when it was asked, whether there is a copy, and what to publish.

    ``doubtful``: its receiver may have the message, or not, and nobody knows.
    """

    state: str
    files_gone: bool
    doubtful: bool
    copied: bool
    due: Due | None


async def copy_page(
    copies: Sequence[Copying], decision: Decision, *, scheduled: bool
) -> Mapping[UUID, CopyAnswer]:
    """Copy done items, by the ids of the originals; ids that name no item are left out.

    Asked again with the same ids of copies, because its answer was lost, it copies nothing twice.
    """
    ordered = sorted(copies)
    rows = await statements.run(
        COPY,
        [copy.item_id for copy in ordered],
        [copy.copy_id for copy in ordered],
        [copy.channel for copy in ordered],
        decision.confirm,
        decision.actor,
        decision.dry_run,
        scheduled,
        decision.key,
    )
    ids = {copy.item_id: copy.copy_id for copy in ordered}
    return {
        row["id"]: CopyAnswer(
            row["state"],
            row["files_gone"],
            row["doubtful"],
            row["copied"],
            Due(ids[row["id"]], row["priority"], row["dispatched_at"])
            if row["dispatched_at"]
            else None,
        )
        for row in rows
    }
