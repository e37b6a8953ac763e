"""Looks at everything: at all servers at once, and at each as far as it answers."""

import asyncio

from app.configuration import SETTINGS, Severity, find_problems
from app.doctor import channels, files
from app.doctor.brokers import examine_brokers
from app.doctor.database import examine_database
from app.doctor.finding import Finding, Verdict, ok
from app.doctor.subject import Subject

CHECK = "configuration"


async def examine(subject: Subject) -> list[Finding]:
    """Every finding, what is ok as well, in the order in which one thing needs the other."""
    servers = await asyncio.gather(examine_database(subject), examine_brokers(subject))
    return [
        *configuration(subject),
        *files.storage(subject),
        *channels.chosen(subject),
        *(finding for findings in servers for finding in findings),
    ]


def configuration(subject: Subject) -> list[Finding]:
    """The same as at boot."""
    findings = [
        Finding(
            CHECK,
            Verdict.WRONG if problem.severity is Severity.WRONG else Verdict.WARNING,
            str(problem),
        )
        for problem in find_problems(subject.given)
    ]
    return findings or [ok(CHECK, f"All {len(SETTINGS)} settings can be used{_place(subject)}.")]


def _place(subject: Subject) -> str:
    if subject.readings.production:
        return "; this is production"
    return "; this is not production: only DISPATCH_ALLOW_REAL lets real receivers be reached"
