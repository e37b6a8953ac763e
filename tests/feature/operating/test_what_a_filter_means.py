"""Which items a bulk operation means, and how many those are."""

from datetime import UTC, datetime, timedelta

import pytest

from app.items import bulk_operations
from app.items.bulk_operations import InvalidFilter
from app.models import statements
from app.models.queries.bulk_filter import Filter
from app.models.queue_item import QueueItem
from tests.fakes.items import put_item
from tests.feature.operating.conftest import Workers
from tests.feature.operating.given import (
    BOB,
    bring_to,
    count,
    email,
    results_of,
    sms,
    work_off,
)

ERRORED = Filter(state="errored")
OPERATOR = "operator:1"


async def test_the_count_is_honest_before_anything_is_done(workers: Workers) -> None:
    for kind in ("rejected", "rejected", "outcome_unknown"):
        await put_item("errored", error_kind=kind)
    [lost] = await email(attachments={"a.txt": b"content"})
    await bring_to("errored", lost.id, error_kind="rejected")
    await statements.run("UPDATE blobs SET removed_at = now()")
    await put_item("succeeded")
    counted = await bulk_operations.count("retry", ERRORED)
    assert (counted.matching, counted.unknown, counted.refused) == (4, 1, 1)
    assert (counted.applicable(confirm=False), counted.applicable(confirm=True)) == (2, 3)
    assert await count("queue_items", "state = 'errored'") == 4

    operation = await work_off(await bulk_operations.start("retry", ERRORED, OPERATOR))
    assert (operation.total, operation.done) == (4, 2)
    assert (operation.unknown, operation.refused, operation.changed) == (1, 1, 0)


NOW = datetime.now(UTC)
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        (Filter(), {"email", "sms", "delayed"}),
        (Filter(state="errored"), {"email", "sms"}),
        (Filter(state="delayed"), {"delayed"}),
        (Filter(method="sms"), {"sms"}),
        (Filter(error_kind="rejected"), {"email"}),
        (Filter(receiver="BOB@example.com"), {"email"}),
        (Filter(origin_type="Order"), {"email", "delayed"}),
        (Filter(origin_type="Order", origin_id="7"), {"email"}),
        (Filter(tag="b"), {"delayed"}),
        (Filter(queued_until=NOW - HOUR), set()),
        (Filter(queued_from=NOW - HOUR, queued_until=NOW + HOUR), {"email", "sms", "delayed"}),
        (Filter(queued_from=NOW + HOUR), set()),
    ],
)
async def test_a_filter_means_what_it_says(
    workers: Workers, wanted: Filter, chosen: set[str]
) -> None:
    items: dict[str, QueueItem] = {
        "email": (await email(to=[BOB], origin=("Order", 7), tags=["a"]))[0],
        "delayed": (await email(origin=("Order", 8), tags=["a", "b"]))[0],
        "sms": await sms(),
        "succeeded": (await email(to=[BOB]))[0],
    }
    await bring_to("errored", items["email"].id, error_kind="rejected")
    await bring_to("errored", items["sms"].id, error_kind="opted_out")
    await bring_to("delayed", items["delayed"].id)
    await bring_to("succeeded", items["succeeded"].id)
    assert (await bulk_operations.count("retry", wanted)).matching == len(chosen)
    operation = await work_off(await bulk_operations.start("retry", wanted, OPERATOR))
    assert set(await results_of(operation)) == {items[name].id for name in chosen}
    assert Filter.from_json(operation.filter) == wanted


@pytest.mark.parametrize(
    ("action", "wanted", "said"),
    [
        ("retry", Filter(state="succeeded"), "one of delayed, errored"),
        ("cancel", Filter(state="sending"), "cancel can't be applied"),
        ("resend", Filter(state="errored"), "one of cancelled, succeeded, unconfirmed"),
        ("retry", Filter(state="errored' OR true"), "one of delayed, errored"),
        ("retry", Filter(error_kind="nonsense"), "error kind"),
        ("retry", Filter(method="fax"), "email or sms"),
        ("retry", Filter(queued_from=datetime(2026, 1, 1)), "zone"),  # noqa: DTZ001
    ],
)
async def test_a_filter_that_could_match_nothing_is_refused(
    workers: Workers, action: str, wanted: Filter, said: str
) -> None:
    with pytest.raises(InvalidFilter, match=said):
        await bulk_operations.start(action, wanted, OPERATOR)
    assert await count("bulk_operations") == 0
