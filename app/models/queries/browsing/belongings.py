"""What belongs to these items?

Each statement takes the ids of items, and yields ``item_id`` beside its columns, in order.
"""

from collections.abc import Mapping, Sequence
from uuid import UUID

from app.models.queries.browsing.items import ACCEPTED
from app.models.snapshots import Snapshot
from app.models.statements import Row

LAST = 100
"""Rows of each kind that are shown of an item: the last ones."""

EXCERPT = 10_000
"""Characters of a body where many items are shown."""

LARGEST_RAW = 65_536

EACH = """
SELECT w.id AS item_id, x.* FROM unnest($1::uuid[]) AS w (id)
CROSS JOIN LATERAL ({}) x ORDER BY {}
"""

EMAIL = """
SELECT q.id AS item_id, m.id, m.subject, left(m.text, $2) AS text, left(m.html, $2) AS html,
    length(m.text) > $2 OR length(m.html) > $2 AS cut, m.headers, r.people
FROM queue_items q JOIN email_messages m ON m.id = q.email_id
CROSS JOIN LATERAL (
    SELECT jsonb_agg(jsonb_build_array(p.role, p.name, p.address) ORDER BY p.position) AS people
    FROM email_receivers p WHERE p.email_id = q.email_id) r
WHERE q.id = ANY ($1)
"""

SMS = """
SELECT q.id AS item_id, m.id, m.body, m.media_url
FROM queue_items q JOIN sms_messages m ON m.id = q.sms_id WHERE q.id = ANY ($1)
"""

ATTEMPTS = EACH.format(
    f"""SELECT a.id, a.number, a.provider, a.message_id, a.outcome, a.report,
        a.may_have_been_sent, a.recovered, a.code, a.text, a.started_at, a.ended_at,
        {ACCEPTED} AS accepted
    FROM attempts a WHERE a.item_id = w.id ORDER BY a.number DESC LIMIT {LAST}""",
    "x.number",
)

EVENTS = EACH.format(
    f"""SELECT e.id, e.attempt_id, e.provider, e.type, e.status, e.code, e.text, e.reason,
        e.occurred_at, e.received_at, e.applied_at, e.verdict,
        CASE WHEN $2 AND pg_column_size(e.raw) <= {LARGEST_RAW} THEN e.raw END AS raw
    FROM delivery_events e WHERE e.item_id = w.id
    ORDER BY e.received_at DESC, e.id DESC LIMIT {LAST}""",
    "x.received_at, x.id",
)

CHANGES = f"""SELECT h.id, h.at, h.transition, h.from_state, h.to_state, h.actor, h.text,
        h.attempt_id, h.decision AS request_id
    FROM item_history h WHERE h.item_id = w.id ORDER BY h.id DESC LIMIT {LAST}"""

DOWNLOADS = f"""SELECT NULL::bigint, d.at, 'download', NULL, NULL, d.actor, f.name, NULL,
        d.request_id
    FROM queue_items q JOIN email_attachments e ON e.email_id = q.email_id
    JOIN attachments f ON f.id = e.attachment_id
    JOIN attachment_downloads d ON d.attachment_id = f.id
    WHERE q.id = w.id ORDER BY d.id DESC LIMIT {LAST}"""

HISTORY = EACH.format(
    f"""SELECT * FROM (({CHANGES}) UNION ALL ({DOWNLOADS})) l
    ORDER BY l.at DESC, l.id DESC LIMIT {LAST}""",
    "x.at, x.id",
)

ATTACHMENTS = """
SELECT q.id AS item_id, f.id, f.name, f.content_type, f.size, e.content_id, b.removed_at
FROM queue_items q JOIN email_attachments e ON e.email_id = q.email_id
JOIN attachments f ON f.id = e.attachment_id JOIN blobs b ON b.sha256 = f.sha256
WHERE q.id = ANY ($1) ORDER BY e.position
"""

type ByItem = Mapping[UUID, Sequence[Row]]


async def find_belongings(
    snapshot: Snapshot, kind: str, ids: Sequence[UUID], *, whole: bool
) -> ByItem:
    """The rows of one kind for each item; ``whole`` bodies and reports are for one item alone."""
    statement, *more = {
        "email": (EMAIL, 2**31 - 1 if whole else EXCERPT),
        "sms": (SMS,),
        "attempts": (ATTEMPTS,),
        "events": (EVENTS, whole),
        "history": (HISTORY,),
        "attachments": (ATTACHMENTS,),
    }[kind]
    found: dict[UUID, list[Row]] = {item_id: [] for item_id in ids}
    for row in await snapshot.run(statement, list(ids), *more):
        found[row["item_id"]].append(row)
    return found
