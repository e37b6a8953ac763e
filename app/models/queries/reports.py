"""What did providers report, and what became of it? What may be applied once more?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from app.models import statements
from app.models.queries.operate import DECIDED
from app.models.statements import Row

SHOWN = """
SELECT e.id, e.provider, e.type, e.report, e.status, e.code, e.text, e.reason, e.message_id,
    e.recipient, e.item_id, e.attempt_id, e.occurred_at, e.received_at, e.applied_at, e.verdict,
    e.failures
"""

STANDINGS = {
    "applied": "e.applied_at IS NOT NULL AND e.verdict IS DISTINCT FROM 'failed'",
    "unapplied": "e.applied_at IS NULL",
    "failed": "e.verdict = 'failed'",
}

CONDITIONS = {
    "before": "e.id < {}",
    "provider": "e.provider = {}",
    "item_id": "e.item_id = {}",
    "type": "e.type = {}",
    "received_from": "e.received_at >= {}",
    "received_until": "e.received_at < {}",
    "first": "e.id >= {}",
    "last": "e.id < {}",
}

SKEW = timedelta(days=1)
"""How wrong the clock may have been by which the ids were made."""

VERSION_7 = 0x7 << 76


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedReports:
    """What events of a list have in common; what is ``None`` doesn't matter."""

    provider: str | None = None
    item_id: UUID | None = None
    type: str | None = None
    standing: str | None = None
    received_from: datetime | None = None
    received_until: datetime | None = None

    def criteria(self) -> Mapping[str, Any]:
        """With the ids that events of that time can have, since the order is that of ids."""
        since, until = self.received_from, self.received_until
        return {
            "provider": self.provider,
            "item_id": self.item_id,
            "type": self.type,
            "received_from": since,
            "received_until": until,
            "first": None if since is None else first_id(since, -SKEW),
            "last": None if until is None else first_id(until, SKEW),
        }


def first_id(moment: datetime, off: timedelta) -> UUID:
    """The least UUIDv7 of a time (RFC 9562, section 5.7)."""
    since = moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC) + off
    milliseconds = min(max(since // timedelta(milliseconds=1), 0), 2**48 - 1)
    return UUID(int=milliseconds << 80 | VERSION_7)


def page_of(wanted: WantedReports, before: UUID | None, limit: int) -> tuple[str, list[Any]]:
    """The statement of a page and its parameters, with the conditions that are given only."""
    parts = [STANDINGS[wanted.standing]] if wanted.standing else []
    values: list[Any] = []
    for name, value in {"before": before, **wanted.criteria()}.items():
        if value is not None:
            values.append(value)
            parts.append(CONDITIONS[name].format(f"${len(values)}"))
    where = " AND ".join(parts) or "true"
    sql = f"{SHOWN} FROM delivery_events e WHERE {where} ORDER BY e.id DESC LIMIT {limit:d}"
    return sql, values


async def list_reports(wanted: WantedReports, before: UUID | None, limit: int) -> Sequence[Row]:
    """Events, the latest first, behind the one of that id; without their raw form."""
    sql, values = page_of(wanted, before, limit)
    return await statements.run(sql, *values)


ONE = f"""{SHOWN}, e.event_key, e.attempt_key, e.item_key, e.raw::text AS raw, q.method
FROM delivery_events e LEFT JOIN queue_items q ON q.id = e.item_id WHERE e.id = $1"""


async def find(event_id: UUID) -> Row | None:
    rows = await statements.run(ONE, event_id)
    return rows[0] if rows else None


AGAIN = f"""
WITH own AS (
    SELECT q.id, e.attempt_id, q.state FROM delivery_events e
    JOIN queue_items q ON q.id = e.item_id WHERE e.id = $1 FOR SHARE OF q
), again AS (
    UPDATE delivery_events SET applied_at = NULL, verdict = NULL, failures = 0
    WHERE id = $1 AND (SELECT count(*) FROM own) >= 0 RETURNING id
), his AS (
    {DECIDED}
    SELECT own.id, own.attempt_id, 'replay', own.state, own.state, $2, $3, $4::uuid,
        statement_timestamp()
    FROM own JOIN again ON true
)
SELECT id FROM again
"""
"""Items are locked before their events everywhere."""


async def make_applicable(event_id: UUID, actor: str, text: str, key: UUID) -> bool:
    """Take an event as not applied yet, with a line in its item's history; false: it is gone."""
    return bool(await statements.run(AGAIN, event_id, actor, text, key))


REINTERPRET = """
UPDATE delivery_events SET message_id = $3, attempt_key = $4, item_key = $5, recipient = $6,
    type = $7, report = $8, status = $9, code = $10, text = $11, reason = $12, occurred_at = $13
WHERE id = $1 AND event_key = $2 RETURNING id
"""


async def reinterpret(event_id: UUID, told: Sequence[object]) -> bool:
    """Note what the parser makes of an event now; false when that is the news of another one."""
    return bool(await statements.run(REINTERPRET, event_id, *told))


OUTCOMES = """
SELECT e.id, e.verdict, e.item_id, q.state, (SELECT max(h.id) FROM item_history h
    WHERE h.item_id = e.item_id AND h.decision = $2) AS history_id
FROM delivery_events e LEFT JOIN queue_items q ON q.id = e.item_id
WHERE e.id = ANY ($1::uuid[]) ORDER BY e.id
"""


async def find_outcomes(ids: Sequence[UUID], key: UUID) -> Sequence[Row]:
    """What events came to, and the last line of history that a decision caused by them."""
    return await statements.run(OUTCOMES, list(ids), key)
