"""What are these items now?"""

from collections.abc import Sequence
from uuid import UUID

from app.models.snapshots import Snapshot
from app.models.statements import Row

DOUBTFUL = "(a.outcome = 'unknown' OR a.may_have_been_sent) AND a.report IS DISTINCT FROM 'failed'"
ACCEPTED = "COALESCE(a.outcome = 'accepted', false) OR COALESCE(a.report <> 'failed', false)"

ITEMS = f"""
SELECT q.id, q.method, q.channel, q.priority, q.state, q.error_kind, q.result, q.attempts,
    q.retries, q.retry_delay, q.delivered_after_cancel, q.cloned_from, q.message_id, q.queued,
    q.send_at, q.expires_at, q.due_at, q.accepted_at, q.finished_at, q.lease_until, q.last_updated,
    q.email_id, q.sms_id, s.receiver_id, s.receiver_name, s.receiver_address, s.role,
    s.origin_type, s.origin_id, s.tags, s.created_by, s.request_id, m.subject,
    COALESCE(m.sender_id, t.sender_id) AS sender_id, COALESCE(m.sender_name, '') AS sender_name,
    COALESCE(m.sender_address, t.sender_number) AS sender_address,
    c.paused_until, c.pause_reason, statement_timestamp() AS now, a.copies,
    q.error_kind IS NOT DISTINCT FROM 'outcome_unknown' OR a.doubtful AS may_have_been_sent
FROM unnest($1::uuid[]) WITH ORDINALITY AS w (id, place)
JOIN queue_items q ON q.id = w.id
JOIN item_search s ON s.item_id = w.id
LEFT JOIN email_messages m ON m.id = q.email_id
LEFT JOIN sms_messages t ON t.id = q.sms_id
LEFT JOIN channels c ON c.name = q.channel AND c.paused_until > statement_timestamp()
CROSS JOIN LATERAL (
    SELECT count(DISTINCT a.provider_key) FILTER (WHERE {ACCEPTED}) AS copies,
        COALESCE(bool_or({DOUBTFUL}), false) AS doubtful
    FROM attempts a WHERE a.item_id = w.id
) a
ORDER BY w.place
"""


async def find_items(snapshot: Snapshot, ids: Sequence[UUID]) -> Sequence[Row]:
    """Those of the items that there are, in the order of ``ids``."""
    return await snapshot.run(ITEMS, list(ids))
