"""How a provider treats the n-th message to a receiver, and what it reports later: by the seed."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from local.faults.chance import chance_of


class Reply(StrEnum):
    """What is answered, if anything."""

    ACCEPT = "accepts"
    BUSY = "is busy"
    FAIL = "fails"
    REFUSE = "refuses"
    HANG = "hangs"
    DROP = "drops the connection"
    HALF = "answers half"


CLEAR = frozenset({Reply.ACCEPT, Reply.BUSY, Reply.REFUSE})
"""What tells the sender whether the message was taken."""


@dataclass(frozen=True, slots=True)
class Treatment:
    """``takes``: the message is taken, whatever is answered."""

    takes: bool
    reply: Reply

    @property
    def clear(self) -> bool:
        return self.reply in CLEAR


TREATMENTS = {
    Treatment(True, Reply.ACCEPT): 70,
    Treatment(False, Reply.BUSY): 6,
    Treatment(False, Reply.FAIL): 4,
    Treatment(True, Reply.FAIL): 3,
    Treatment(False, Reply.REFUSE): 3,
    Treatment(False, Reply.HANG): 2,
    Treatment(True, Reply.HANG): 3,
    Treatment(False, Reply.DROP): 3,
    Treatment(True, Reply.DROP): 3,
    Treatment(True, Reply.HALF): 3,
}
BY_SMTP = {
    treatment: weight
    for treatment, weight in TREATMENTS.items()
    if treatment.reply not in (Reply.FAIL, Reply.HALF)
}
FINE = Treatment(True, Reply.ACCEPT)
PATIENCE = 4
"""From this message to a receiver on, nothing goes wrong any more."""


@dataclass(frozen=True, slots=True)
class Ambush:
    """Something is hit while a worker waits for an answer: ``ASKER`` is that worker itself."""

    target: str
    how: str
    seconds: float


ASKER = "asker"
AMBUSHES = {
    (ASKER, "kill", 3.0): 5,
    (ASKER, "stop", 12.0): 3,
    (ASKER, "terminate", 3.0): 2,
    ("postgres", "kill", 2.0): 1,
    ("postgres", "stop", 6.0): 1,
    ("valkey", "forget", 2.0): 1,
}
"""What is hit, how, and for how many seconds at most."""

AMBUSHED = 0.05
"""How often."""


@dataclass(frozen=True, slots=True)
class Mood:
    """``latency`` in seconds; the message is taken before it, or ``late``: after it.

    ``ambush`` is sprung when the message is taken, or isn't, and before that is told.
    """

    treatment: Treatment
    latency: float
    late: bool
    ambush: Ambush | None = None


@dataclass(frozen=True, slots=True)
class Report:
    """A report so many seconds after the one before; the first may come before the answer."""

    name: str
    after: float


class Moods:
    """The moods of one provider; once it is ``calm`` it treats everybody well."""

    def __init__(
        self, seed: int, provider: str, treatments: Mapping[Treatment, int] = TREATMENTS
    ) -> None:
        self._seed = seed
        self._provider = provider
        self._treatments = treatments
        self._seen: dict[str, int] = {}
        self.calm = False

    def next(self, receiver: str) -> tuple[Mood, random.Random]:
        """The mood for the next message to a receiver, and what else is left to chance."""
        number = self._seen[receiver] = self._seen.get(receiver, 0) + 1
        chance = chance_of(self._seed, self._provider, receiver, number)
        drawn = chance.choices(list(self._treatments), list(self._treatments.values()))[0]
        latency = chance.uniform(0.5, 2.5) if chance.random() < 0.3 else chance.uniform(0, 0.3)
        late = chance.random() < 0.5
        ambush = draw_ambush(chance)
        if self.calm or number >= PATIENCE:
            return Mood(FINE, min(latency, 0.3), late), chance
        return Mood(drawn, latency, late, ambush), chance


def draw_ambush(chance: random.Random) -> Ambush | None:
    if chance.random() >= AMBUSHED:
        return None
    target, how, longest = chance.choices(list(AMBUSHES), list(AMBUSHES.values()))[0]
    return Ambush(target, how, chance.uniform(0.05, longest))


def reports(chance: random.Random, stories: Sequence[Sequence[str]]) -> list[Report]:
    """One of these stories as it is told: sometimes twice, sometimes out of order."""
    told = list(chance.choice(stories))
    if told and chance.random() < 0.25:
        told.append(chance.choice(told))
    if chance.random() < 0.25:
        chance.shuffle(told)
    return [Report(name, chance.uniform(0, 2) ** 2 / 2) for name in told]
