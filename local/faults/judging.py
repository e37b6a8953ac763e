"""Does an item tell the truth? Each rule says in words what is wrong, or nothing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from local.faults.excuses import excuse
from local.faults.story import Story

MOVING = frozenset({"queued", "sending", "delayed", "awaiting"})
SAYS_SENT = frozenset({"succeeded", "unconfirmed", "awaiting"})
OUR_DOUBTS = frozenset({"outcome_unknown", "retries_exhausted", "poisoned", "unforeseen"})
NEVER = frozenset({"poisoned", "unforeseen", "configuration", "opted_out"})
"""Errors that nothing in a campaign gives a reason for."""

LOST, DUPLICATED, STUCK, WRONG = "lost", "duplicated", "stuck", "wrongly_final"
KINDS = (LOST, DUPLICATED, STUCK, WRONG)


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with an item; ``count`` copies, or one."""

    kind: str
    text: str
    story: Story | None = None
    count: int = 1


type Rule = Callable[[Story], str | None]


def judge(story: Story) -> list[Finding]:
    """What is wrong with one item: at most one finding of each kind."""
    found: dict[str, Finding] = {}
    extra = count_extra(story)
    if extra:
        text = f"the providers took {extra} more than was asked for"
        found[DUPLICATED] = Finding(DUPLICATED, text, story, extra)
    for kind, rule in RULES:
        text = rule(story)
        if text:
            found.setdefault(kind, Finding(kind, text, story))
    return list(found.values())


def count_extra(story: Story) -> int:
    """Messages taken beyond the first, beyond a person's retries and retries marked doubtful."""
    allowed = 1 + count_retries(story) + count_doubtful(story)
    return max(0, len(story.taken()) - allowed)


def count_retries(story: Story) -> int:
    """Retries by a person; no more than were asked for, whatever the history says."""
    said = sum(m.transition == "retry" and m.actor == story.person for m in story.item.moves)
    asked = sum(one.what == "retry" and not one.refused for one in story.asked)
    return min(said, asked)


def count_doubtful(story: Story) -> int:
    """Attempts that were begun by themselves after one that is marked as maybe sent."""
    attempts = {attempt.id: attempt for attempt in story.item.attempts}
    by_number = {attempt.number: attempt for attempt in story.item.attempts}
    begun = [m for m in story.item.moves if m.transition == "send" and m.before == "delayed"]
    counted = 0
    for move in begun:
        attempt = attempts.get(move.attempt) if move.attempt else None
        before = by_number.get(attempt.number - 1) if attempt else None
        counted += before is not None and before.outcome == "try_later" and before.doubtful
    return counted


# Duplicated


def attempt_is_taken_twice(story: Story) -> str | None:
    """One attempt hands its message over once, whoever retries the item."""
    for attempt in story.item.attempts:
        taken = [r for r in story.taken() if story.attempt_of(r) is attempt]
        if len(taken) > 1:
            return f"attempt {attempt.number} was taken {len(taken)} times"
    return None


# Lost


def says_sent_and_nobody_took_it(story: Story) -> str | None:
    if story.state in SAYS_SENT and not story.taken():
        return f"it is {story.state}, and no provider ever took it"
    return None


# Stuck


def moves_for_ever(story: Story) -> str | None:
    if story.state in MOVING:
        return f"it is still {story.state}"
    if story.item.error_kind == "publish_failed":
        return "it was never published"
    return None


def event_is_not_applied(story: Story) -> str | None:
    waiting = [event.status for event in story.item.events if not event.applied]
    return f"reports were not applied: {', '.join(waiting)}" if waiting else None


# Wrongly final


def attempt_denies_what_was_taken(story: Story) -> str | None:
    """One attempt that admits it is enough, where several were at one message."""
    for request in story.taken():
        attempt = story.attempt_of(request)
        if attempt is None:
            return "a provider took it in an attempt that no row knows"
        alike = [r for r in story.requests if r.message == request.message]
        attempts = [found for r in alike if (found := story.attempt_of(r)) is not None]
        if not any(one.admits for one in attempts):
            return f"attempt {attempt.number} says {attempt.outcome}, and the provider took it"
    return None


def is_early(story: Story) -> str | None:
    early = [story.due - request.at for request in story.requests if request.at < story.due]
    return f"it was sent {max(early):.2f} s before its time" if early else None


def attempt_boasts(story: Story) -> str | None:
    for attempt in story.item.attempts:
        took = any(request.taken for request in story.requests_in(attempt))
        if attempt.outcome == "accepted" and not took:
            return f"attempt {attempt.number} says accepted, and the provider did not take it"
    return None


def success_is_not_reported(story: Story) -> str | None:
    if story.state != "succeeded" or story.was_delivered():
        return None
    by_smtp = any(request.provider == "smtp" and request.taken for request in story.requests)
    return None if by_smtp else "it is succeeded, and nobody reported so"


def failure_is_not_reported(story: Story) -> str | None:
    failed = any(told.word == "failed" and told.heard for told in story.told)
    if story.item.error_kind == "reported" and not failed:
        return "it is errored as reported, and nobody reported so"
    return None


def delivery_is_not_believed(story: Story) -> str | None:
    doubted = story.item.error_kind in OUR_DOUBTS or story.state == "unconfirmed"
    if doubted and story.was_delivered():
        return f"it was delivered, and it is {story.item.error_kind or story.state}"
    return None


def failure_is_not_believed(story: Story) -> str | None:
    """What failed may still be delivered by another attempt, if it is an SMS."""
    excused = story.item.method == "sms" and story.was_delivered()
    if story.has_failed() and not excused and story.state in ("succeeded", "unconfirmed"):
        return f"its failure was reported, and it is {story.state}"
    return None


def refusal_is_invented(story: Story) -> str | None:
    kind = story.item.error_kind
    if kind in NEVER:
        return f"it is errored as {kind}, and there was no reason for that"
    attempt = story.current()
    if kind == "rejected" and attempt is not None:
        replies = {request.treatment.reply for request in story.requests_in(attempt)}
        if "refuses" not in replies:
            return "it is errored as rejected, and the provider did not refuse it"
    return None


def nobody_cancelled(story: Story) -> str | None:
    cancelled = any(m.transition == "cancel" and m.actor == story.person for m in story.item.moves)
    asked = any(one.what == "cancel" and not one.refused for one in story.asked)
    if story.state == "cancelled" and not (cancelled and asked):
        return "it is cancelled, and nobody asked for that"
    return None


def unknown_without_reason(story: Story) -> str | None:
    if not story.unknown:
        return None
    attempt = story.current()
    if attempt is None:
        return "its outcome is unknown, and it has no attempt"
    if excuse(story, attempt) is None:
        return f"the outcome of attempt {attempt.number} is unknown, and nothing explains why"
    return None


RULES: Sequence[tuple[str, Rule]] = (
    (DUPLICATED, attempt_is_taken_twice),
    (LOST, says_sent_and_nobody_took_it),
    (STUCK, moves_for_ever),
    (STUCK, event_is_not_applied),
    (WRONG, attempt_denies_what_was_taken),
    (WRONG, is_early),
    (WRONG, attempt_boasts),
    (WRONG, success_is_not_reported),
    (WRONG, failure_is_not_reported),
    (WRONG, delivery_is_not_believed),
    (WRONG, failure_is_not_believed),
    (WRONG, refusal_is_invented),
    (WRONG, nobody_cancelled),
    (WRONG, unknown_without_reason),
)
