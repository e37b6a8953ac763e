"""What each report does to an item in each state: generated from the table of moves."""

import itertools
import uuid

import pytest

from app.items import evidence
from app.models.statements import Statements
from app.workflow import OUR_ERRORS, ErrorKind, Kind, State, find_moves
from tests.fakes.items import event, history_of, put_attempt, put_item, see, state_of

TRANSITION_OF = {
    "in_flight": "await",
    "engaged": "succeed",
    "delivered": "succeed",
    "failed": "error",
}
ERRORS = ("outcome_unknown", "retries_exhausted", "rejected", "reported")
CASES = [
    (said, state, error, method)
    for said, state, method in itertools.product(TRANSITION_OF, State, ("email", "sms"))
    for error in (ERRORS if state is State.ERRORED else (None,))
]


async def apply(said: str, attempt: uuid.UUID, **facts: object) -> None:
    for event_id in await evidence.store("sandbox", [event(said, attempt, **facts)]):
        await evidence.apply(event_id)


def expected(said: str, state: State, error: str | None, method: str) -> tuple[str, Kind | None]:
    if said == "engaged" and state is State.SENDING:
        return state, None
    for move in find_moves(TRANSITION_OF[said], state):
        fits_error = not move.error_kinds or ErrorKind(error) in move.error_kinds
        if fits_error and move.method in (None, method):
            return move.target, move.kind
    return state, None


@pytest.mark.parametrize(("said", "state", "error", "method"), CASES)
async def test_a_report_about_the_current_attempt_moves_as_the_table_says(
    database: Statements, said: str, state: State, error: str | None, method: str
) -> None:
    item = await put_item(state, method=method, error_kind=error)
    target, kind = expected(said, state, error, method)

    await apply(said, item.attempt)

    row = await see(item.id)
    assert row["state"] == target
    moved = [(TRANSITION_OF[said], state.value, str(target))] if kind else []
    assert await history_of(item.id) == moved
    if kind is not None:
        assert row["result"] == f"the provider says {said}"
    if state is State.CANCELLED and said in ("engaged", "delivered"):
        assert row["delivered_after_cancel"]


@pytest.mark.parametrize("method", ["email", "sms"])
@pytest.mark.parametrize(
    ("said", "becomes"),
    [("in_flight", "awaiting"), ("delivered", "succeeded"), ("failed", "queued")],
)
async def test_after_a_retry_the_old_attempt_can_only_stop_the_planned_send(
    database: Statements, said: str, becomes: str, method: str
) -> None:
    item = await put_item("queued", method=method, current=False)
    await apply(said, item.attempt)
    assert await state_of(item.id) == becomes


@pytest.mark.parametrize("state", ["sending", "awaiting"])
@pytest.mark.parametrize("said", ["in_flight", "delivered", "failed"])
async def test_once_a_later_attempt_has_begun_the_item_follows_that_one(
    database: Statements, said: str, state: str
) -> None:
    item = await put_item(state, attempts=2)
    earlier = uuid.uuid7()
    await put_attempt(item.id, earlier, number=1)
    await apply(said, earlier)
    assert await state_of(item.id) == state


@pytest.mark.parametrize("error", sorted(OUR_ERRORS))
async def test_delivery_of_an_earlier_attempt_counts_when_the_later_one_failed_for_our_reasons(
    database: Statements, error: str
) -> None:
    item = await put_item("errored", attempts=2, error_kind=error)
    earlier = uuid.uuid7()
    await put_attempt(item.id, earlier, number=1)
    await apply("failed", earlier)
    assert await state_of(item.id) == "errored"
    await put_attempt(item.id, other := uuid.uuid7(), number=3)
    await apply("delivered", other)
    assert await state_of(item.id) == "succeeded"


async def test_leaving_a_done_state_clears_the_finish_time(database: Statements) -> None:
    item = await put_item("succeeded")
    await apply("failed", item.attempt)
    row = await see(item.id)
    assert (row["state"], row["error_kind"], row["finished_at"]) == ("errored", "reported", None)


async def test_the_same_event_twice_is_applied_once(database: Statements) -> None:
    """Field report 30: one status is one event, and a later status is another one."""
    item = await put_item("awaiting")
    first = await evidence.store("sandbox", [event("in_flight", item.attempt)])
    await evidence.apply(first[0])
    assert await evidence.store("sandbox", [event("in_flight", item.attempt)]) == []
    await apply("delivered", item.attempt)
    assert await state_of(item.id) == "succeeded"


async def test_an_event_that_is_repeated_before_it_was_applied_is_dispatched_again(
    database: Statements,
) -> None:
    item = await put_item("awaiting")
    first = await evidence.store("sandbox", [event("delivered", item.attempt)])
    again = await evidence.store("sandbox", [event("delivered", item.attempt)])
    assert again == first
