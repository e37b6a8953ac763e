"""Which content does no item say any more?"""

from collections.abc import Sequence
from uuid import UUID

from app.models import statements

DROP_SMS = """
DELETE FROM sms_messages m WHERE m.id = ANY ($1)
    AND NOT EXISTS (SELECT FROM queue_items q WHERE q.sms_id = m.id)
"""


async def drop_sms(locked: Sequence[UUID]) -> None:
    """Delete the SMS, of those that are locked, that no item is left of."""
    await statements.run(DROP_SMS, list(locked))


DROP_EMAILS = """
WITH unused AS MATERIALIZED (
    SELECT id FROM unnest($1::uuid[]) AS m (id)
    WHERE NOT EXISTS (SELECT FROM queue_items q WHERE q.email_id = m.id)
), shown AS (
    DELETE FROM email_receivers r USING unused u WHERE r.email_id = u.id
), links AS (
    DELETE FROM email_attachments e USING unused u WHERE e.email_id = u.id
    RETURNING e.attachment_id
), gone AS (
    DELETE FROM email_messages m USING unused u WHERE m.id = u.id
)
SELECT DISTINCT attachment_id FROM links
"""


async def drop_emails(locked: Sequence[UUID]) -> list[UUID]:
    """Delete the emails, of those that are locked, that no item is left of.

    Attachments that were linked to them are returned.
    """
    rows = await statements.run(DROP_EMAILS, list(locked))
    return [row["attachment_id"] for row in rows]


LIST_UNLINKED = """
WITH page AS MATERIALIZED (
    SELECT id FROM attachments WHERE id > $1 ORDER BY id LIMIT $2
)
SELECT id, (SELECT true FROM email_attachments e WHERE e.attachment_id = page.id LIMIT 1) IS NULL
    AS unlinked
FROM page ORDER BY id
"""
"""Not by EXISTS, for which all links might be read and hashed, page after page."""


async def list_attachments(after: UUID, limit: int) -> list[tuple[UUID, bool]]:
    """A page of all attachments, each with whether it is in no email."""
    rows = await statements.run(LIST_UNLINKED, after, limit)
    return [(row["id"], row["unlinked"]) for row in rows]


LOCK_ATTACHMENTS = """
SELECT id FROM attachments WHERE id = ANY ($1) ORDER BY id FOR UPDATE SKIP LOCKED
"""

DROP_ATTACHMENTS = """
DELETE FROM attachments f WHERE f.id = ANY ($1)
    AND NOT EXISTS (SELECT FROM email_attachments e WHERE e.attachment_id = f.id)
RETURNING f.sha256
"""


async def drop_attachments(ids: Sequence[UUID]) -> list[str]:
    """Delete those that are in no email and that nobody is attaching; the digests of their files.

    Lock first, ask second: within the open transaction.
    """
    locked = [row["id"] for row in await statements.run(LOCK_ATTACHMENTS, list(ids))]
    if not locked:
        return []
    rows = await statements.run(DROP_ATTACHMENTS, locked)
    return sorted({row["sha256"] for row in rows})


LIST_BLOBS = """
WITH page AS MATERIALIZED (
    SELECT sha256 FROM blobs WHERE sha256 > $1 ORDER BY sha256 LIMIT $2
)
SELECT sha256, (SELECT true FROM attachments f WHERE f.sha256 = page.sha256 LIMIT 1) IS NULL
    AS unused
FROM page ORDER BY sha256
"""


async def list_contents(after: str, limit: int) -> list[tuple[str, bool]]:
    """A page of all contents of files, each with whether no attachment has it."""
    rows = await statements.run(LIST_BLOBS, after, limit)
    return [(row["sha256"], row["unused"]) for row in rows]


LOCK_BLOBS = """
SELECT sha256 FROM blobs WHERE sha256 = ANY ($1) ORDER BY sha256 FOR UPDATE SKIP LOCKED
"""

DROP_BLOBS = """
DELETE FROM blobs b WHERE b.sha256 = ANY ($1)
    AND NOT EXISTS (SELECT FROM attachments f WHERE f.sha256 = b.sha256)
RETURNING b.path
"""


async def drop_contents(digests: Sequence[str]) -> list[str]:
    """Delete the rows of contents that no attachment has, as :func:`drop_attachments`.

    The paths of their files, which may be deleted once this is committed.
    """
    locked = [row["sha256"] for row in await statements.run(LOCK_BLOBS, list(digests))]
    if not locked:
        return []
    return [row["path"] for row in await statements.run(DROP_BLOBS, locked)]
