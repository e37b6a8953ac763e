"""Which files are there, and may a message keep hold of them?

A file is kept by a shared lock on its row until the message that needs it is committed; cleaning
up takes the exclusive one before it asks whether a message needs the file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from app.models import statements
from app.models.statements import Row

PRESENT = "SELECT sha256, path FROM blobs WHERE sha256 = ANY ($1) AND removed_at IS NULL"


async def find_present(digests: Sequence[str]) -> dict[str, str]:
    """Paths of contents that are stored at this moment: a hint, since nothing keeps them."""
    rows = await statements.run(PRESENT, list(digests))
    return {row["sha256"]: row["path"] for row in rows}


KEEP = PRESENT + " ORDER BY sha256 FOR SHARE"


async def keep(digests: Sequence[str]) -> set[str]:
    """Contents that are stored, and stay so until the open transaction ends."""
    return {row["sha256"] for row in await statements.run(KEEP, list(digests))}


STORE = """
INSERT INTO blobs AS b (sha256, path, size)
SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[]) AS n (sha256, path, size) ORDER BY sha256
ON CONFLICT (sha256) DO UPDATE SET path = EXCLUDED.path, size = EXCLUDED.size, created = now(),
    removed_at = NULL
WHERE b.removed_at IS NOT NULL
RETURNING b.sha256
"""


@dataclass(frozen=True, slots=True)
class Blob:
    """A content on disk: ``path`` is relative to the storage folder, ``size`` in bytes."""

    sha256: str
    path: str
    size: int


async def store(blobs: Sequence[Blob]) -> set[str]:
    """Contents whose files are ours now; the others were stored by somebody else meanwhile."""
    columns = (
        [blob.sha256 for blob in blobs],
        [blob.path for blob in blobs],
        [blob.size for blob in blobs],
    )
    return {row["sha256"] for row in await statements.run(STORE, *columns)}


KEEP_ATTACHMENTS = """
SELECT a.id, a.size, b.removed_at IS NULL AS present
FROM attachments a JOIN blobs b ON b.sha256 = a.sha256
WHERE a.id = ANY ($1) ORDER BY b.sha256, a.id FOR SHARE OF b FOR KEY SHARE OF a
"""


async def keep_attachments(ids: Sequence[UUID]) -> Sequence[Row]:
    """Attachments of earlier messages, whose files stay until the open transaction ends."""
    return await statements.run(KEEP_ATTACHMENTS, list(ids))


KEEP_FILES_OF = """SELECT e.email_id, b.sha256, b.removed_at
    FROM {0} JOIN email_attachments e ON e.email_id = {0}.email_id
    JOIN attachments f ON f.id = e.attachment_id JOIN blobs b ON b.sha256 = f.sha256
    ORDER BY b.sha256 FOR SHARE OF b"""
"""The files of the emails that a CTE names as ``email_id``; those that are there stay there.

After a wait for clean-up ``removed_at`` is what clean-up made of it, which a plain look at
``blobs`` within the same statement would not show.
"""


ATTACH = """
WITH fresh AS (
    INSERT INTO attachments (id, sha256, name, content_type, size)
    SELECT id, sha256, name, content_type, size
    FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::bigint[])
        AS n (id, sha256, name, content_type, size)
    WHERE sha256 IS NOT NULL
)
INSERT INTO email_attachments (email_id, position, attachment_id, content_id)
SELECT $1, place, id, content_id
FROM unnest($2::uuid[], $7::text[]) WITH ORDINALITY AS l (id, content_id, place)
"""


@dataclass(frozen=True, slots=True)
class Link:
    """An attachment of a message; without ``sha256`` it is one that exists already."""

    id: UUID
    sha256: str | None = None
    name: str | None = None
    content_type: str | None = None
    size: int | None = None
    content_id: str | None = None


async def attach(email_id: UUID, links: Sequence[Link]) -> None:
    """Attach files to an email that the open transaction has written, in this order."""
    await statements.run(
        ATTACH,
        email_id,
        [link.id for link in links],
        [link.sha256 for link in links],
        [link.name for link in links],
        [link.content_type for link in links],
        [link.size for link in links],
        [link.content_id for link in links],
    )
