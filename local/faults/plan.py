"""What happens in a campaign and when: all of it follows from the seed."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from local.faults.chance import chance_of

EMAIL_CHANNELS = ("smtp", "http")
BURST = 0.08
"""How often a message comes together with many others."""


@dataclass(frozen=True, slots=True)
class Message:
    """One request of a client; ``receivers`` get an item each. ``attached`` in bytes.

    It is to be sent ``later`` than it is asked for by so many seconds at least.
    """

    at: float
    number: int
    channel: str
    receivers: int
    priority: str
    attached: int
    later: float = 0.0

    @property
    def method(self) -> str:
        return "email" if self.channel in EMAIL_CHANNELS else "sms"


@dataclass(frozen=True, slots=True)
class Blow:
    """Something is hit at a time, and is away for so many seconds."""

    at: float
    target: str
    how: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Act:
    """An operator decides about an item; ``draw`` from 0 to 1 chooses among those there are."""

    at: float
    what: str
    draw: float
    confirm: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything, each kind in the order of its time."""

    messages: tuple[Message, ...]
    blows: tuple[Blow, ...]
    acts: tuple[Act, ...]

    @property
    def items(self) -> int:
        return sum(message.receivers for message in self.messages)


@dataclass(frozen=True, slots=True)
class Target:
    """What is hit every ``every`` seconds on average: how, and for how long at most."""

    every: float
    hows: Mapping[str, float]


PROCESS = {"kill": 3.0, "stop": 4.0, "stop long": 20.0, "terminate": 3.0}
TARGETS = {
    "worker-0": Target(16, PROCESS),
    "worker-1": Target(16, PROCESS),
    "web-0": Target(25, PROCESS),
    "web-1": Target(25, PROCESS),
    "valkey": Target(25, {"kill": 3.0, "forget": 3.0, "stop": 6.0, "terminate": 3.0}),
    "postgres": Target(30, {"kill": 2.0, "stop": 6.0, "terminate": 2.0}),
    "postmark": Target(60, {"leave": 4.0, "go deaf": 4.0}),
    "resend": Target(60, {"leave": 4.0, "go deaf": 4.0}),
    "smtp": Target(60, {"leave": 4.0}),
}
ACTS = {"retry": 4, "cancel": 2, "resend": 2, "retry many": 1, "retry all": 0.3}
ACT_EVERY = 2.0


LATEST = 2.0
"""Seconds after the end when everything that was hit is back."""


def draw(seed: int, seconds: float, rate: float) -> Plan:
    """The plan of a campaign in which so many items a second are sent for so many seconds."""
    return Plan(
        tuple(_messages(chance_of(seed, "messages"), seconds, rate)),
        tuple(sorted(_blows(seed, seconds), key=lambda blow: blow.at)),
        tuple(_acts(chance_of(seed, "acts"), seconds)),
    )


def _messages(chance: random.Random, seconds: float, rate: float) -> Iterator[Message]:
    at, number = chance.expovariate(rate), 0
    while at < seconds:
        together = chance.randint(5, 25) if chance.random() < BURST else 1
        for _ in range(together):
            yield _message(chance, at, number)
            number += 1
        at += sum(chance.expovariate(rate) for _ in range(together))


def _message(chance: random.Random, at: float, number: int) -> Message:
    channel = chance.choice((*EMAIL_CHANNELS, "twilio"))
    return Message(
        at=at,
        number=number,
        channel=channel,
        receivers=1 if channel == "twilio" or chance.random() < 0.9 else 2,
        priority=chance.choices(("high", "default", "bulk"), (1, 3, 1))[0],
        attached=0 if channel == "twilio" or chance.random() < 0.9 else chance.randint(1, 50_000),
        later=0.0 if chance.random() < 0.9 else chance.uniform(1, 10),
    )


def _blows(seed: int, seconds: float) -> Iterator[Blow]:
    for name, target in TARGETS.items():
        chance = chance_of(seed, name)
        at = chance.expovariate(1 / target.every)
        while at < seconds:
            how = chance.choice(list(target.hows))
            away = min(chance.uniform(0.05, target.hows[how]), seconds + LATEST - at)
            yield Blow(at, name, how, away)
            at += away + chance.expovariate(1 / target.every)


def _acts(chance: random.Random, seconds: float) -> Iterator[Act]:
    at = chance.expovariate(1 / ACT_EVERY)
    while at < seconds:
        what = chance.choices(list(ACTS), list(ACTS.values()))[0]
        yield Act(at, what, chance.random(), chance.random() < 0.6)
        at += chance.expovariate(1 / ACT_EVERY)
