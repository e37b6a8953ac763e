"""Whether anybody works."""

from app.doctor.finding import Finding, ok, warning
from app.doctor.postgres import Database
from app.doctor.subject import Subject
from app.models.queries.gauges import ALIVE

CHECK = "workers"

HEARD_OF = """
SELECT count(*) FROM workers
WHERE heartbeat_at >= statement_timestamp() - $1::float8 * interval '1 second'
"""


async def alive(database: Database, _subject: Subject) -> list[Finding]:
    """By the names that they hold: not every broker tells who waits for its messages."""
    row = await database.fetchrow(HEARD_OF, ALIVE)
    if row["count"]:
        return [ok(CHECK, f"{row['count']} alive.")]
    return [warning(CHECK, "None is alive: nothing is sent.", "Start one: `arvel queue:work`.")]
