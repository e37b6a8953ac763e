"""Which attempts sent a message that carries none of our keys?"""

from uuid import UUID

from app.models import statements

NOTE = "UPDATE attempts SET keyless = true WHERE id = $1 RETURNING id"


async def note(attempt_id: UUID) -> None:
    """From now on this attempt's reports are believed without our key."""
    await statements.run(NOTE, attempt_id)
