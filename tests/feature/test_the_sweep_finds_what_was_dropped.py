"""What is found again from the database alone."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from app.items import publish, sweep
from app.models import statements
from app.models.queries.publish import Due
from app.models.statements import Statements
from tests.fakes.items import history_of, put_item, raw, see, state_of
from tests.fakes.transports import find_nothing

published: list[Due] = []
broker = {"up": True}


@pytest.fixture(autouse=True)
def port() -> Iterator[None]:
    async def keep(items: list[Due]) -> bool:
        if broker["up"]:
            published.extend(items)
        return broker["up"]

    broker["up"] = True
    published.clear()
    publish.use(keep)
    yield
    published.clear()


async def nothing_waits() -> dict[str, datetime | None]:
    return {"high": None, "default": None, "bulk": None}


def ids() -> list[object]:
    return [due.item_id for due in published]


async def test_what_has_come_due_is_published_once(database: Statements) -> None:
    due = await put_item(
        "delayed",
        due_at=raw("now() - interval '1 s'"),
        dispatched_at=raw("now() - interval '1 min'"),
    )
    later = await put_item("delayed", due_at=raw("now() + interval '7 s'"))
    seconds = await publish.publish_due()
    assert ids() == [due.id]
    assert seconds == pytest.approx(7, abs=1)
    await publish.publish_due()
    assert ids() == [due.id]
    assert await state_of(later.id) == "delayed"


async def test_what_was_published_and_never_claimed_is_published_again(
    database: Statements,
) -> None:
    """Field report 5: the stream is deleted, and all ten items are dispatched again."""
    items = [
        await put_item(
            "queued",
            attempts=0,
            due_at=raw("now() - interval '40 s'"),
            dispatched_at=raw("now() - interval '31 s'"),
        )
        for _ in range(10)
    ]
    assert await sweep.republish(nothing_waits) == 10
    assert set(ids()) == {item.id for item in items}
    assert await sweep.republish(nothing_waits) == 0


async def test_a_lost_message_is_given_twice_the_time_after_each_try(
    database: Statements,
) -> None:
    item = await put_item(
        "queued",
        attempts=0,
        dispatches=2,
        due_at=raw("now() - interval '10 min'"),
        dispatched_at=raw("now() - interval '119 s'"),
    )
    assert await sweep.republish(nothing_waits) == 0
    await statements.run(
        "UPDATE queue_items SET dispatched_at = now() - interval '121 s' WHERE id = $1", item.id
    )
    assert await sweep.republish(nothing_waits) == 1


async def test_what_still_waits_in_its_stream_is_not_published_again(
    database: Statements,
) -> None:
    await put_item(
        "queued",
        attempts=0,
        due_at=raw("now() - interval '90 s'"),
        dispatched_at=raw("now() - interval '60 s'"),
    )

    async def older_ones_wait() -> dict[str, datetime | None]:
        return {**await nothing_waits(), "default": datetime.now(UTC) - timedelta(seconds=70)}

    assert await sweep.republish(older_ones_wait) == 0
    assert await sweep.republish(nothing_waits) == 1


async def test_a_failed_publish_is_an_error_that_heals_by_itself(database: Statements) -> None:
    item = await put_item("queued", attempts=0)
    broker["up"] = False
    await publish.publish([Due(item.id, "default", (await see(item.id))["dispatched_at"])])
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == ("errored", "publish_failed")

    broker["up"] = True
    assert await sweep.heal() == 0
    await statements.run("UPDATE queue_items SET last_updated = now() - interval '31 s'")
    assert await sweep.heal() == 1
    assert await state_of(item.id) == "queued"
    assert ids() == [item.id]
    assert [t for t, _, _ in await history_of(item.id)] == ["error", "retry"]


async def test_a_publish_that_failed_for_an_old_dispatch_does_not_error_a_newer_one(
    database: Statements,
) -> None:
    item = await put_item("queued", attempts=0)
    old = (await see(item.id))["dispatched_at"]
    await statements.run(
        "UPDATE queue_items SET dispatched_at = now() + interval '1 s' WHERE id = $1", item.id
    )
    await publish.fail_to_publish([(item.id, old)])
    assert await state_of(item.id) == "queued"


async def test_what_was_not_sent_before_its_expiry_is_cancelled(database: Statements) -> None:
    past, future = raw("now() - interval '1 s'"), raw("now() + interval '1 h'")
    old = [await put_item(state, expires_at=past) for state in ("queued", "delayed")]
    unknown = await put_item("errored", error_kind="outcome_unknown", expires_at=past)
    young = await put_item("queued", expires_at=future)
    assert await sweep.expire() == 2
    assert [await state_of(item.id) for item in old] == ["cancelled", "cancelled"]
    assert await state_of(unknown.id) == "errored"
    assert await state_of(young.id) == "queued"


async def test_a_stored_event_that_nobody_applied_is_applied(database: Statements) -> None:
    from app.items import evidence
    from tests.fakes.items import event

    item = await put_item("awaiting")
    await evidence.store("sandbox", [event("delivered", item.attempt)])
    assert await sweep.apply_events() == 0
    await statements.run("UPDATE delivery_events SET received_at = now() - interval '6 s'")
    assert await sweep.apply_events() == 1
    assert await state_of(item.id) == "succeeded"


async def test_a_sweep_without_a_broker_still_rescues(database: Statements) -> None:
    item = await put_item("sending", lease_until=raw("now() - interval '6 s'"))

    async def no_broker() -> dict[str, datetime | None]:
        raise ConnectionError

    found = await sweep.sweep(no_broker, find_nothing)
    assert found["rescued"] == 1
    assert await state_of(item.id) == "errored"
