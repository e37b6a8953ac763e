"""Which attempt an event is about: by the provider's id, by our key, by the item, or nobody's."""

import uuid

from app.items import evidence
from app.models import statements
from app.models.statements import Statements
from app.transports.contract import EventType, ProviderEvent
from tests.fakes.items import put_attempt, put_item, see, state_of


def delivered(**facts: object) -> ProviderEvent:
    return ProviderEvent(
        event_key=str(uuid.uuid4()), type=EventType.DELIVERED, status="delivered", **facts
    )


async def tell(event: ProviderEvent) -> str:
    (event_id,) = await evidence.store("sandbox", [event])
    return await evidence.apply(event_id)


async def message_id_of(attempt: uuid.UUID) -> str | None:
    rows = await statements.run("SELECT message_id FROM attempts WHERE id = $1", attempt)
    return rows[0]["message_id"]


async def test_the_providers_id_names_the_attempt(database: Statements) -> None:
    item = await put_item("awaiting", attempts=0, attempt_id=uuid.uuid7())
    await put_attempt(item.id, (await see(item.id))["attempt_id"], number=1, message_id="m-1")
    assert await tell(delivered(message_id="m-1")) == "succeeded"


async def test_the_attempts_key_names_it_and_its_id_is_kept(database: Statements) -> None:
    """Field report 27: the report is there before the provider's id was stored."""
    item = await put_item("sending")
    said = await tell(delivered(message_id="m-2", attempt_key=item.attempt, item_key=item.id))
    assert said == "succeeded"
    assert await message_id_of(item.attempt) == "m-2"
    assert (await see(item.id))["message_id"] == "m-2"


async def test_another_id_than_the_one_stored_changes_nothing(database: Statements) -> None:
    item = await put_item("awaiting", attempts=0, attempt_id=uuid.uuid7())
    attempt = (await see(item.id))["attempt_id"]
    await put_attempt(item.id, attempt, number=1, message_id="ours")
    said = await tell(delivered(message_id="theirs", attempt_key=attempt, item_key=item.id))
    assert said == "other_message"
    assert await state_of(item.id) == "awaiting"
    assert await message_id_of(attempt) == "ours"


async def test_the_items_key_alone_is_enough_for_its_only_attempt(database: Statements) -> None:
    item = await put_item("awaiting")
    assert await tell(delivered(message_id="m-3", item_key=item.id)) == "succeeded"


async def test_the_items_key_alone_is_not_enough_for_one_of_two_attempts(
    database: Statements,
) -> None:
    item = await put_item("awaiting", attempts=2)
    await put_attempt(item.id, uuid.uuid7(), number=1, outcome="unknown")
    assert await tell(delivered(message_id="m-4", item_key=item.id)) == "orphan"
    assert await state_of(item.id) == "awaiting"


async def test_an_attempt_that_was_not_sent_leaves_the_other_one_to_be_meant(
    database: Statements,
) -> None:
    item = await put_item("awaiting", attempts=2)
    await put_attempt(item.id, uuid.uuid7(), number=1, outcome="not_sent")
    assert await tell(delivered(message_id="m-5", item_key=item.id)) == "succeeded"


async def test_an_attempt_that_only_the_provider_knows_is_recovered(database: Statements) -> None:
    item = await put_item("queued", attempts=0)
    lost = uuid.uuid7()
    said = await tell(delivered(message_id="m-6", attempt_key=lost, item_key=item.id))
    assert said == "succeeded"
    rows = await statements.run("SELECT item_id, recovered FROM attempts WHERE id = $1", lost)
    assert (rows[0]["item_id"], rows[0]["recovered"]) == (item.id, True)


async def test_an_orphan_is_joined_once_its_id_is_known(database: Statements) -> None:
    assert await tell(delivered(message_id="m-7")) == "orphan"
    assert await evidence.queries.find_unapplied(0.0, 10) == []

    item = await put_item("awaiting", attempts=0, attempt_id=uuid.uuid7())
    attempt = (await see(item.id))["attempt_id"]
    await put_attempt(item.id, attempt, number=1, message_id="m-7")
    (event_id,) = await evidence.queries.find_unapplied(0.0, 10)

    assert await evidence.apply(event_id) == "succeeded"


async def test_orphans_are_given_up_after_their_time_and_stay_to_be_seen(
    database: Statements,
) -> None:
    await tell(delivered(message_id="m-8"))
    await evidence.queries.drop_orphans(24)
    assert await verdicts() == ["orphan"]
    await statements.run("UPDATE delivery_events SET received_at = now() - interval '25 hours'")
    await evidence.queries.drop_orphans(24)
    assert await verdicts() == ["orphaned"]


async def verdicts() -> list[str]:
    return [r["verdict"] for r in await statements.run("SELECT verdict FROM delivery_events")]


async def test_an_event_that_fails_five_times_is_marked_and_given_up(database: Statements) -> None:
    item = await put_item("awaiting")
    (event_id,) = await evidence.store("sandbox", [delivered(item_key=item.id)])
    for _ in range(5):
        await evidence.queries.count_failure(event_id, 5)
    assert await verdicts() == ["failed"]
    assert await evidence.queries.find_unapplied(0.0, 10) == []


async def test_an_event_with_a_nul_character_in_its_raw_body_is_stored(
    database: Statements,
) -> None:
    item = await put_item("awaiting")
    said = await tell(delivered(item_key=item.id, raw={"text": "a\u0000b"}))
    assert said == "succeeded"
