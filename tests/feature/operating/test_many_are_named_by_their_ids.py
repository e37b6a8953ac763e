"""retry_all, cancel_all and resend_all: a verdict on each of up to 1,000 items."""

import contextlib
import uuid
from collections.abc import Awaitable, Callable

import pytest
from arvel.kernel import Application

from app.items import cancel_all, resend_all, retry_all
from app.items.bulk import MOST, TooMany, decide_all
from app.items.operate_verdicts import Refusal, Verdict
from app.models import statements
from app.models.queries.operate import Decision
from tests.fakes.items import history_of, put_item, state_of
from tests.feature.operating.conftest import Published
from tests.feature.operating.given import (
    copies_of,
    count,
    fill,
    letters,
    most_moves_by_one_decision,
    put_letter,
)


class RolledBack(Exception):
    """Ends a transaction without its commit."""


def refusals(verdicts: list[Verdict]) -> list[Refusal | None]:
    return [verdict.refusal for verdict in verdicts]


async def test_each_item_gets_its_own_verdict_in_the_order_given(published: Published) -> None:
    done = await put_item("succeeded")
    unknown = await put_item("errored", error_kind="outcome_unknown")
    errored = await put_item("errored", error_kind="rejected")
    missing = uuid.uuid7()
    ids = [errored.id, missing, unknown.id, done.id, errored.id]
    verdicts = await retry_all(ids, "operator:1")
    assert [verdict.item_id for verdict in verdicts] == [errored.id, missing, unknown.id, done.id]
    assert refusals(verdicts) == [None, Refusal.MISSING, Refusal.UNKNOWN, Refusal.STATE]
    assert [verdict.state for verdict in verdicts] == ["queued", None, "errored", "succeeded"]
    assert str(missing) in verdicts[1].text
    assert published.ids == [errored.id]
    assert await history_of(errored.id) == [("retry", "errored", "queued")]


@pytest.mark.parametrize(
    ("action", "state", "kind", "after"),
    [
        (retry_all, "errored", "outcome_unknown", "queued"),
        (cancel_all, "errored", "outcome_unknown", "cancelled"),
        (resend_all, "unconfirmed", None, "unconfirmed"),
    ],
)
async def test_what_may_have_been_sent_is_skipped_unless_that_is_confirmed(
    published: Published,
    action: Callable[..., Awaitable[list[Verdict]]],
    state: str,
    kind: str | None,
    after: str,
) -> None:
    item = await put_item(state, error_kind=kind)
    assert refusals(await action([item.id], "operator:1")) == [Refusal.UNKNOWN]
    assert (await state_of(item.id), await copies_of(item.id)) == (state, [])
    assert refusals(await action([item.id], "operator:1", confirm=True)) == [None]
    assert await state_of(item.id) == after


async def test_an_item_that_is_being_sent_says_when_to_try_again(published: Published) -> None:
    item = await put_item("sending")
    [verdict] = await cancel_all([item.id], "operator:1")
    assert verdict.refusal == Refusal.STATE
    assert verdict.try_again_at is not None
    assert "Try again after" in verdict.text


async def test_a_verdict_names_its_line_of_the_history(published: Published) -> None:
    item = await put_item("errored", error_kind="rejected")
    [verdict] = await retry_all([item.id], "operator:1")
    rows = await statements.run("SELECT id FROM item_history")
    assert [row["id"] for row in rows] == [verdict.history_id]


async def test_a_thousand_items_are_worked_off_and_one_more_is_refused_beforehand(
    published: Published,
) -> None:
    await fill(MOST)
    rows = await statements.run("SELECT id FROM queue_items WHERE state = 'errored'")
    ids = [row["id"] for row in rows]
    with pytest.raises(TooMany, match="1,000"):
        await retry_all([*ids, uuid.uuid7()], "operator:1")
    assert await count("item_history") == 0
    verdicts = await retry_all(ids, "operator:1")
    assert all(verdict.applied for verdict in verdicts)
    assert set(ids) <= set(published.ids)
    assert await count("queue_items", "state = 'queued'") == MOST + 1


async def test_each_resent_item_names_its_copy(published: Published) -> None:
    items = [await put_item("succeeded") for _ in range(3)]
    verdicts = await resend_all([item.id for item in items], "operator:1")
    for item, verdict in zip(items, verdicts, strict=True):
        [copy] = await copies_of(item.id)
        assert verdict.copy_id == copy.id


@pytest.mark.parametrize("action", ["retry", "cancel", "resend"])
async def test_a_dry_run_says_what_would_be_and_changes_nothing(
    published: Published, action: str
) -> None:
    item = await put_item("succeeded" if action == "resend" else "errored", error_kind="rejected")
    before = await state_of(item.id)
    [verdict] = await decide_all(action, [item.id], Decision("operator:1", dry_run=True))
    assert verdict.applied
    assert await state_of(item.id) == before
    assert (await history_of(item.id), await copies_of(item.id), published.ids) == ([], [], [])


@pytest.mark.parametrize("action", ["retry", "cancel"])
async def test_a_decision_whose_answer_was_lost_is_not_made_twice(
    published: Published, action: str
) -> None:
    item = await put_item("errored", error_kind="rejected")
    decision = Decision("operator:1")
    for _ in range(2):
        [verdict] = await decide_all(action, [item.id], decision)
        assert verdict.applied
    assert await most_moves_by_one_decision() == 1
    assert len(await history_of(item.id)) == 1


@pytest.mark.parametrize("action", [retry_all, cancel_all])
async def test_dead_letters_go_in_the_same_transaction(
    published: Published,
    application: Application,
    action: Callable[..., Awaitable[list[Verdict]]],
) -> None:
    item = await put_item("errored", error_kind="retries_exhausted")
    letter = await put_letter(item.id, item.attempt)
    with contextlib.suppress(RolledBack):
        async with application.make("db").transaction():
            await action([item.id], "operator:1")
            assert await letters() == []
            raise RolledBack
    assert await letters() == [letter]
    assert await state_of(item.id) == "errored"
    await action([item.id], "operator:1")
    assert await letters() == []
