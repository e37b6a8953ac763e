"""DISPATCH_RETRY_5XX: which "try again" is held for a person."""

from dataclasses import replace

import pytest

from app.transports.contract import Accepted, Facts, NotSent, Outcome, TryLater, Unknown
from app.transports.email.doubt import hold_in_doubt

FACTS = Facts(name="some", method="email")
DOUBTFUL = TryLater("HTTP 500.", "http_500", may_have_been_sent=True)


def test_a_doubtful_message_is_held_when_only_safe_retries_are_wanted() -> None:
    held = hold_in_doubt(DOUBTFUL, FACTS, "when_safe")
    assert isinstance(held, Unknown)
    assert held.code == "http_500"
    assert held.text.startswith("HTTP 500.")


def test_it_is_retried_as_vdq_does_by_default() -> None:
    assert hold_in_doubt(DOUBTFUL, FACTS, "always") is DOUBTFUL


def test_it_is_retried_where_the_provider_recognises_it() -> None:
    facts = replace(FACTS, idempotency_window=3600.0)
    assert hold_in_doubt(DOUBTFUL, facts, "when_safe") is DOUBTFUL


@pytest.mark.parametrize("outcome", [TryLater("429"), Accepted("m"), NotSent("x"), Unknown("?")])
def test_everything_else_stays_as_it_is(outcome: Outcome) -> None:
    assert hold_in_doubt(outcome, FACTS, "when_safe") is outcome
