"""``arvel transport:parse`` over every captured report: what it prints is what the report means."""

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from app.commands.transport_parse import TransportParse
from app.configuration.table.email import EMAIL_PROVIDERS
from tests.feature.transports.given import run, write
from tests.providers.cases import FOLDER, Reported, reports_of

pytestmark = pytest.mark.usefixtures("application")

CAPTURED = [one.name for one in EMAIL_PROVIDERS if (FOLDER / f"{one.name}-events.json").exists()]
URL = "https://hooks.example.com/webhooks/email/x"

OTHERWISE = frozenset({"bounce_classification", "sg_machine_open", "Message-Id"})
"""What others take for metadata and is not ours: SendGrid's own fields, and a header of a form."""


READ = {
    "message_id": lambda text: None if text is None else str(text),
    "event_id": lambda text: None if text is None else str(text),
    "timestamp": lambda text: datetime.fromisoformat(text) if text else None,
    "metadata": lambda given: {n: v for n, v in (given or {}).items() if n not in OTHERWISE},
    "tags": lambda given: [tag for tag in given or [] if tag],
}
"""Values in one form: a time as a time, an id as a text, nothing as nothing."""


def compared(event: dict[str, Any]) -> dict[str, Any]:
    return {name: READ.get(name, lambda one: one)(value) for name, value in event.items()}


def named(told: list[dict[str, Any]], case: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Of each event in a case what a line has."""
    return [
        {name: value for name, value in one.items() if name in line}
        for line, one in zip(told, case, strict=True)
    ]


@pytest.mark.parametrize("provider", CAPTURED)
async def test_every_captured_report_is_read(provider: str, tmp_path: Path) -> None:
    for case in reports_of(provider):
        report: Reported = case.values[0]
        headers = {"Content-Type": report.content_type, **report.headers}
        files = write(tmp_path, headers, report.body)

        said = await run(TransportParse, name=provider, url=URL, unverified=True, **files)

        assert said.code == 0, (case.id, said.err)
        expected = named(said.events, report.events)
        for line, one in zip(said.events, expected, strict=True):
            assert compared(one) == compared({name: line[name] for name in one}), (
                case.id,
                one,
                line,
            )


def test_reports_of_all_who_were_captured_are_read() -> None:
    assert len(CAPTURED) == len(EMAIL_PROVIDERS) - 1, "there are none of Scaleway alone"
