"""Who did what? Decisions about items, downloads of files, operations, and pauses of channels."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from app.models import statements
from app.models.statements import Row

SOURCES = (
    """SELECT at, 'h' || lpad(id::text, 20, '0') AS key, actor AS who, transition AS what, item_id,
        from_state, to_state, text FROM item_history WHERE decision IS NOT NULL""",
    """SELECT d.at, 'd' || d.id AS key, d.actor AS who, 'download' AS what, NULL::uuid AS item_id,
        NULL AS from_state, NULL AS to_state, a.name AS text
    FROM attachment_downloads d JOIN attachments a ON a.id = d.attachment_id WHERE true""",
    """SELECT created AS at, 'o' || id AS key, actor AS who, 'all: ' || action AS what,
        NULL::uuid AS item_id, NULL AS from_state, state AS to_state, filter::text AS text
    FROM bulk_operations WHERE true""",
    """SELECT changed_at AS at, 'c' || name AS key, changed_by AS who,
        CASE WHEN paused_until > statement_timestamp() THEN 'pause' ELSE 'resume' END AS what,
        NULL::uuid AS item_id, NULL AS from_state, name AS to_state, pause_reason AS text
    FROM channels WHERE changed_by IS NOT NULL""",
)

WANTED = """
    AND ($1::text IS NULL OR who = $1 OR starts_with(who, $1 || '/'))
    AND ($2::text IS NULL OR what = $2)
    AND ($3::timestamptz IS NULL OR at >= $3) AND ($4::timestamptz IS NULL OR at < $4)
    AND ($5::timestamptz IS NULL OR (at <= $5 AND (at, key) < ($5, $6::text)))
    ORDER BY at DESC, key DESC LIMIT $7
"""

FIND = (
    "SELECT * FROM ("
    + " UNION ALL ".join(f"(SELECT * FROM ({s}) one WHERE true {WANTED})" for s in SOURCES)
    + ") found ORDER BY at DESC, key DESC LIMIT $7"
)

WHAT = (
    *("retry", "cancel", "resend", "discard", "download", "pause", "resume"),
    *("all: retry", "all: cancel", "all: resend"),
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """``who`` is a person, with all tokens of theirs, or one ``owner/token``."""

    who: str | None = None
    what: str | None = None
    since: datetime | None = None
    until: datetime | None = None


async def find(wanted: Wanted, before: tuple[datetime, str] | None, limit: int) -> Sequence[Row]:
    """What was done, the latest first, behind the time and key of one."""
    at, key = before or (None, None)
    given = (wanted.who, wanted.what, wanted.since, wanted.until)
    return await statements.run(FIND, *given, at, key, limit)
