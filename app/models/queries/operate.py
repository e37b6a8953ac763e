"""What an operator may do with items, and what expiry does by itself.

Items are locked in the order of their ids, so that two operators who name the same ones in
different orders wait for each other instead of dying of it.

Every column that a CHECK ties to the state is set, also where it can only be so already: PostgreSQL
checks a row that it began to change before it learns that the row was changed meanwhile.
"""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from app.models import statements
from app.models.queries.files import KEEP_FILES_OF
from app.models.queries.moves import HISTORY, sources_of
from app.models.queries.publish import Due
from app.models.statements import Row

DECIDED = HISTORY.replace("detail, at)", "decision, at)")
"""The history of an operator's move: ``decision`` says by which decision it was made."""

DECISION_DONE = """EXISTS (SELECT FROM item_history h
        WHERE h.item_id = q.id AND h.decision = {0})"""
"""Whether this decision moved the item before: its answer was lost, and it was asked again."""

FILES_GONE = "(SELECT DISTINCT email_id FROM files WHERE removed_at IS NOT NULL)"

CONFIRMED = "({0}.error_kind IS DISTINCT FROM 'outcome_unknown' OR $2)"

ANSWER = """asked.id, asked.state, asked.error_kind, asked.files_gone, asked.meant, asked.settled,
    asked.lease_until, moved.id IS NOT NULL AS moved, his.id AS history_id"""

MAY_HAVE_BEEN_SENT = """EXISTS (SELECT FROM attempts d WHERE d.item_id = {0}.id
        AND (d.outcome IS NULL OR d.outcome = 'unknown' OR d.may_have_been_sent))"""
"""Whether an attempt of the item is not known to have come to nothing."""

RETRY = f"""
WITH own AS (
    SELECT q.id, q.state, q.error_kind, q.email_id, q.lease_until, q.priority, q.dispatched_at,
        {DECISION_DONE.format("$7")} AS settled,
        NOT $5 OR q.state = 'errored' AND ($6::uuid IS NULL OR q.attempt_id = $6) AS meant
    FROM queue_items q WHERE q.id = ANY ($1::uuid[]) ORDER BY q.id FOR UPDATE
), files AS (
    {KEEP_FILES_OF.format("own")}
), asked AS (
    SELECT own.*, gone.email_id IS NOT NULL AS files_gone
    FROM own LEFT JOIN {FILES_GONE} gone ON gone.email_id = own.email_id
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'queued', attempt_id = NULL,
        error_kind = NULL, result = NULL, retry_delay = NULL, task_id = NULL, retries = 0,
        failures = 0, not_sent = 0, rescues = 0, dispatches = 0, message_id = NULL,
        lease_until = NULL, finished_at = NULL, postponed_from = NULL,
        due_at = statement_timestamp(),
        dispatched_at = statement_timestamp(), last_updated = statement_timestamp()
    FROM asked a WHERE q.id = a.id AND a.state IN ({sources_of("retry")}) AND NOT a.files_gone
        AND a.meant AND {CONFIRMED.format("a")} AND NOT a.settled AND NOT $4
    RETURNING q.id, q.previous_state, q.state, q.dispatched_at, q.last_updated
), his AS (
    {DECIDED}
    SELECT id, NULL, 'retry', previous_state, state, $3, NULL, $7, last_updated FROM moved
    RETURNING id, item_id
)
SELECT {ANSWER}, asked.priority, COALESCE(moved.dispatched_at, CASE
    WHEN asked.settled AND asked.state = 'queued' THEN asked.dispatched_at END) AS dispatched_at
FROM asked LEFT JOIN moved ON moved.id = asked.id LEFT JOIN his ON his.item_id = asked.id
"""

CANCEL = f"""
WITH asked AS (
    SELECT q.id, q.state, q.error_kind, q.lease_until, false AS files_gone, true AS meant,
        {MAY_HAVE_BEEN_SENT.format("q")} AS doubtful,
        {DECISION_DONE.format("$5")} AS settled
    FROM queue_items q WHERE q.id = ANY ($1::uuid[]) ORDER BY q.id FOR UPDATE
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'cancelled', error_kind = NULL,
        retry_delay = NULL, task_id = NULL, lease_until = NULL,
        result = CASE WHEN a.error_kind = 'outcome_unknown' OR a.doubtful
            THEN 'Cancelled; it may have been sent.' ELSE q.result END,
        finished_at = statement_timestamp(), last_updated = statement_timestamp()
    FROM asked a WHERE q.id = a.id AND a.state IN ({sources_of("cancel")})
        AND {CONFIRMED.format("a")} AND NOT a.settled AND NOT $4
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.result, q.last_updated
), his AS (
    {DECIDED}
    SELECT id, attempt_id, 'cancel', previous_state, state, $3, result, $5, last_updated
    FROM moved
    RETURNING id, item_id
)
SELECT {ANSWER}, NULL AS priority, NULL AS dispatched_at
FROM asked LEFT JOIN moved ON moved.id = asked.id LEFT JOIN his ON his.item_id = asked.id
"""


