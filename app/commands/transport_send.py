"""``arvel transport:send``"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import ClassVar, cast, override

from app.commands.answers import NOT_FOUND, OK, Answer, BadInput
from app.commands.given import read_person
from app.commands.offered import read_offer
from app.commands.queued import show_queued
from app.items import add_email, add_sms
from app.items.channels import through
from app.models.queue_item import QueueItem
from app.settings import AppSettings, DispatchSettings
from app.transports.allowed import may_reach
from app.transports.channels import current

SUBJECT = "A test of Pillarbox"
TEXT = "This message shows that Pillarbox can send through {name}. It was queued at {time} UTC."


class TransportSend(Answer):
    # A shortcut may begin with a hyphen too: the one way to options that are no Python names.
    signature: str = "transport:send {name} {--to=} {---from|sender=}"
    description: str = (
        "Queue a test message that goes through this provider, whichever is in use: --to somebody,"
        " --from a sender that the provider knows (for Twilio its own number by default). A worker"
        " sends it, and it is listed as any other. Outside production only to receivers that"
        " DISPATCH_ALLOW_REAL names."
    )
    options: ClassVar[Mapping[str, str]] = {"sender": "--from", "receiver": "--to"}

    @override
    async def answer(self) -> int:
        offer = read_offer(cast("str", self.argument("name")))
        to = self.text_of("to")
        if not to:
            raise BadInput("--to is missing: name who is to get the message.")
        method, name = offer.facts.method, offer.name
        channels = current()
        if name not in (channels.email if method == "email" else channels.sms):
            self.error(f"{name} is not configured: `arvel transport:list` shows what is missing.")
            return NOT_FOUND
        kind = "email" if method == "email" else "cell"
        if not is_allowed(read_person(to, kind)[kind]):
            self.error(f"Nothing was queued: {NOT_ALLOWED}")
            return NOT_FOUND
        with through(name):
            show_queued(self, await self.queue(name, method, to))
        return OK

    async def queue(self, name: str, method: str, to: str) -> Sequence[QueueItem]:
        text = TEXT.format(name=name, time=f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S}")
        sender = self.text_of("sender")
        if method == "sms":
            person = read_person(sender, "cell")
            return [await add_sms(sender=person, receiver=read_person(to, "cell"), body=text)]
        return await add_email(
            sender=read_person(sender, "email"),
            to=[read_person(to, "email")],
            subject=SUBJECT,
            text=text,
            html=f"<p>{text}</p>",
        )


NOT_ALLOWED = (
    "this receiver must not be reached from here. Set APP_ENV=production, or name the receiver in"
    " DISPATCH_ALLOW_REAL."
)


def is_allowed(address: str) -> bool:
    settings = DispatchSettings()
    try:
        return may_reach(address, production=AppSettings().production, allow=settings.allow_real)
    except ValueError:
        # No address at all: composing says what is wrong with it.
        return True
