"""The fake providers of a campaign, and their books."""

import contextlib
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass

from local.faults import postmark, twilio
from local.faults.desk import Desk
from local.faults.ledger import Ledger
from local.faults.moods import BY_SMTP, TREATMENTS, Moods
from local.faults.postmark import Postmark
from local.faults.reporting import Reporting
from local.faults.smtp import Smtp
from local.faults.twilio import Twilio


@dataclass(frozen=True, slots=True)
class Providers:
    ledger: Ledger
    moods: Sequence[Moods]
    postmark: Postmark
    twilio: Twilio
    smtp: Smtp

    def calm(self) -> None:
        """From now on they treat every message well."""
        for moods in self.moods:
            moods.calm = True


@contextlib.asynccontextmanager
async def providers(seed: int, webs: Sequence[str]) -> AsyncGenerator[Providers]:
    """All three of them; ``webs`` are the addresses that they report to."""
    ledger, reporting = Ledger(), Reporting(webs, seed)

    def desk(name: str, stories: Sequence[Sequence[str]] = ((),), **words: str) -> Desk:
        treatments = BY_SMTP if name == "smtp" else TREATMENTS
        return Desk(name, ledger, Moods(seed, name, treatments), reporting, stories, words)

    desks = (
        desk("postmark", postmark.STORIES, **postmark.WORDS),
        desk("twilio", twilio.STORIES, **twilio.WORDS),
        desk("smtp"),
    )
    async with (
        Postmark(desks[0]) as by_http,
        Twilio(desks[1]) as by_phone,
        Smtp(desks[2]) as by_mail,
    ):
        try:
            yield Providers(ledger, [d.moods for d in desks], by_http, by_phone, by_mail)
        finally:
            await reporting.stop()
