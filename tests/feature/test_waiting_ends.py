"""How long an accepted message may stay without a final report."""

import asyncio

import pytest

from app.items import timeouts
from app.models.statements import Statements
from app.transports.contract import CannotTell, EventType, Found, LookUp, ProviderEvent
from tests.fakes.items import history_of, put_attempt, put_item, raw, see, state_of

THREE_HOURS_AGO = raw("now() - interval '3 hours'")


async def nothing_new(_: object) -> LookUp:
    return CannotTell("the provider is away")


async def test_an_sms_without_a_final_report_is_unconfirmed_after_two_hours(
    database: Statements,
) -> None:
    old = await put_item("awaiting", method="sms", queued=THREE_HOURS_AGO)
    young = await put_item("awaiting", method="sms")
    await timeouts.time_out_sms(nothing_new)
    assert await state_of(old.id) == "unconfirmed"
    assert await state_of(young.id) == "awaiting"
    assert await history_of(old.id) == [("timeout", "awaiting", "unconfirmed")]


async def test_the_window_counts_from_creation_also_after_a_retry(database: Statements) -> None:
    """Field report 73, the default: as it always was."""
    item = await put_item(
        "awaiting", method="sms", queued=THREE_HOURS_AGO, accepted_at=raw("now()")
    )
    await timeouts.time_out_sms(nothing_new)
    assert await state_of(item.id) == "unconfirmed"


async def test_the_window_counts_from_acceptance_when_that_is_configured(
    database: Statements, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 73: errored at 0, retried at +3 h and accepted: unconfirmed at +5 h."""
    from app.settings import DispatchSettings

    monkeypatch.setattr(
        timeouts, "DispatchSettings", lambda: DispatchSettings(sms_timeout_from="accepted")
    )
    fresh = await put_item(
        "awaiting", method="sms", queued=THREE_HOURS_AGO, accepted_at=raw("now()")
    )
    stale = await put_item(
        "awaiting", method="sms", queued=THREE_HOURS_AGO, accepted_at=THREE_HOURS_AGO
    )
    await timeouts.time_out_sms(nothing_new)
    assert await state_of(fresh.id) == "awaiting"
    assert await state_of(stale.id) == "unconfirmed"


async def test_a_planned_sms_is_given_its_window_from_its_time(database: Statements) -> None:
    item = await put_item("awaiting", method="sms", queued=THREE_HOURS_AGO, send_at=raw("now()"))
    await timeouts.time_out_sms(nothing_new)
    assert await state_of(item.id) == "awaiting"


async def test_one_last_look_may_still_find_it_delivered(database: Statements) -> None:
    item = await put_item("awaiting", method="sms", queued=THREE_HOURS_AGO)

    async def delivered(_: object) -> LookUp:
        return Found(
            (
                ProviderEvent(
                    "last look", EventType.DELIVERED, "delivered", attempt_key=item.attempt
                ),
            )
        )

    await timeouts.time_out_sms(delivered)
    assert await state_of(item.id) == "succeeded"


async def test_a_last_look_that_fails_holds_nothing_back(database: Statements) -> None:
    item = await put_item("awaiting", method="sms", queued=THREE_HOURS_AGO)

    async def broken(_: object) -> LookUp:
        raise RuntimeError

    await timeouts.time_out_sms(broken)
    assert await state_of(item.id) == "unconfirmed"


async def test_an_email_waits_four_days(database: Statements) -> None:
    old = await put_item("awaiting", queued=raw("now() - interval '97 hours'"))
    young = await put_item("awaiting", queued=raw("now() - interval '95 hours'"))
    await timeouts.time_out_email()
    assert await state_of(old.id) == "unconfirmed"
    assert await state_of(young.id) == "awaiting"


async def test_a_delivery_of_an_earlier_attempt_is_no_timeout(database: Statements) -> None:
    item = await put_item("awaiting", method="sms", queued=THREE_HOURS_AGO, earlier_delivered=True)
    await timeouts.time_out_sms(nothing_new)
    assert await state_of(item.id) == "succeeded"


async def test_polling_asks_least_recently_asked_first_and_not_too_many_at_once(
    database: Statements,
) -> None:
    """Field report 72: as many questions as messages of ours, each by its id."""
    asked: list[str] = []
    running = most = 0

    async def look(waiting: timeouts.Waiting) -> LookUp:
        nonlocal running, most
        running, most = running + 1, max(most, running + 1)
        await asyncio.sleep(0)
        running -= 1
        asked.append(str(waiting.message_id))
        if waiting.message_id == "message 3":
            raise RuntimeError
        return CannotTell()

    for number in range(30):
        item = await put_item(
            "awaiting", method="sms", attempts=0, attempt_id=raw("gen_random_uuid()")
        )
        attempt = (await see(item.id))["attempt_id"]
        await put_attempt(item.id, attempt, number=1, message_id=f"message {number}")
    assert await timeouts.poll(look, ["sandbox"]) == 30
    assert sorted(asked) == sorted(f"message {n}" for n in range(30))
    assert most <= 10
