"""The judge of a campaign of faults finds each kind of untruth, and nothing where all is true."""

from collections import Counter
from dataclasses import replace

import pytest

from local.faults.judging import judge
from local.faults.moods import Reply
from local.faults.story import Event, Story
from tests.unit.campaign.given import (
    asked,
    attempt,
    by_person,
    hit,
    item,
    request,
    send,
    sent,
    told,
)

ONE, TWO = attempt(1), attempt(2)
DOUBTFUL = attempt(1, "try_later", doubtful=True)
UNKNOWN = attempt(1, "unknown")
BY_ONE, BY_TWO = request(ONE), request(TWO)
LEFT_HANGING = request(UNKNOWN, Reply.HANG)


def found(story: Story) -> dict[str, int]:
    counted = Counter[str]()
    for finding in judge(story):
        counted[finding.kind] += finding.count
    return dict(counted)


def test_item_that_was_sent_once_and_delivered_is_true() -> None:
    assert found(sent()) == {}


# Duplicated


def twice(*moves: object, first: object = ONE, **fields: object) -> Story:
    """Two attempts, both of them taken."""
    requests = (request(first, Reply.FAIL if first is DOUBTFUL else Reply.ACCEPT), BY_TWO)
    return Story(
        item=item("succeeded", first, TWO, moves=moves),
        requests=requests,
        told=(told(BY_TWO, "delivered"),),
        **fields,
    )


def test_second_copy_that_nobody_asked_for_is_a_duplicate() -> None:
    assert found(twice(send(ONE), send(TWO, "delayed"))) == {"duplicated": 1}


def test_third_copy_counts_as_well() -> None:
    three = attempt(3)
    story = twice(send(ONE))
    more = replace(story.item, attempts=(*story.item.attempts, three), attempt=three.id)
    by_three = request(three)
    requests, said = (*story.requests, by_three), (told(by_three, "delivered"),)
    assert found(replace(story, item=more, requests=requests, told=said)) == {"duplicated": 2}


def test_copy_that_a_person_asked_for_is_none() -> None:
    moves = (send(ONE), by_person("retry"), send(TWO))
    assert found(twice(*moves, asked=(asked("retry"),))) == {}


def test_retry_that_the_history_invents_excuses_no_copy() -> None:
    moves = (send(ONE), by_person("retry"), send(TWO))
    assert found(twice(*moves)) == {"duplicated": 1}
    assert found(twice(*moves, asked=(asked("retry", 409),))) == {"duplicated": 1}


def test_retry_whose_answer_was_lost_excuses_a_copy() -> None:
    moves = (send(ONE), by_person("retry"), send(TWO))
    assert found(twice(*moves, asked=(asked("retry", 0),))) == {}


def test_copy_after_an_attempt_marked_as_maybe_sent_is_none() -> None:
    moves = (send(DOUBTFUL), send(TWO, "delayed"))
    assert found(twice(*moves, first=DOUBTFUL)) == {}


def test_copy_after_an_attempt_without_that_mark_is_a_duplicate() -> None:
    plain = attempt(1, "try_later")
    kinds = found(twice(send(plain), send(TWO, "delayed"), first=plain))
    assert kinds == {"duplicated": 1, "wrongly_final": 1}


def test_messages_that_are_one_to_their_provider_count_once() -> None:
    story = twice(send(ONE), send(TWO, "delayed"))
    requests = tuple(replace(r, deduplication="same") for r in story.requests)
    boasting = found(replace(story, requests=requests))
    assert "duplicated" not in boasting


def test_attempt_that_is_taken_twice_is_a_duplicate_whoever_retried() -> None:
    story = sent(requests=(BY_ONE, request(ONE)), asked=(asked("retry"),))
    moves = (send(ONE), by_person("retry"))
    story = replace(
        story, item=item("succeeded", ONE, moves=moves), told=(told(BY_ONE, "delivered"),)
    )
    assert found(story) == {"duplicated": 1}


# Lost


@pytest.mark.parametrize("state", ["succeeded", "unconfirmed"])
def test_item_that_says_it_was_sent_and_was_not_is_lost(state: str) -> None:
    never = attempt(1, None, report="delivered")
    story = Story(
        item=item(state, never), told=(told(request(never), "delivered"),) * (state == "succeeded")
    )
    assert found(story) == {"lost": 1}


# Stuck


@pytest.mark.parametrize("state", ["queued", "sending", "delayed"])
def test_item_that_still_moves_is_stuck(state: str) -> None:
    assert found(Story(item=item(state))) == {"stuck": 1}


