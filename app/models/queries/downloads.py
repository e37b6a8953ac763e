"""Which file is it, and who had it when?"""

import uuid
from collections.abc import Sequence
from uuid import UUID

from app.models import statements
from app.models.statements import Row

FIND = """
SELECT a.name, a.size, b.path, b.removed_at IS NOT NULL AS removed
FROM attachments a JOIN blobs b ON b.sha256 = a.sha256
WHERE a.id = $1 AND (SELECT true FROM email_attachments e JOIN queue_items q
    ON q.email_id = e.email_id WHERE e.attachment_id = a.id LIMIT 1)
"""

NOTE = """
INSERT INTO attachment_downloads (id, attachment_id, actor, request_id) VALUES ($1, $2, $3, $4)
ON CONFLICT (id) DO NOTHING
"""

OF_EMAIL = """
SELECT d.at, d.actor, d.request_id, d.attachment_id, a.name
FROM email_attachments e JOIN attachments a ON a.id = e.attachment_id,
LATERAL (SELECT * FROM attachment_downloads l WHERE l.attachment_id = a.id
    ORDER BY l.id DESC LIMIT $2) d
WHERE e.email_id = $1 ORDER BY d.id DESC LIMIT $2
"""


async def find(attachment_id: UUID) -> Row | None:
    """An attachment that an item has; ``None`` also for one whose items are all forgotten."""
    rows = await statements.run(FIND, attachment_id)
    return rows[0] if rows else None


async def note(attachment_id: UUID, actor: str, request_id: UUID) -> None:
    """Write down that somebody is about to get the file."""
    await statements.run(NOTE, uuid.uuid7(), attachment_id, actor, request_id)


async def list_downloads(email_id: UUID | None, limit: int = 200) -> Sequence[Row]:
    """Downloads of an email's files, also for another email that has them; the newest first."""
    return [] if email_id is None else await statements.run(OF_EMAIL, email_id, limit)
