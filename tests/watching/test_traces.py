"""Traces lead from a request to the job, to the provider's call, and to the report on it."""

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from arvel.kernel import Application
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from app.models import statements
from tests.fakes.access import bearer, put_token
from tests.fakes.collector import Collector, collecting, facts_of
from tests.fakes.processes import ROOT
from tests.fakes.waiting import until
from tests.fakes.web_process import granian

TRACE = "4bf92f3577b34da6a3ce929d0e0e4736"
ANOTHER = "0af7651916cd43dd8448eb211c80319c"
CANARIES = {
    "receiver": "canary-receiver@example.com",
    "sender": "canary-sender@example.com",
    "subject": "canary-subject",
    "body": "canary-body",
    "stranger": "canary-path@example.com",
    "baggage": "canary-baggage",
}
MESSAGE = {
    "sender": {"email": CANARIES["sender"]},
    "to": [{"email": CANARIES["receiver"]}],
    "subject": CANARIES["subject"],
    "text": CANARIES["body"],
}
WEBHOOK = "POST /webhooks/email/{provider}"


def headers_in(trace: str) -> dict[str, str]:
    parent = f"00-{trace}-00f067aa0ba902b7-01"
    return {"traceparent": parent, "baggage": f"a={CANARIES['baggage']}"}


async def test_a_message_is_traced_to_the_report_on_it_and_shows_nothing_of_itself(
    application: Application, tmp_path: Path
) -> None:
    token, log = await put_token(), tmp_path / "log"
    async with (
        collecting() as collector,
        granian({**collector.environment, "SANDBOX_REPORT_DELAY": "0.1"}, log) as web,
    ):
        web.headers.update(bearer(token))
        answer = await web.post("/api/emails", json=MESSAGE, headers=headers_in(TRACE))
        assert answer.status_code == 202, answer.text
        later = {**MESSAGE, "send_at": (datetime.now(UTC) + timedelta(seconds=1)).isoformat()}
        put_off = await web.post("/api/emails", json=later, headers=headers_in(ANOTHER))
        assert put_off.status_code == 202, put_off.text
        await web.get(f"/api/queue-items/{CANARIES['stranger']}?q={CANARIES['receiver']}")
        await until(lambda: _is_reported(collector, TRACE), seconds=20)
        await until(lambda: _saw(collector, "GET /api/queue-items/{id}"))
        await until(lambda: _saw(collector, "job SendMessage", 2), seconds=20)

    asked = {"request_id": answer.headers["x-request-id"]}
    request = collector.one("POST /api/emails", **asked)
    job = collector.one("job SendMessage", **asked)
    call = collector.one("send by sandbox", **asked)
    report = next(s for s in collector.named("job ApplyDeliveryEvent") if leads_to(s, TRACE))
    assert request.trace_id.hex() == TRACE
    assert job.parent_span_id == request.span_id
    assert call.trace_id == job.trace_id
    assert facts_of(call)["outcome"] == "Accepted"
    assert facts_of(report)["item_id"] == facts_of(job)["item_id"]
    put_off_job = collector.one("job SendMessage", request_id=put_off.headers["x-request-id"])
    assert put_off_job.trace_id.hex() != ANOTHER
    assert leads_to(put_off_job, ANOTHER)
    assert report.trace_id in {s.trace_id for s in collector.named(WEBHOOK)}
    assert not collector.named("GET /livez")
    shown = collector.raw.decode("latin-1")
    assert [name for name, text in CANARIES.items() if text in shown] == []
    assert token not in shown
    assert "detach" not in log.read_text()


async def test_a_collector_that_is_away_delays_nothing(
    application: Application, tmp_path: Path
) -> None:
    nowhere = {
        "OTEL_ENABLED": "true",
        "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1/v1/traces",
    }
    async with granian(nowhere, tmp_path / "log") as web:
        headers = bearer(await put_token())
        assert (await web.post("/api/emails", json=MESSAGE, headers=headers)).status_code == 202
        await until(_is_sent, seconds=20)


async def _is_sent() -> bool:
    return not await statements.run("SELECT FROM queue_items WHERE accepted_at IS NULL")


async def _saw(collector: Collector, name: str, times: int = 1) -> bool:
    return len(collector.named(name)) >= times


async def _is_reported(collector: Collector, trace: str) -> bool:
    return any(leads_to(span, trace) for span in collector.named("job ApplyDeliveryEvent"))


def leads_to(span: Span, trace: str) -> bool:
    return any(link.trace_id.hex() == trace for link in span.links)


BOOT = """
import sys
from bootstrap.app import create_app
create_app().as_asgi()
print({"opentelemetry.sdk.trace", "opentelemetry.exporter"} & sys.modules.keys())
"""
"""Where the packages are installed, redis-py imports some of them for metrics of its own."""


def boot(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BOOT],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.usefixtures("services")
def test_nothing_of_it_is_imported_while_it_is_off() -> None:
    assert boot().stdout == "set()\n"


@pytest.mark.usefixtures("services")
def test_a_process_that_lacks_the_packages_says_so_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "opentelemetry").mkdir()
    (tmp_path / "opentelemetry" / "__init__.py").touch()
    refused = boot(OTEL_ENABLED="true", PYTHONPATH=str(tmp_path))
    assert refused.returncode
    (line,) = [line for line in refused.stderr.splitlines() if "OTEL_ENABLED" in line]
    assert "not installed" in line
    assert "`telemetry`" in line
