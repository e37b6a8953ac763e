"""Whether PostgreSQL keeps what it acknowledges."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

import asyncpg

from app.doctor import skew
from app.doctor.finding import Finding, Verdict, ok, warning, wrong
from app.doctor.limits import LIMIT
from app.doctor.subject import Subject
from app.models.connections import SERVER_SETTINGS
from app.models.statements import Row

OLDEST = 150_000
CHECK = "postgresql"


class Database(Protocol):
    """A connection of our own."""

    async def fetch(self, query: str, *args: Any) -> Sequence[Row]: ...
    async def fetchrow(self, query: str, *args: Any) -> Row: ...
    def terminate(self) -> None: ...


async def connect(subject: Subject) -> Database:
    """With the settings that every connection of ours has; raises what asyncpg raises."""
    dsn = subject.readings.text("DATABASE_URL").replace("postgresql+asyncpg://", "postgresql://")
    open_connection = cast("Any", asyncpg).connect
    # The server ends what nobody waits for any more.
    settings = {**SERVER_SETTINGS, "statement_timeout": f"{LIMIT + 1:g}s"}
    return await open_connection(dsn, timeout=LIMIT, server_settings=settings)


async def version(database: Database, _subject: Subject) -> list[Finding]:
    row = await database.fetchrow(
        "SELECT current_setting('server_version') AS text,"
        " current_setting('server_version_num')::int AS number,"
        " pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS fixed"
    )
    if row["fixed"]:
        return [wrong(CHECK, "This PostgreSQL takes no changes.", "Name the primary server.")]
    if row["number"] < OLDEST:
        return [wrong(CHECK, f"PostgreSQL {row['text']} is too old.", "Use 15 or newer.")]
    return [ok(CHECK, f"PostgreSQL {row['text']} answers.")]


DURABILITY = {
    "synchronous_commit": "a crash of PostgreSQL loses the last commits: what was sent is sent"
    " again or never known",
    "fsync": "a crash of the machine may destroy the database",
    "full_page_writes": "a crash of the machine may destroy pages of the database",
}


async def durability(database: Database, subject: Subject) -> list[Finding]:
    rows = await database.fetch(
        "SELECT name, setting FROM pg_settings WHERE name = ANY ($1)", list(DURABILITY)
    )
    return [_judge_durability(row["name"], row["setting"], subject.grave) for row in rows]


def _judge_durability(name: str, setting: str, grave: Verdict) -> Finding:
    check = f"{CHECK} {name}"
    if setting != "off":
        return ok(check, f"{name} is {setting}.")
    return Finding(
        check, grave, f"{name} is off: {DURABILITY[name]}.", f"Set {name} = on in PostgreSQL."
    )


async def session(database: Database, _subject: Subject) -> list[Finding]:
    """Whether our connections are as we ask for: a pooler in between may forget it."""
    row = await database.fetchrow(
        "SELECT current_setting('transaction_isolation') AS isolation,"
        " current_setting('idle_in_transaction_session_timeout') AS idle"
    )
    return [_judge_isolation(row["isolation"]), _judge_idle(row["idle"])]


POOLER = "Does a pooler stand between? It must let the settings of a connection pass."


def _judge_isolation(isolation: str) -> Finding:
    check = f"{CHECK} isolation"
    if isolation == SERVER_SETTINGS["default_transaction_isolation"]:
        return ok(check, f"Transactions are {isolation}.")
    return wrong(check, f"Transactions are {isolation}, not read committed.", POOLER)


def _judge_idle(idle: str) -> Finding:
    check = f"{CHECK} idle transactions"
    if idle != "0":
        return ok(check, f"An idle transaction of ours ends after {idle}.")
    return warning(check, "An idle transaction of ours never ends.", POOLER)


async def clock(database: Database, _subject: Subject) -> list[Finding]:
    async def ask() -> float:
        row = await database.fetchrow("SELECT EXTRACT(epoch FROM clock_timestamp())::float8 AS now")
        return row["now"]

    return await skew.compare(f"{CHECK} clock", "PostgreSQL", ask)
