"""The table of transitions says what the documentation says."""

import pytest

from app.workflow import DONE, MOVES, TRANSITIONS, Kind, State, find_moves, transition_named

NORMAL = {
    "send": ({"queued", "delayed"}, "sending"),
    "await": ({"sending"}, "awaiting"),
    "delay": ({"sending", "awaiting"}, "delayed"),
    "error": ({"queued", "sending", "awaiting", "delayed"}, "errored"),
    "succeed": ({"sending", "awaiting"}, "succeeded"),
    "timeout": ({"awaiting"}, "unconfirmed"),
    "retry": ({"delayed", "errored"}, "queued"),
    "cancel": ({"queued", "delayed", "errored"}, "cancelled"),
}


@pytest.mark.parametrize("name", NORMAL)
def test_a_transition_leaves_its_sources_for_its_target(name: str) -> None:
    moves = [m for m in MOVES if m.transition == name and m.kind is Kind.NORMAL]
    assert ({m.source.value for m in moves}, moves[0].target.value) == NORMAL[name]


def test_the_table_has_these_transitions_and_no_others() -> None:
    assert {t.name for t in TRANSITIONS} == set(NORMAL)


def test_done_states_are_cancelled_succeeded_and_unconfirmed() -> None:
    assert {State.CANCELLED, State.SUCCEEDED, State.UNCONFIRMED} == DONE


def test_only_retry_and_cancel_may_be_asked_for() -> None:
    asked = {t.name: t.permission for t in TRANSITIONS if t.permission}
    assert asked == {"retry": "can_retry", "cancel": "can_cancel"}


def test_success_and_failure_of_a_cancelled_item_are_ignored() -> None:
    ignored = {(m.transition, m.source, m.target) for m in MOVES if m.kind is Kind.IGNORED}
    assert ignored == {
        ("succeed", State.CANCELLED, State.CANCELLED),
        ("error", State.CANCELLED, State.CANCELLED),
    }


def test_a_late_bounce_is_for_email_only() -> None:
    (move,) = find_moves("error", State.SUCCEEDED)
    assert move.method == "email"


def test_an_unknown_name_is_no_transition() -> None:
    with pytest.raises(KeyError):
        transition_named("teleport")