def test_item_that_waits_for_reports_for_ever_is_stuck() -> None:
    assert found(Story(item=item("awaiting", ONE), requests=(BY_ONE,))) == {"stuck": 1}


def test_item_that_was_never_published_is_stuck() -> None:
    assert found(Story(item=item("errored", error_kind="publish_failed"))) == {"stuck": 1}


def test_report_that_is_not_applied_is_stuck() -> None:
    story = sent()
    events = (Event(at=1.0, status="Open", verdict=None, applied=False),)
    assert found(replace(story, item=replace(story.item, events=events))) == {"stuck": 1}


# Wrongly final


@pytest.mark.parametrize("outcome", ["not_sent", "rejected", "try_later", None])
def test_attempt_must_not_deny_what_was_taken(outcome: str | None) -> None:
    denying = attempt(1, outcome)
    asked_for = (asked("cancel"),)
    story = Story(
        item=item("cancelled", denying, moves=(by_person("cancel"),)),
        requests=(request(denying),),
        asked=asked_for,
    )
    assert found(story) == {"wrongly_final": 1}


def test_message_is_admitted_by_any_of_the_attempts_at_it() -> None:
    first, cut_off = attempt(1, "unknown", report="delivered"), attempt(2, None)
    hung = request(first, Reply.HANG, takes=False, deduplication="same")
    taken = request(cut_off, deduplication="same")
    story = Story(
        item=item("succeeded", first, cut_off),
        requests=(hung, taken),
        told=(told(taken, "delivered"),),
    )
    assert found(story) == {}
    apart = (replace(hung, deduplication=None), taken)
    assert found(replace(story, requests=apart)) == {"wrongly_final": 1}


def test_message_must_not_be_taken_in_an_attempt_that_no_row_knows() -> None:
    assert found(sent(requests=(request(attempt()),)))["wrongly_final"] >= 1


def test_message_must_not_be_sent_before_its_time() -> None:
    assert found(sent(due=100.4)) == {}
    assert found(sent(due=100.6)) == {"wrongly_final": 1}


def test_attempt_must_not_say_accepted_where_nothing_was_taken() -> None:
    story = sent(requests=(BY_ONE, request(TWO, Reply.REFUSE, takes=False)))
    story = replace(story, item=item("succeeded", ONE, TWO), told=(told(BY_ONE, "delivered"),))
    assert found(story) == {"wrongly_final": 1}


def test_success_must_be_reported() -> None:
    assert found(sent(told=())) == {"wrongly_final": 1}
    unheard = told(BY_ONE, "delivered", heard=False)
    assert found(sent(requests=(BY_ONE,), told=(unheard,))) == {"wrongly_final": 1}


def test_acceptance_by_a_mail_server_is_success() -> None:
    by_smtp = request(ONE, provider="smtp", attempt=None)
    assert found(Story(item=item("succeeded", ONE), requests=(by_smtp,))) == {}


def test_failure_must_be_reported() -> None:
    story = Story(item=item("errored", ONE, error_kind="reported"), requests=(BY_ONE,))
    assert found(story) == {"wrongly_final": 1}
    assert found(replace(story, told=(told(BY_ONE, "failed"),))) == {}


@pytest.mark.parametrize(
    ("state", "kind"), [("errored", "outcome_unknown"), ("errored", "retries_exhausted")]
)
def test_delivery_must_be_believed(state: str, kind: str) -> None:
    story = Story(
        item=item(state, UNKNOWN, error_kind=kind),
        requests=(LEFT_HANGING,),
        told=(told(LEFT_HANGING, "delivered"),),
    )
    assert found(story) == {"wrongly_final": 1}


def test_delivered_item_must_not_be_unconfirmed() -> None:
    story = Story(
        item=item("unconfirmed", ONE), requests=(BY_ONE,), told=(told(BY_ONE, "delivered"),)
    )
    assert found(story) == {"wrongly_final": 1}


@pytest.mark.parametrize("method", ["email", "sms"])
def test_failure_of_the_current_attempt_must_be_believed(method: str) -> None:
    story = Story(
        item=item("unconfirmed", ONE, method=method),
        requests=(BY_ONE,),
        told=(told(BY_ONE, "failed"),),
    )
    assert found(story) == {"wrongly_final": 1}


