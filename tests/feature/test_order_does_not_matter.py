"""For one attempt every order, repetition and interleaving of the same facts ends alike."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.models.statements import Statements
from tests.fakes.facts import OUTCOMES, fact
from tests.fakes.items import put_item, state_of

REPORTS = ("in_flight", "engaged", "delivered", "failed")


async def end_of(method: str, facts: tuple[str, ...]) -> str:
    """Where an item comes to rest; a timeout that didn't apply comes again with a later tick."""
    item = await put_item("sending", method=method)
    for name in facts:
        await fact(name)(item)
    if "timeout" in facts:
        await fact("timeout")(item)
    return await state_of(item.id)


@pytest.mark.parametrize("method", ["email", "sms"])
@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("reports", list(itertools.combinations(REPORTS, 2)))
async def test_any_order_of_an_outcome_two_reports_and_a_timeout_ends_in_one_state(
    database: Statements, method: str, outcome: str, reports: tuple[str, str]
) -> None:
    ends = {
        order: await end_of(method, order)
        for order in itertools.permutations((outcome, *reports, "timeout"))
    }
    assert len(set(ends.values())) == 1, ends


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
async def test_repetitions_and_interleavings_end_in_one_state(
    database: Statements, data: st.DataObject
) -> None:
    method = data.draw(st.sampled_from(["email", "sms"]))
    outcome = data.draw(st.sampled_from(sorted(OUTCOMES)))
    said = data.draw(st.lists(st.sampled_from([*REPORTS, "timeout"]), min_size=1, max_size=8))
    facts = [outcome, *said]
    first = await end_of(method, tuple(data.draw(st.permutations(facts))))
    second = await end_of(method, tuple(data.draw(st.permutations(facts))))
    assert first == second
