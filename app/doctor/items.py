"""Whether items move, and which of them wait for a person."""

from dataclasses import dataclass

from app.doctor.finding import Finding, Verdict, ok, warning
from app.doctor.postgres import Database
from app.doctor.subject import Subject

CAP = 1000
"""More are not counted."""


@dataclass(frozen=True, slots=True)
class Count:
    """Rows that should not be there: those of ``rows``, each since its ``since``."""

    check: str
    rows: str
    since: str
    none: str
    some: str
    remedy: str
    verdict: Verdict = Verdict.WARNING

    @property
    def sql(self) -> str:
        # All parts are constants of this module.
        return (
            f"SELECT EXTRACT(epoch FROM statement_timestamp() - {self.since})::float8 AS age"  # noqa: S608
            f" FROM {self.rows} ORDER BY {self.since} LIMIT {CAP + 1}"
        )


PASSED = "< statement_timestamp() - interval '1 minute'"

COUNTS = (
    Count(
        "items waiting",
        f"queue_items WHERE state IN ('queued', 'delayed') AND due_at {PASSED}",
        "due_at",
        "Nothing is due for more than a minute.",
        "Items that are due and not sent: {count}, the first since {age}.",
        "Is a worker running (`arvel queue:work`)? Is a channel paused?",
    ),
    Count(
        "items stuck",
        f"queue_items WHERE state = 'sending' AND lease_until {PASSED}",
        "lease_until",
        "No attempt was left behind.",
        "Attempts whose workers died and that nobody has settled: {count}, the first since {age}.",
        "Start a worker: its sweep settles them within 30 s.",
        Verdict.WRONG,
    ),
    Count(
        "outcomes unknown",
        "queue_items WHERE state = 'errored' AND error_kind = 'outcome_unknown'",
        "queued",
        "Every outcome is known.",
        "Items that may have been sent or not: {count}, the oldest queued {age} ago.",
        "Find out at the provider, then retry or cancel each with --confirm.",
    ),
    Count(
        "dead letters",
        "failed_jobs",
        "failed_at",
        "There are none.",
        "Jobs that failed for good: {count}, the oldest {age} ago.",
        "`arvel queue:failed` lists them, `arvel queue:retry ID` revives one.",
    ),
    Count(
        "events unapplied",
        "delivery_events WHERE applied_at IS NULL AND verdict IS DISTINCT FROM 'orphan'"
        f" AND received_at {PASSED}",
        "received_at",
        "All reports are applied.",
        "Reports that are stored and not applied: {count}, the oldest since {age}.",
        "Start a worker: its sweep applies them.",
    ),
    Count(
        "orphans",
        "delivery_events WHERE applied_at IS NULL AND verdict = 'orphan'",
        "received_at",
        "Every report fits a message.",
        "Reports that fit no message: {count}, the oldest since {age}.",
        "Does another installation use the same account? They are dropped by themselves.",
    ),
)


async def count(database: Database, _subject: Subject, *, what: Count) -> list[Finding]:
    rows = await database.fetch(what.sql)
    if not rows:
        return [ok(what.check, what.none)]
    shown = f"more than {CAP}" if len(rows) > CAP else str(len(rows))
    text = what.some.format(count=shown, age=spell(rows[0]["age"]))
    return [Finding(what.check, what.verdict, text, what.remedy)]


def spell(seconds: float) -> str:
    """A duration, to the largest unit of which there are two."""
    for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.0f} s"


SWEPT = """
SELECT EXTRACT(epoch FROM statement_timestamp() - last_run)::float8 AS seconds
FROM ticks WHERE name = 'sweep_items'
"""
PATIENCE = 30.0


async def sweep(database: Database, subject: Subject) -> list[Finding]:
    """The sweep runs in any worker, so it also shows whether there is one."""
    check, remedy = "sweep", "Start a worker: `arvel queue:work`."
    rows = await database.fetch(SWEPT)
    if not rows:
        return [warning(check, "It has never run here.", remedy)]
    every = subject.readings.numbers().get("DISPATCH_SWEEP_EVERY", 15.0)
    text = f"It ran {spell(rows[0]['seconds'])} ago."
    if rows[0]["seconds"] <= 2 * every + PATIENCE:
        return [ok(check, text)]
    return [warning(check, text, remedy)]