@dataclass(frozen=True, slots=True)
class Decision:
    """What somebody decided about one item or many.

    ``confirm``: also about those that may have been sent. A ``dry_run`` changes nothing. ``key``
    marks what was done by it: asked twice under one key, nothing is done twice.
    """

    actor: str
    confirm: bool = False
    dry_run: bool = False
    key: UUID = field(default_factory=uuid.uuid7)


class AboutLetter(NamedTuple):
    """The attempt that a dead letter names; ``None`` where it names none."""

    attempt_id: UUID | None


class Answer(NamedTuple):
    """What an item was when it was asked, whether it moved, and what to publish then.

    ``meant``: its current attempt is the one that was asked about. ``moved``: by this decision,
    now or when its answer was lost. ``lease_until``: while it is sending, when that ends.
    """

    state: str
    error_kind: str | None
    files_gone: bool
    meant: bool
    moved: bool
    due: Due | None
    lease_until: datetime | None = None
    history_id: int | None = None


def _answer(row: Row) -> Answer:
    at = row["dispatched_at"]
    return Answer(
        state=row["state"],
        error_kind=row["error_kind"],
        files_gone=row["files_gone"],
        meant=bool(row["meant"]),
        moved=row["moved"] or row["settled"],
        due=Due(row["id"], row["priority"], at) if at is not None else None,
        lease_until=row["lease_until"],
        history_id=row["history_id"],
    )


async def _ask(sql: str, ids: Sequence[UUID], *args: Any) -> dict[UUID, Answer]:
    rows = await statements.run(sql, sorted(ids), *args)
    return {row["id"]: _answer(row) for row in rows}


async def retry_page(
    ids: Sequence[UUID], decision: Decision, letter: AboutLetter | None = None
) -> Mapping[UUID, Answer]:
    """Queue items again with a fresh budget; ids that name no item are left out.

    ``letter``: only while an item is errored with the attempt that its dead letter names.
    """
    attempt_id = letter.attempt_id if letter else None
    return await _ask(
        RETRY,
        ids,
        decision.confirm,
        decision.actor,
        decision.dry_run,
        letter is not None,
        attempt_id,
        decision.key,
    )


async def cancel_page(ids: Sequence[UUID], decision: Decision) -> Mapping[UUID, Answer]:
    """Give items up; ids that name no item are left out."""
    return await _ask(CANCEL, ids, decision.confirm, decision.actor, decision.dry_run, decision.key)


async def retry(
    item_id: UUID, actor: str, *, confirm: bool, dry_run: bool, letter: AboutLetter | None = None
) -> Answer | None:
    """The same for one item; ``None`` when there is no such item."""
    answers = await retry_page([item_id], Decision(actor, confirm, dry_run), letter)
    return answers.get(item_id)


async def cancel(item_id: UUID, actor: str, *, confirm: bool, dry_run: bool) -> Answer | None:
    """The same for one item; ``None`` when there is no such item."""
    answers = await cancel_page([item_id], Decision(actor, confirm, dry_run))
    return answers.get(item_id)


EXPIRE = f"""
WITH old AS (
    SELECT id, CASE WHEN {MAY_HAVE_BEEN_SENT.format("i")}
        THEN $2 || ' An earlier attempt may have been sent.' ELSE $2 END AS text
    FROM queue_items i WHERE state IN ('queued', 'delayed') AND expires_at <= statement_timestamp()
    ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED
), moved AS (
    UPDATE queue_items q SET previous_state = q.state, state = 'cancelled', result = old.text,
        retry_delay = NULL, task_id = NULL, finished_at = statement_timestamp(),
        last_updated = statement_timestamp()
    FROM old WHERE q.id = old.id AND q.state IN ('queued', 'delayed')
    RETURNING q.id, q.attempt_id, q.previous_state, q.state, q.result, q.last_updated
), his AS (
    {HISTORY}
    SELECT id, attempt_id, 'cancel', previous_state, state, $3, result, NULL, last_updated
    FROM moved
)
SELECT id FROM moved
"""


async def expire(limit: int, text: str, actor: str) -> list[UUID]:
    """Cancel queued and delayed items whose ``expires_at`` has passed."""
    return [row["id"] for row in await statements.run(EXPIRE, limit, text, actor)]
