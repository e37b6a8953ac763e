"""What can belong to an item, put straight into the database, for pages that show it."""

import json
import uuid
from uuid import UUID

from app.models import statements

HISTORY = """
INSERT INTO item_history (item_id, transition, from_state, to_state, actor, text, at)
VALUES ($1, $2, $3, $4, $5, $6, now() - $7::float8 * interval '1 second')
"""
EVENT = """
INSERT INTO delivery_events (id, provider, event_key, type, report, status, text, raw,
    item_id, attempt_id, attempt_key, received_at, applied_at, verdict)
VALUES ($1, 'sandbox', ($1::uuid)::text, $2, $3, $2, $4, $5::jsonb, $6, $7, $7, now(), now(),
    'normal')
"""


async def put_history(item: UUID, *moves: tuple[str, str, str], said: str = "") -> None:
    """``moves``: transition, from and to, a second apart."""
    for number, (transition, source, target) in enumerate(moves):
        behind = float(len(moves) - number)
        row = (transition, source, target, "worker-1", said or None, behind)
        await statements.run(HISTORY, item, *row)


async def put_event(item: UUID, attempt: UUID, kind: str, text: str, body: object) -> UUID:
    """A report that was applied."""
    key = uuid.uuid7()
    report = "delivered" if kind == "delivered" else "failed"
    await statements.run(EVENT, key, kind, report, text, json.dumps(body), item, attempt)
    return key
