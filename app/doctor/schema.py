"""Whether the database fits the code."""

from app.doctor.finding import Finding, ok, warning, wrong
from app.doctor.postgres import CHECK, Database
from app.doctor.subject import Subject

THERE = "SELECT to_regclass('arvel_migrations') IS NOT NULL AS there"
APPLIED = "SELECT name FROM arvel_migrations"


async def migrations(database: Database, subject: Subject) -> list[Finding]:
    check = f"{CHECK} migrations"
    files = subject.migrations.glob("[!_.]*.py")
    known = {file.stem for file in files}
    there = (await database.fetchrow(THERE))["there"]
    applied = {row["name"] for row in await database.fetch(APPLIED)} if there else set[str]()
    if missing := sorted(known - applied):
        text = f"{len(missing)} of {len(known)} are not applied, the first is {missing[0]}."
        return [wrong(check, text, "Run `arvel migrate`.")]
    if len(applied) > len(known):
        text = "The database has some that this code does not know: it is older."
        return [warning(check, text, "Deploy the code that the database was migrated for.")]
    return [ok(check, f"All {len(known)} are applied.")]
