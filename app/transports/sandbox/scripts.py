"""What the sandbox plays for each of its receivers, as data."""

import re
from dataclasses import dataclass

from app.transports.contract import EventType

DOMAIN = "sandbox.example"
NUMBER = re.compile(r"\+1555010000(\d)")


@dataclass(frozen=True, slots=True)
class Script:
    """``early`` is reported before the call is answered, ``reports`` after it, in this order.

    ``rests_in`` is the state in which an item for this receiver comes to rest.
    """

    rests_in: str
    reports: tuple[EventType, ...] = ()
    early: tuple[EventType, ...] = ()
    refused: bool = False


E = EventType

SCRIPTS: dict[str, Script] = {
    "delivered": Script("succeeded", (E.SENT, E.DELIVERED)),
    "bounced": Script("errored", (E.SENT, E.BOUNCED)),
    "deferred": Script("succeeded", (E.DEFERRED, E.DELIVERED)),
    "rejected": Script("errored", refused=True),
    "silent": Script("unconfirmed"),
    "early": Script("succeeded", early=(E.DELIVERED,)),
    "repeated": Script("succeeded", (E.DELIVERED, E.DELIVERED, E.DELIVERED)),
    "shuffled": Script("succeeded", (E.DELIVERED, E.SENT, E.QUEUED)),
}
"""The receivers ``NAME@sandbox.example`` (also ``NAME+anything@…``) and, in this order,
``+15550100000`` to ``+15550100007``."""


def name_for(receiver: str) -> str | None:
    """The script's name for a magic receiver; ``None`` for any other one."""
    number = NUMBER.fullmatch(receiver)
    if number:
        names = list(SCRIPTS)
        position = int(number.group(1))
        return names[position] if position < len(names) else None
    local, _, domain = receiver.lower().rpartition("@")
    name = local.partition("+")[0]
    return name if domain == DOMAIN and name in SCRIPTS else None


def is_magic(receiver: str) -> bool:
    """Whether the sandbox has this receiver: it is nobody real, so it may always be reached."""
    return name_for(receiver) is not None


def script_for(receiver: str) -> Script:
    """The receiver's script; a real receiver that is not reached from here counts as delivered."""
    return SCRIPTS[name_for(receiver) or "delivered"]
