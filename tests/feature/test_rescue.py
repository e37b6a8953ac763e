"""What becomes of an item whose worker died inside an attempt."""

import uuid

import pytest

from app.items import rescue
from app.items.rescue import RescueSettings
from app.models import statements
from app.models.queries import claim as claiming
from app.models.queries import record as recording
from app.models.queries.record import Entry
from app.models.statements import Statements
from app.transports import channels
from app.transports.contract import (
    CannotTell,
    EventType,
    Facts,
    Found,
    LookUp,
    NotFound,
    ProviderEvent,
)
from tests.fakes.items import Put, letters_of, put_item, raw, see, state_of
from tests.fakes.transports import Scripted, find_nothing, scripted_channels

OVER = raw("now() - interval '6 s'")


class Death(BaseException):
    """The end of a process."""


def answering(answer: LookUp):  # a provider that says the same of every attempt
    async def find(_: object) -> LookUp:
        return answer

    return find


async def abandoned(**columns: object) -> Put:
    return await put_item("sending", lease_until=OVER, **columns)


@pytest.fixture
def deduplicating(monkeypatch: pytest.MonkeyPatch, database: Statements) -> None:
    """A provider that recognises a message by its key for an hour, and one rescue."""
    transport = Scripted()
    transport.facts = Facts(name="sandbox", method="email", idempotency_window=3600)
    channels.use(scripted_channels(transport))
    monkeypatch.setattr(rescue, "RescueSettings", lambda: RescueSettings(max_rescues=1))


async def test_what_the_provider_has_is_recorded_as_accepted(database: Statements) -> None:
    item = await abandoned()
    await rescue.rescue(answering(Found((), "m-1")), 10)
    row = await see(item.id)
    assert (row["state"], row["message_id"]) == ("awaiting", "m-1")
    assert await letters_of(item.id) == 0


async def test_what_the_provider_says_of_it_counts(database: Statements) -> None:
    item = await abandoned()
    news = ProviderEvent("k", EventType.DELIVERED, "delivered", attempt_key=item.attempt)
    await rescue.rescue(answering(Found((news,), "m-2")), 10)
    assert await state_of(item.id) == "succeeded"


async def test_what_the_provider_never_got_is_sent_again(database: Statements) -> None:
    item = await abandoned()
    await rescue.rescue(answering(NotFound()), 10)
    row = await see(item.id)
    assert (row["state"], row["retries"], row["inherit_key"]) == ("delayed", 0, None)


async def test_abandoned_work_is_left_to_a_person_by_default(database: Statements) -> None:
    item = await abandoned()
    await rescue.rescue(answering(CannotTell()), 10)
    row = await see(item.id)
    assert (row["state"], row["error_kind"]) == ("errored", "outcome_unknown")


async def test_a_provider_that_deduplicates_gets_it_again_with_the_same_key(
    deduplicating: None,
) -> None:
    item = await abandoned()
    await rescue.rescue(find_nothing, 10)
    assert await state_of(item.id) == "delayed"
    row = await claiming.claim(item.id, uuid.uuid7(), 40.0, "worker")
    assert row is not None
    assert row["provider_key"] == item.attempt
    assert row["doubtful_id"] == item.attempt


async def test_rescues_end_after_as_many_as_are_configured(deduplicating: None) -> None:
    item = await abandoned(rescues=1)
    await rescue.rescue(find_nothing, 10)
    assert await state_of(item.id) == "errored"
    assert await letters_of(item.id) == 1


async def test_a_key_that_the_provider_has_forgotten_is_not_relied_on(
    deduplicating: None,
) -> None:
    item = await abandoned()
    await statements.run("UPDATE attempts SET started_at = now() - interval '2 hours'")
    await rescue.rescue(find_nothing, 10)
    assert await state_of(item.id) == "errored"


async def test_a_worker_that_is_alive_is_never_rescued(database: Statements) -> None:
    item = await put_item("sending")
    assert await rescue.rescue(answering(NotFound()), 10) == 0
    assert await state_of(item.id) == "sending"


async def test_a_rescuer_that_dies_half_way_leaves_the_rest_to_the_next(
    database: Statements,
) -> None:
    """Field report 10a."""
    items = [await abandoned() for _ in range(3)]
    asked = 0

    async def die_at_the_second(_: object) -> LookUp:
        nonlocal asked
        asked += 1
        if asked == 2:
            raise Death
        return CannotTell()

    with pytest.raises(BaseExceptionGroup):
        await rescue.rescue(die_at_the_second, 10)
    await rescue.rescue(find_nothing, 10)
    assert [await state_of(item.id) for item in items] == ["errored"] * 3


@pytest.mark.parametrize(
    ("outcome", "transition", "letters"),
    [("accepted", "await", 0), ("not_sent", "delay", 0), ("rejected", "error", 1)],
)
async def test_a_worker_that_was_only_cut_off_corrects_the_item_and_its_letter(
    database: Statements, outcome: str, transition: str, letters: int
) -> None:
    item = await abandoned()
    await rescue.rescue(find_nothing, 10)
    assert await letters_of(item.id) == 1
    late = Entry(
        item_id=item.id,
        attempt_id=item.attempt,
        outcome=outcome,
        transition=transition,
        text="What the worker knew.",
        actor="worker",
        error_kind="rejected" if transition == "error" else None,
        delay=0.0 if transition == "delay" else None,
        said="in_flight" if outcome == "accepted" else "",
    )
    await recording.record(late)
    assert await letters_of(item.id) == letters
