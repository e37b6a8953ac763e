"""All looks at PostgreSQL, on one connection that is opened for them."""

from collections.abc import Awaitable, Callable
from functools import partial

from app.doctor import channels, files, items, load, postgres, schema, workers
from app.doctor.finding import Finding, Verdict, wrong
from app.doctor.limits import NoAnswer, look, unanswered
from app.doctor.postgres import CHECK, Database
from app.doctor.reasons import reason
from app.doctor.subject import Subject

type Look = Callable[[Database, Subject], Awaitable[list[Finding]]]

AT_THE_SERVER: tuple[Look, ...] = (
    postgres.version,
    postgres.durability,
    postgres.session,
    postgres.clock,
    load.old_transactions,
    load.connections,
)
AT_ROWS: tuple[Look, ...] = (
    workers.alive,
    channels.paused,
    files.lost_commits,
    items.sweep,
    *(partial(items.count, what=what) for what in items.COUNTS),
)


async def examine_database(subject: Subject) -> list[Finding]:
    """What is found, up to the first look that gets no answer."""
    if not subject.readings.have("DATABASE_URL"):
        return []
    try:
        database = await postgres.connect(subject)
    except Exception as error:
        remedy = "Start it, or correct DATABASE_URL. Nothing in it could be looked at."
        return [wrong(CHECK, f"PostgreSQL {reason(error)}.", remedy)]
    try:
        return await _look_at(database, subject)
    finally:
        database.terminate()


async def _look_at(database: Database, subject: Subject) -> list[Finding]:
    findings: list[Finding] = []
    try:
        for at_the_server in AT_THE_SERVER:
            findings += await look(CHECK, at_the_server(database, subject))
        tables = await look(CHECK, schema.migrations(database, subject))
        findings += tables
        # Without its tables nothing more can be asked.
        if all(finding.verdict is not Verdict.WRONG for finding in tables):
            for at_rows in AT_ROWS:
                findings += await look(CHECK, at_rows(database, subject))
    except NoAnswer:
        findings.append(unanswered(CHECK, "PostgreSQL"))
    return findings
