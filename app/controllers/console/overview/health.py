"""Healthy or not, in one sentence: the first of these that holds."""

from collections.abc import Callable
from dataclasses import dataclass

from app.controllers.console.overview.reading import Numbers
from app.controllers.console.times import exact, span
from app.controllers.console.words import number

LATE = 60.0
"""Seconds that a due message may wait before somebody is told."""

SHARE, FEW = 0.8, 10
"""Below this share of accepted attempts, of at least so many, a provider is in trouble."""

GOOD, WAITS, WRONG = "good", "waits", "wrong"


@dataclass(frozen=True, slots=True)
class Verdict:
    kind: str
    text: str
    advice: str = ""


type Rule = Callable[[Numbers], Verdict | None]


def judge(numbers: Numbers) -> Verdict:
    found = (rule(numbers) for rule in RULES)
    return next((verdict for verdict in found if verdict is not None), _well(numbers))


def oldest(numbers: Numbers) -> float:
    return max(numbers.oldest.values(), default=0.0)


def _nobody_works(numbers: Numbers) -> Verdict | None:
    if numbers.alive:
        return None
    text = "Nothing is sent: no worker is alive."
    return Verdict(WRONG, text, "Start one with arvel dispatch:work. What is queued stays queued.")


def _paused(numbers: Numbers) -> Verdict | None:
    if not numbers.paused:
        return None
    names = " and ".join(channel.name for channel in numbers.paused)
    until = numbers.paused[0].until
    end = f"until {exact(until)}" if until else "until somebody resumes it"
    return Verdict(WAITS, f"Messages wait: {names} is paused {end}.", "Nothing is lost by it.")


def _late(numbers: Numbers) -> Verdict | None:
    waiting = oldest(numbers)
    if waiting < LATE:
        return None
    text = f"Messages wait: the oldest is due since {span(waiting)}."
    advice = "Workers may be too few or too slow: arvel dispatch:doctor says more."
    return Verdict(WAITS, text, advice)


def _refused(numbers: Numbers) -> Verdict | None:
    for name, row in numbers.providers.items():
        if row["attempts"] >= FEW and row["accepted"] < SHARE * row["attempts"]:
            share = row["accepted"] / row["attempts"]
            text = f"{name} accepts only {share:.0%} of what it is given."
            return Verdict(WRONG, text, "See below what it says, and its own status page.")
    return None


def _unread(numbers: Numbers) -> Verdict | None:
    if not numbers.slow:
        return None
    return Verdict(WAITS, "There is so much that some of it could not be counted in time.")


def _well(numbers: Numbers) -> Verdict:
    delivered = sum((numbers.moves or {}).get("succeeded", []))
    waiting = oldest(numbers)
    wait = f"the oldest waits {span(waiting)}" if waiting >= 1 else "nothing waits"
    return Verdict(GOOD, f"All is well: {number(delivered)} delivered in the last hour, {wait}.")


RULES: tuple[Rule, ...] = (_nobody_works, _paused, _refused, _late, _unread)
