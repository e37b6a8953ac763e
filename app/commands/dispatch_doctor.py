"""``arvel dispatch:doctor``"""

import json
import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import override

from arvel.kernel import app

from app.commands.answers import OK, Answer, plain
from app.configuration import Given, Readings
from app.doctor import Finding, Subject, Verdict, examine

WRONG = 1


class DispatchDoctor(Answer):
    signature: str = "dispatch:doctor {--json}"
    description: str = (
        "Look at configuration, servers, files, channels and items, say what is wrong and how to"
        " mend it. Needs nothing to run, and changes nothing. Exit code 1: something is wrong."
        " --json prints the same for programs."
    )

    @override
    async def answer(self) -> int:
        findings = await examine(subject())
        if self.option("json"):
            self.line(
                json.dumps({"verdict": worst(findings), "findings": [*map(asdict, findings)]})
            )
        else:
            self.show(findings)
        return WRONG if worst(findings) is Verdict.WRONG else OK

    def show(self, findings: Sequence[Finding]) -> None:
        width = max(len(finding.check) for finding in findings)
        for finding in findings:
            text = f"{finding.text} {finding.remedy}".rstrip()
            self.line(plain(f"{finding.verdict:<8} {finding.check:<{width}}  {text}"))
        count = Counter(finding.verdict for finding in findings)
        self.line(f"{count[Verdict.WRONG]} wrong, {count[Verdict.WARNING]} to look at.")


def worst(findings: Sequence[Finding]) -> Verdict:
    order = [Verdict.OK, Verdict.WARNING, Verdict.WRONG]
    return max((finding.verdict for finding in findings), key=order.index, default=Verdict.OK)


def subject() -> Subject:
    """This installation, as its environment and ``config/`` describe it."""
    application = app()
    given = Given(os.environ, application.config().get)
    migrations = Path(application.base_path) / "database" / "migrations"
    return Subject(given, Readings(given), migrations)
