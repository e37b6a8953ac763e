"""Dead letters: what is written into them, and how they come back."""

import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast
from uuid import UUID

import msgspec
from arvel.kernel import app
from arvel.queue import Job

from app.items.operate import Applied, NotApplied
from app.models.queries import dead_letters
from app.models.queries.dead_letters import Letter
from app.models.queries.operate import Decision
from app.worker import admitted
from app.worker.guard import Guard, KnownJob
from app.worker.names import LABELS
from app.worker.payloads import narrowed
from app.worker.refusal import Refused

type LetterRule = Callable[[Letter, KnownJob, Decision], Awaitable[Applied | None]]
"""How a letter of a class of jobs is revived and removed, and what came of its item, if it is about
one; raises ``LetterRefused`` if it is not revived."""

type Publish = Callable[[str, str], Awaitable[bool]]
"""Publishes a payload on a queue; whether that worked."""

OPERATOR = "queue:retry"
GONE = "The dead letter is gone: somebody else has retried or discarded it."
UNREACHABLE = "The queue can't be reached, so the dead letter stays. Try again when Redis answers."
ATTEMPTS = "__arvel_attempts__"
SHOWN = 20
"""So many refusals are shown one by one; the others are counted."""


class LetterRefused(Exception):
    """A dead letter that is not revived; the text says why and what to do.

    ``item_id`` and ``because``: the item that it is about, and what stands against retrying that.
    """

    def __init__(
        self, text: str, item_id: UUID | None = None, because: NotApplied | None = None
    ) -> None:
        super().__init__(text)
        self.item_id = item_id
        self.because = because


class LetterGone(LetterRefused):
    """The letter is there no more, or its item isn't."""


class LetterUndelivered(LetterRefused):
    """The queue can't be reached at the moment."""


class Letters:
    """``rules`` says, by class of jobs, what reviving means where it is more than publishing."""

    def __init__(self, guard: Guard, publish: Publish) -> None:
        self._guard = guard
        self._publish = publish
        self.rules: dict[type[Job], LetterRule] = {}
        self.tell: Callable[[str], None] = tell_on_stderr

    async def revive(self, letter_id: str) -> list[Letter]:
        """The letter of this id, revived; nothing when there is none.

        Raises:
            LetterRefused: it is not revived, and stays.
        """
        letter = await dead_letters.find(UUID(letter_id)) if _is_id(letter_id) else None
        if letter is None:
            return []
        await self._revive(letter, Decision(OPERATOR))
        return [letter]

    async def decide(self, letter_id: UUID, decision: Decision) -> Applied | None:
        """Revive a letter by somebody's decision; what came of its item, if it is about one.

        Raises:
            LetterGone: there is no such letter (any more).
            LetterRefused: it is not revived, and stays.
        """
        letter = await dead_letters.find(letter_id)
        if letter is None:
            raise LetterGone(GONE)
        return await self._revive(letter, decision)

    async def revive_all(self) -> list[Letter]:
        """The letters that could be revived; the others stay, and whoever asked is told of them.

        Raises:
            LetterRefused: none could be, for the reason of the first one.
        """
        revived, refusals = await self.revive_each()
        if refusals and not revived:
            raise LetterRefused(f"None of {len(refusals)} was retried. The first: {refusals[0]}")
        if refusals:
            self.tell(describe_refusals(refusals))
        return revived

    async def revive_each(self) -> tuple[list[Letter], list[str]]:
        """The letters that could be revived, and for each other one the reason why it stays."""
        revived: list[Letter] = []
        refusals: list[str] = []
        for letter in await dead_letters.every():
            try:
                await self._revive(letter, Decision(OPERATOR))
                revived.append(letter)
            except LetterRefused as refused:
                refusals.append(str(refused))
        return revived, refusals

    async def _revive(self, letter: Letter, decision: Decision) -> Applied | None:
        try:
            job = self._guard.check(letter.payload)
        except Refused as refused:
            raise LetterRefused(f"The dead letter {letter.id} is not retried. {refused}") from None
        rule = self.rules.get(job.job_cls, self._publish_again)
        return await rule(letter, job, decision)

    async def _publish_again(self, letter: Letter, _job: KnownJob, _decision: Decision) -> None:
        label = letter.label if letter.label in LABELS else "default"
        # Whoever comes second waits here until the first has published it, or has failed to.
        async with app().make("db").transaction():
            if not await dead_letters.take(letter.id):
                raise LetterGone(GONE)
            if not await self._publish(_afresh(letter.payload), label):
                raise LetterUndelivered(UNREACHABLE)


def tell_on_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def describe_refusals(refusals: Sequence[str]) -> str:
    """How many letters were not retried, and why for the first of them."""
    shown = [f"  {refusal}" for refusal in refusals[:SHOWN]]
    hidden = len(refusals) - len(shown)
    more = [f"  … and {hidden:,} more."] if hidden else []
    return "\n".join([f"Not retried: {len(refusals):,}", *shown, *more])


class Watch:
    """Watches arvel's model of dead letters: how it writes them, and what it would decode."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def creating(self, letter: Any) -> None:
        admitted.insist(json.loads(letter.payload)["job"])
        letter.payload = narrowed(letter.payload, self._guard.carried)
        letter.exception = _told(sys.exception(), letter.exception)

    def retrieved(self, letter: Any) -> None:
        """Keep a payload that must not run from ``FailedJob.retry()``, which decodes it."""
        try:
            self._guard.check(letter.payload)
        except Refused:
            letter.payload = msgspec.json.encode({"job": REFUSED, "state": {}}).decode()


class RefusedLetter(Job):
    """Stands in for a job that must not run; publishing it is refused."""


REFUSED = f"{RefusedLetter.__module__}:{RefusedLetter.__qualname__}"


def _told(error: BaseException | None, text: str) -> str:
    # Texts of libraries quote addresses and content; ours don't.
    ours = error is None or type(error).__module__.partition(".")[0] == "app"
    return text if ours else type(error).__name__


def _afresh(payload: str) -> str:
    content = cast("dict[str, Any]", json.loads(payload))
    if ATTEMPTS in content.get("state", {}):
        content["state"][ATTEMPTS] = 0
    return msgspec.json.encode(content).decode()


def _is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
