"""Reports of providers: their bodies, those that come too late, and those about nothing."""

import time
import uuid
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from app.items import evidence, sweep
from app.models import statements
from tests.fakes.items import event, put_attempt, put_item, raw
from tests.feature.retention.conftest import Keep
from tests.feature.retention.given import prune


async def report(said: str = "delivered", attempt: UUID | None = None, **facts: Any) -> str:
    """A report comes in and is applied, as far as it can be; the verdict of doing so."""
    body = {"Email": "anna@example.com"}
    given = event(said, attempt or uuid.uuid7(), raw=body, **facts)
    [event_id] = await evidence.store("sandbox", [given])
    return await evidence.apply_safely(event_id)


async def came(days: float) -> None:
    """Let all reports have come so many days ago."""
    await statements.run(
        "UPDATE delivery_events SET received_at = now() - $1::float8 * interval '1 day'", days
    )


async def reports() -> list[dict[str, Any]]:
    rows = await statements.run("SELECT * FROM delivery_events ORDER BY received_at")
    return [dict(row.items()) for row in rows]  # type: ignore[attr-defined]


def made(days: float) -> UUID:
    """A key that was made so many days ago."""
    milliseconds = int((time.time() - days * 86_400) * 1000)
    rest = uuid.uuid4().int & ((1 << 76) - 1)
    return UUID(int=milliseconds << 80 | 7 << 76 | rest)


async def test_the_body_of_a_report_goes_after_30_days_and_what_it_says_stays(
    keep: Keep,
) -> None:
    item = await put_item("awaiting")
    await report(attempt=item.attempt)
    await came(29.9)
    assert await prune() is False
    assert "anna@example.com" in (await reports())[0]["raw"]
    await came(30.1)
    assert await prune() is True
    [kept] = await reports()
    assert (kept["raw"], kept["status"], kept["verdict"]) == ("{}", "delivered", "normal")
    assert await prune() is False


async def test_bodies_are_kept_for_as_long_as_the_setting_says(keep: Keep) -> None:
    keep(raw_event_keep_days=100)
    await report()
    await came(99)
    assert await prune() is False
    keep(raw_event_keep_days=0)
    assert await prune() is True


async def test_a_late_report_about_a_pruned_item_fails_nothing_and_is_marked(
    keep: Keep,
) -> None:
    keep(history_keep_days=35)
    old = raw("now() - interval '40 days'")
    item = await put_item("succeeded", queued=old, finished_at=old)
    await prune()
    key = made(40)
    assert await report(attempt=key, item_key=item.id) == "orphan"
    assert await prune() is True
    [late] = await reports()
    assert (late["verdict"], late["applied_at"] is None) == ("pruned", False)
    assert await prune() is False


async def test_an_event_that_was_stored_before_its_item_was_pruned_fails_nothing(
    keep: Keep,
) -> None:
    keep(history_keep_days=35)
    old = raw("now() - interval '40 days'")
    item = await put_item("succeeded", queued=old, finished_at=old)
    [event_id] = await evidence.store("sandbox", [event("failed", item.attempt)])
    await prune()
    assert await evidence.apply_safely(event_id) == "orphan"


async def test_a_report_whose_message_is_not_known_yet_still_waits(keep: Keep) -> None:
    keep(history_keep_days=35)
    await report(attempt=made(34))
    await prune()
    assert [row["verdict"] for row in await reports()] == ["orphan"]


async def test_a_report_about_an_old_item_that_is_still_there_is_not_given_up(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(history_keep_days=35)
    with monkeypatch.context() as patch:
        patch.setattr(uuid, "uuid7", lambda: made(40))
        item = await put_item("errored", error_kind="rejected", attempts=2)
        await put_attempt(item.id, uuid.uuid7(), number=1)
    [event_id] = await evidence.store(
        "sandbox", [replace(event("delivered", item.id), attempt_key=None, item_key=item.id)]
    )
    assert await evidence.apply_safely(event_id) == "orphan"
    await prune()
    assert [row["verdict"] for row in await reports()] == ["orphan"]


async def test_a_report_about_nothing_goes_with_the_history(keep: Keep) -> None:
    keep(history_keep_days=35)
    await report()
    await came(2)
    await sweep.apply_events()
    assert [row["verdict"] for row in await reports()] == ["orphaned"]
    await came(34.9)
    await prune()
    assert len(await reports()) == 1
    await came(35.1)
    await prune()
    assert await reports() == []


async def test_without_the_setting_a_report_about_nothing_stays(keep: Keep) -> None:
    await report()
    await came(2)
    await sweep.apply_events()
    await came(10_000)
    await prune()
    assert len(await reports()) == 1


async def test_the_report_of_an_item_that_is_kept_stays(keep: Keep) -> None:
    keep(history_keep_days=35)
    item = await put_item("awaiting")
    await report("in_flight", item.attempt)
    await came(10_000)
    await prune()
    assert len(await reports()) == 1
