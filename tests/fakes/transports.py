"""A transport that answers as a test wants it to, for what real servers can't be made to do."""

from collections.abc import Awaitable, Callable

from app.transports.channels import Channels
from app.transports.contract import (
    Accepted,
    AttemptRef,
    CannotTell,
    Facts,
    Go,
    LookUp,
    OutboundEmail,
    OutboundSms,
    Outcome,
)

type Message = OutboundEmail | OutboundSms
type Behaviour = Callable[[Message, Go], Awaitable[Outcome]]


async def accept(message: Message, go: Go) -> Outcome:
    go()
    return Accepted(f"message of {message.attempt_id}")


class Scripted:
    """Does what ``behaviour`` says and keeps what it was given."""

    def __init__(self, method: str = "email", behaviour: Behaviour = accept) -> None:
        self.facts = Facts(name="sandbox", method=method)
        self.behaviour = behaviour
        self.sent: list[Message] = []

    async def send(self, message: Message, go: Go) -> Outcome:
        outcome = await self.behaviour(message, go)
        self.sent.append(message)
        return outcome

    async def find(self, attempt: AttemptRef) -> LookUp:
        return CannotTell()

    async def status(self, message_id: str) -> LookUp:
        return CannotTell()

    async def close(self) -> None:
        """Holds nothing."""


def scripted_channels(transport: Scripted) -> Channels:
    """Channels with this one transport, under the name ``sandbox``."""
    channels = Channels()
    (channels.email if transport.facts.method == "email" else channels.sms)["sandbox"] = transport
    return channels


async def find_nothing(_attempt: object) -> LookUp:
    """A provider that can't be asked."""
    return CannotTell("nobody to ask")
