"""``arvel transport:check``"""

from typing import cast, override

from app.commands.answers import OK, Answer, plain
from app.commands.offered import read_offer
from app.transports.catalogue import Offer
from app.transports.contract import CannotTell, Check, Checkable, Fails, Works

FAILS = 1
CANNOT_TELL = 3


class TransportCheck(Answer):
    signature: str = "transport:check {name}"
    description: str = (
        "Reach a provider with the configured credentials, without sending anything: SMTP connects,"
        " encrypts and logs in; the others are asked something that changes nothing. Needs neither"
        " database nor broker. Exit code 1: it doesn't work; 3: the provider can't be asked that."
    )

    @override
    async def answer(self) -> int:
        offer = read_offer(cast("str", self.argument("name")))
        match await check(offer):
            case Works(text):
                self.line(plain(text))
                return OK
            case Fails(text):
                self.error(plain(text))
                return FAILS
            case CannotTell(text):
                self.error(plain(f"{text} Whether it works shows only when something is sent."))
                return CANNOT_TELL


async def check(offer: Offer) -> Check:
    try:
        transport = offer.build()
    except ValueError as refusal:
        return Fails(str(refusal))
    try:
        if isinstance(transport, Checkable):
            return await transport.check()
        return CannotTell(f"{offer.title} can't be checked.")
    finally:
        await transport.close()
