"""Which files does no message need any more?

Lock first, ask second: a file is asked about in a statement of its own once its row is locked,
because a question within the locking statement would be answered as of before the wait.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.models import statements

NEEDED = """(SELECT true FROM attachments f, LATERAL (
            SELECT true FROM email_attachments e JOIN queue_items q ON q.email_id = e.email_id
            WHERE e.attachment_id = f.id AND (q.finished_at IS NULL
                OR q.finished_at > statement_timestamp() - {age}::float8 * interval '1 second')
            ORDER BY e.email_id DESC LIMIT 1) user_of_it
        WHERE f.sha256 = {sha256} ORDER BY f.id DESC LIMIT 1)"""
"""True while an item with this file is not done, or hasn't been for ``age`` seconds; else null.

It looks at the newest first, so that a file that is in every message is known at once as needed.
"""

FIND_FINISHED = f"""
WITH recent AS MATERIALIZED (
    SELECT DISTINCT file.sha256
    FROM queue_items q, LATERAL (
        SELECT b.sha256 FROM email_attachments e JOIN attachments f ON f.id = e.attachment_id
        JOIN blobs b ON b.sha256 = f.sha256 AND b.removed_at IS NULL
        WHERE e.email_id = q.email_id OFFSET 0) file
    WHERE q.finished_at <= statement_timestamp() - $1::float8 * interval '1 second'
        AND q.finished_at > statement_timestamp() - ($1::float8 + $2) * interval '1 second'
)
SELECT sha256 FROM recent r
WHERE {NEEDED.format(age="$1", sha256="r.sha256")} IS NULL ORDER BY sha256 LIMIT $3
"""
"""``OFFSET 0`` keeps it to looking up the files of each item: most items have none."""


async def find_finished(age: float, window: float, limit: int) -> list[str]:
    """Files that may go because an item came of ``age`` within the last ``window`` seconds."""
    rows = await statements.run(FIND_FINISHED, age, window, limit)
    return [row["sha256"] for row in rows]


LIST_PRESENT = f"""
WITH page AS MATERIALIZED (
    SELECT sha256 FROM blobs WHERE sha256 > $1 AND removed_at IS NULL ORDER BY sha256 LIMIT $2
)
SELECT sha256, {NEEDED.format(age="$3", sha256="page.sha256")} IS NULL AS idle
FROM page ORDER BY sha256
"""


class Present(NamedTuple):
    """A stored content; ``idle``: at this moment nothing needs its file."""

    sha256: str
    idle: bool


async def list_present(after: str, age: float, limit: int) -> list[Present]:
    """A page of the files that are there, in the order of their digests."""
    rows = await statements.run(LIST_PRESENT, after, limit, age)
    return [Present(row["sha256"], row["idle"]) for row in rows]


LOCK = """
SELECT sha256 FROM blobs WHERE sha256 = ANY ($1) AND removed_at IS NULL
ORDER BY sha256 FOR UPDATE SKIP LOCKED
"""


async def lock(digests: Sequence[str]) -> list[str]:
    """Those that are ours until the open transaction ends; nobody is waited for."""
    return [row["sha256"] for row in await statements.run(LOCK, list(digests))]


MARK_REMOVED = f"""
UPDATE blobs b SET removed_at = statement_timestamp()
WHERE b.sha256 = ANY ($1) AND {NEEDED.format(age="$2", sha256="b.sha256")} IS NULL
RETURNING b.path
"""


async def mark_removed(locked: Sequence[str], age: float) -> list[str]:
    """Paths of the files that nothing needs; they may be deleted once this is committed."""
    return [row["path"] for row in await statements.run(MARK_REMOVED, list(locked), age)]


async def find_paths(digests: Sequence[str]) -> set[str]:
    """Where the files of these contents are, as far as they are there."""
    sql = "SELECT path FROM blobs WHERE sha256 = ANY ($1) AND removed_at IS NULL"
    return {row["path"] for row in await statements.run(sql, list(digests))}
