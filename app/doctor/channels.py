"""Through what messages go, and what is paused."""

from app.configuration.channels import CHOSEN_BY, SANDBOX, configured
from app.doctor.finding import Finding, ok, warning
from app.doctor.postgres import Database
from app.doctor.subject import Subject

CHECK = "channels"

PAUSED = """
SELECT name, pause_reason,
    EXTRACT(epoch FROM NULLIF(paused_until, 'infinity') - statement_timestamp())::float8 AS seconds
FROM channels WHERE paused_until > statement_timestamp() ORDER BY name
"""


def chosen(subject: Subject) -> list[Finding]:
    """Where new messages go; what is wrong with that is a finding of the configuration."""
    return [
        ok(f"{CHECK} {method}", text)
        for method, setting in CHOSEN_BY.items()
        if (text := _describe(subject, method, subject.readings.text(setting)))
    ]


def _describe(subject: Subject, method: str, channel: str) -> str:
    if channel in configured(subject.readings, method):
        return f"New messages go through {channel}."
    if channel == SANDBOX and not subject.readings.production:
        return "New messages go to the sandbox, which reaches nobody."
    return ""


async def paused(database: Database, _subject: Subject) -> list[Finding]:
    rows = await database.fetch(PAUSED)
    if not rows:
        return [ok(f"{CHECK} paused", "None is paused.")]
    return [
        warning(
            f"{CHECK} paused",
            f"{row['name']} is paused {_how_long(row['seconds'])}:"
            f" {row['pause_reason'] or 'no reason was given'}",
            f"Once that is mended: `arvel dispatch:resume {row['name']}`.",
        )
        for row in rows
    ]


def _how_long(seconds: float | None) -> str:
    return "until it is resumed" if seconds is None else f"for {seconds:.0f} s more"
