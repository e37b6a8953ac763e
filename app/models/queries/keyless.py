"""Which attempts sent a message that does not carry the attempt's key?"""

from uuid import UUID

from app.models import statements

NOTE = "UPDATE attempts SET keyless = true WHERE id = $1 RETURNING id"


async def note(attempt_id: UUID) -> None:
    """From now on this attempt's reports are believed without that key."""
    await statements.run(NOTE, attempt_id)
