"""Decisions about many items go with the history, and not before they are over."""

import uuid
from typing import Any

import pytest

from app.items import bulk_operations, retention_pace
from app.models import statements
from app.models.queries.bulk_filter import Filter
from tests.fakes.items import put_item
from tests.feature.operating.given import work_off
from tests.feature.retention.conftest import Keep
from tests.feature.retention.given import count, prune


async def tell_nobody(_: uuid.UUID) -> None:
    """No worker is to work on these."""


@pytest.fixture(autouse=True)
def nobody_works(application: Any, keep: Keep) -> None:
    bulk_operations.use(tell_nobody)


async def start(items: int = 2) -> Any:
    for _ in range(items):
        await put_item("errored", error_kind="rejected")
    return await bulk_operations.start("retry", Filter(state="errored"), "operator:1")


async def grow_old(days: float) -> None:
    await statements.run(
        "UPDATE bulk_operations SET created = created - $1::float8 * interval '1 day',"
        " finished_at = finished_at - $1::float8 * interval '1 day'",
        days,
    )


async def test_a_finished_operation_goes_with_what_came_of_each_item(keep: Keep) -> None:
    await work_off(await start())
    await grow_old(36)
    await work_off(await start())
    await prune()
    assert (await count("bulk_operations"), await count("bulk_operation_items")) == (2, 4)
    keep(history_keep_days=35)
    assert await prune()
    assert (await count("bulk_operations"), await count("bulk_operation_items")) == (1, 2)
    assert await count("queue_items") == 4


async def test_many_results_go_page_by_page(keep: Keep, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(history_keep_days=35)
    await work_off(await start(items=5))
    await grow_old(36)
    monkeypatch.setattr("app.items.retention_history.PAGE", 2)
    monkeypatch.setattr(retention_pace, "PAGE", 2)
    await prune()
    assert (await count("bulk_operations"), await count("bulk_operation_items")) == (0, 0)


async def test_an_operation_that_is_not_over_stays_however_old_it_is(keep: Keep) -> None:
    keep(history_keep_days=35)
    await start()
    await grow_old(360)
    await prune()
    assert await count("bulk_operations") == 1


async def test_an_operation_that_ended_lately_stays_although_it_began_long_ago(
    keep: Keep,
) -> None:
    keep(history_keep_days=35)
    await work_off(await start())
    await statements.run("UPDATE bulk_operations SET created = created - interval '36 days'")
    await prune()
    assert (await count("bulk_operations"), await count("bulk_operation_items")) == (1, 2)
