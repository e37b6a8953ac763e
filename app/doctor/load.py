"""Whether PostgreSQL has room for us, and whether somebody keeps it from tidying up."""

from app.doctor.finding import Finding, ok, warning
from app.doctor.postgres import CHECK, Database
from app.doctor.subject import Subject

OPEN = 300.0
"""Seconds that a transaction may stay open before every sweep grows slower by it."""
AGE = 1_000_000
"""Transactions since the oldest one whose view of the data is still kept."""

OLDEST = """
SELECT pid, EXTRACT(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds
FROM pg_stat_activity
WHERE xact_start IS NOT NULL AND pid <> pg_backend_pid() AND backend_type = 'client backend'
ORDER BY xact_start LIMIT 1
"""

KEPT = """
SELECT COALESCE(GREATEST(
    (SELECT max(age(backend_xmin)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()),
    (SELECT max(GREATEST(age(xmin), age(catalog_xmin))) FROM pg_replication_slots),
    (SELECT max(age(transaction)) FROM pg_prepared_xacts)
), 0) AS age
"""


async def old_transactions(database: Database, _subject: Subject) -> list[Finding]:
    check = f"{CHECK} oldest transaction"
    rows = await database.fetch(OLDEST)
    age = (await database.fetchrow(KEPT))["age"]
    if rows and rows[0]["seconds"] > OPEN:
        pid = rows[0]["pid"]
        text = f"Process {pid} has a transaction open since {rows[0]['seconds'] / 60:.0f} min."
        return [warning(check, text, f"End it: SELECT pg_terminate_backend({pid}).")]
    if age > AGE:
        text = f"The oldest view of the data that is kept is {age:,} transactions old."
        remedy = "Look at pg_replication_slots, pg_prepared_xacts and standbys with feedback."
        return [warning(check, text, remedy)]
    return [ok(check, f"Nothing old is kept: {age:,} transactions at most.")]


ROOM = """
SELECT current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - COALESCE(current_setting('reserved_connections', true)::int, 0) AS seats,
    (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS taken,
    (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS seats_of_role,
    (SELECT count(*) FROM pg_stat_activity WHERE usename = current_user) AS taken_by_role
"""

POOLS = 3
"""A process has one pool for statements and one for models, which may double for a while."""


async def connections(database: Database, subject: Subject) -> list[Finding]:
    check = f"{CHECK} connections"
    row = await database.fetchrow(ROOM)
    free = row["seats"] - row["taken"]
    if row["seats_of_role"] >= 0:
        free = min(free, row["seats_of_role"] - row["taken_by_role"])
    text = f"{row['taken']} of {row['seats']} are taken, {free} are free for us"
    if not subject.readings.have("DATABASE_POOL_SIZE"):
        return [ok(check, f"{text}.")]
    most = POOLS * int(subject.readings.number("DATABASE_POOL_SIZE"))
    if free >= most:
        return [ok(check, f"{text}; a process of ours opens up to {most}.")]
    return [
        warning(
            check,
            f"{text}, but one more process of ours may open {most}.",
            "Raise max_connections, or lower DATABASE_POOL_SIZE.",
        )
    ]
