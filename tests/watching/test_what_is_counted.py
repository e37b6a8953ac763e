"""What a process counts while it sends, and what its log says of the request behind it."""

import asyncio
import uuid
from pathlib import Path

from app.events.measures import REGISTRY
from app.items import evidence
from app.jobs.sweep_items import SweepItems
from app.models import statements
from tests.fakes.access import bearer, put_token
from tests.fakes.items import event, put_item, raw
from tests.fakes.processes import arvel
from tests.fakes.waiting import patience
from tests.fakes.web import Web
from tests.watching.page import Page, scrape

REFUSED = "rejected@sandbox.example"
MESSAGE = {
    "sender": {"email": "shop@example.com"},
    "to": [{"email": REFUSED}],
    "subject": "canary subject",
    "text": "canary text",
}


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


async def work_until_empty(log: Path) -> str:
    """A worker in a process of its own; what it logged."""
    async with arvel(
        *("dispatch:work", "--stop-when-empty"), environment={"LOG_LEVEL": "info"}, log=log
    ) as worker:
        assert await asyncio.wait_for(worker.wait(), patience(60)) == 0
    return await asyncio.to_thread(log.read_text)


def line_with(log: str, *words: str) -> str:
    found = [line for line in log.splitlines() if all(word in line for word in words)]
    assert len(found) == 1, log
    return found[0]


async def test_a_worker_names_the_request_behind_a_send_that_fails(
    web: Web, tmp_path: Path
) -> None:
    headers = bearer(await put_token())
    answer = await web.post("/api/emails", json=MESSAGE, headers=headers)
    asked, later = answer.headers["x-request-id"], str(uuid.uuid7())
    # A retry that comes due by itself brings no request: its item has it.
    due = await put_item("delayed", attempts=0, current=False, receiver=REFUSED)
    await statements.run(
        "UPDATE item_search SET request_id = $2 WHERE item_id = $1", due.id, uuid.UUID(later)
    )
    await statements.run("UPDATE queue_items SET dispatched_at = NULL WHERE id = $1", due.id)
    log = await work_until_empty(tmp_path / "log")
    for request in (asked, later):
        line = line_with(log, "attempt_errored", request)
        assert "rejected" in line
        assert "sandbox" in line
    assert REFUSED not in log
    assert "canary" not in log


async def test_reports_are_measured_from_their_arrival(web: Web) -> None:
    before = counted("pillarbox_report_apply_seconds_count", provider="sandbox")
    item = await put_item("awaiting")
    for event_id in await evidence.store("sandbox", [event("delivered", item.attempt)]):
        await evidence.apply_safely(event_id)
    after = counted("pillarbox_report_apply_seconds_count", provider="sandbox")
    assert after == before + 1


async def test_a_sweep_counts_what_it_moved(web: Web) -> None:
    before = counted("pillarbox_swept_total", move="rescued")
    await put_item("sending", lease_until=raw("now() - interval '60 seconds'"))
    await web.app.make("queue").run_here(SweepItems())
    assert counted("pillarbox_swept_total", move="rescued") == before + 1
    unknown = counted("pillarbox_attempts_total", provider="sandbox", outcome="unknown")
    assert unknown >= 1


async def test_a_page_holds_no_address_and_no_id(web: Web) -> None:
    await put_item("queued", receiver="anna+tag@example.com")
    page: Page = await scrape(web)
    assert not page.has_addresses()
    assert "anna" not in page.text
