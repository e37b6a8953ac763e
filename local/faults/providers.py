"""The fake providers of a campaign, and their books."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from local.faults import postmark, resend, twilio
from local.faults.desk import Desk, Spring
from local.faults.ledger import Ledger
from local.faults.moods import BY_SMTP, TREATMENTS, Moods
from local.faults.postmark import Postmark
from local.faults.reporting import Reporting
from local.faults.resend import Resend
from local.faults.smtp import Smtp
from local.faults.twilio import Twilio


@dataclass(frozen=True, slots=True)
class Providers:
    ledger: Ledger
    desks: Sequence[Desk]
    postmark: Postmark
    resend: Resend
    twilio: Twilio
    smtp: Smtp

    def calm(self) -> None:
        """From now on they treat every message well."""
        for desk in self.desks:
            desk.moods.calm = True

    def lie_in_wait(self, spring: Spring) -> None:
        """From now on let ``spring`` hit the workers that moods are against."""
        for desk in self.desks:
            desk.spring = spring


@contextlib.asynccontextmanager
async def providers(seed: int, webs: Sequence[str]) -> AsyncGenerator[Providers]:
    """All of them; ``webs`` are the addresses that they report to."""
    ledger, reporting = Ledger(), Reporting(webs, seed)

    def desk(name: str, stories: Sequence[Sequence[str]] = ((),), **words: str) -> Desk:
        treatments = BY_SMTP if name == "smtp" else TREATMENTS
        return Desk(name, ledger, Moods(seed, name, treatments), reporting, stories, words)

    desks = {
        "postmark": desk("postmark", postmark.STORIES, **postmark.WORDS),
        "resend": desk("resend", resend.STORIES, **resend.WORDS),
        "twilio": desk("twilio", twilio.STORIES, **twilio.WORDS),
        "smtp": desk("smtp"),
    }
    async with contextlib.AsyncExitStack() as stack:
        fakes = Providers(
            ledger,
            list(desks.values()),
            postmark=await stack.enter_async_context(Postmark(desks["postmark"])),
            resend=await stack.enter_async_context(Resend(desks["resend"])),
            twilio=await stack.enter_async_context(Twilio(desks["twilio"])),
            smtp=await stack.enter_async_context(Smtp(desks["smtp"])),
        )
        try:
            yield fakes
        finally:
            await reporting.stop()
