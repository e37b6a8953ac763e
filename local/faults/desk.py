"""What the providers of a campaign have in common: moods, books, reports."""

import asyncio
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from local.faults.ledger import Ledger, Request, Told
from local.faults.moods import Ambush, Mood, Moods, Treatment, reports
from local.faults.reporting import Post, Reporting

type Stories = Sequence[Sequence[str]]
type Spring = Callable[[Ambush, str], None]
"""Springs an ambush on a worker."""


@dataclass
class Visit:
    """One message on the desk."""

    entry: Request
    mood: Mood
    chance: random.Random
    spring: Spring

    def treat(self, treatment: Treatment) -> None:
        """Treat it otherwise than the mood would."""
        self.entry.treatment = treatment
        self.mood = replace(self.mood, treatment=treatment)

    async def weigh(self, take: Callable[[], None]) -> None:
        """Let the time pass that the provider needs, and take the message if it is to be taken."""
        if self.mood.late:
            await asyncio.sleep(self.mood.latency)
        if self.mood.treatment.takes:
            self.entry.taken = time.time()
            take()
        if self.mood.ambush is not None:
            self.spring(self.mood.ambush, self.entry.worker)
        if not self.mood.late:
            await asyncio.sleep(self.mood.latency)


@dataclass
class Desk:
    """``words``: what reports amount to; all others say that a message is in flight."""

    provider: str
    ledger: Ledger
    moods: Moods
    reporting: Reporting
    stories: Stories = ((),)
    words: Mapping[str, str] = field(default_factory=dict[str, str])
    spring: Spring = lambda _ambush, _worker: None

    def open(self, receiver: str, item: UUID, attempt: UUID | None, worker: str) -> Visit:
        mood, chance = self.moods.next(receiver)
        entry = Request(time.time(), self.provider, item, attempt, worker, mood.treatment)
        self.ledger.requests.append(entry)
        return Visit(entry, mood, chance, self.spring)

    def tell(self, visit: Visit, post: Post) -> list[Told]:
        """Report on a message that was taken; what will be said."""
        planned = reports(visit.chance, self.stories)
        told = [self._told(visit.entry, report.name) for report in planned]
        self.ledger.told.extend(told)
        self.reporting.tell(zip((report.after for report in planned), told, strict=True), post)
        return told

    def _told(self, entry: Request, name: str) -> Told:
        return Told(entry.item, entry.message, name, self.words.get(name, "in_flight"))