def test_bounce_outranks_delivery_for_email_and_not_for_sms() -> None:
    both = (told(BY_ONE, "delivered"), told(BY_ONE, "failed"))
    for method, expected in (("email", {"wrongly_final": 1}), ("sms", {})):
        story = Story(item=item("succeeded", ONE, method=method), requests=(BY_ONE,), told=both)
        assert found(story) == expected


def test_attempt_that_was_delivered_and_bounced_delivers_nothing() -> None:
    bounced = (told(BY_ONE, "delivered"), told(BY_ONE, "failed"))
    story = twice(send(ONE), by_person("retry"), send(TWO), asked=(asked("retry"),))
    unconfirmed = replace(story.item, state="unconfirmed")
    assert found(replace(story, item=unconfirmed, told=bounced)) == {}
    assert found(replace(story, told=bounced)) == {"wrongly_final": 1}


def test_refusal_must_be_the_provider_s() -> None:
    refused = attempt(1, "rejected")
    story = Story(item=item("errored", refused, error_kind="rejected"))
    assert found(story) == {"wrongly_final": 1}
    by_provider = request(refused, Reply.REFUSE, takes=False)
    assert found(replace(story, requests=(by_provider,))) == {}


@pytest.mark.parametrize("kind", ["poisoned", "unforeseen", "configuration", "opted_out"])
def test_errors_without_a_reason_are_findings(kind: str) -> None:
    assert found(Story(item=item("errored", error_kind=kind))) == {"wrongly_final": 1}


def test_item_is_cancelled_only_by_somebody_who_asked_for_it() -> None:
    cancelled = Story(item=item("cancelled", moves=(by_person("cancel"),)))
    assert found(cancelled) == {"wrongly_final": 1}
    assert found(replace(cancelled, asked=(asked("cancel"),))) == {}
    assert found(Story(item=item("cancelled"), asked=(asked("cancel"),))) == {"wrongly_final": 1}


# Unknown


def unknown(*, reply: Reply = Reply.ACCEPT, hits: object = (), seen: bool = True) -> Story:
    return Story(
        item=item("errored", UNKNOWN, error_kind="outcome_unknown"),
        requests=(request(UNKNOWN, reply),) if seen else (),
        hits=hits,
    )


def test_unknown_that_nothing_explains_is_a_finding() -> None:
    assert found(unknown()) == {"wrongly_final": 1}
    assert found(unknown(seen=False)) == {"wrongly_final": 1}


@pytest.mark.parametrize("reply", [Reply.HANG, Reply.DROP, Reply.HALF, Reply.FAIL])
def test_unknown_is_true_where_the_answer_was_lost(reply: Reply) -> None:
    assert found(unknown(reply=reply)) == {}


@pytest.mark.parametrize("how", ["kill", "stop", "stop long", "terminate, then kill"])
def test_unknown_is_true_where_its_worker_died(how: str) -> None:
    assert found(unknown(hits=(hit("worker-0", how, 100.7, 102.0),))) == {}
    assert found(unknown(hits=(hit("worker-0", how, 100.7, 102.0),), seen=False)) == {}


@pytest.mark.parametrize(
    "excuse",
    [
        hit("worker-0", "terminate", 100.7, 102.0),
        hit("worker-1", "kill", 100.7, 102.0),
        hit("worker-0", "kill", 90.0, 92.0),
        hit("worker-0", "kill", 105.0, 107.0),
        hit("valkey", "kill", 100.7, 102.0),
        hit("postgres", "kill", 100.7, 102.0),
    ],
    ids=lambda hit: f"{hit.target} {hit.how} {hit.at:g}",
)
def test_what_happened_to_somebody_else_or_at_another_time_explains_nothing(excuse) -> None:
    assert found(unknown(hits=(excuse,))) == {"wrongly_final": 1}


def test_unknown_is_true_where_the_claim_of_a_dead_worker_waited_for_a_frozen_database() -> None:
    frozen, killed = hit("postgres", "stop", 94.0, 99.9), hit("web-0", "kill", 95.0, 97.0)
    assert found(unknown(hits=(frozen, killed), seen=False)) == {}
    assert found(unknown(hits=(killed,), seen=False)) == {"wrongly_final": 1}
    early = hit("postgres", "stop", 94.0, 97.0)
    assert found(unknown(hits=(early, killed), seen=False)) == {"wrongly_final": 1}


def test_unknown_is_true_where_the_provider_went_away() -> None:
    assert found(unknown(hits=(hit("postmark", "leave", 100.2, 103.0),), seen=False)) == {}
