"""What one call came to."""

from dataclasses import dataclass
from enum import StrEnum


class RejectKind(StrEnum):
    """The provider's error kinds at the call: the message, the receiver's wish, or our account."""

    REJECTED = "rejected"
    OPTED_OUT = "opted_out"
    CONFIGURATION = "configuration"


@dataclass(frozen=True, slots=True)
class Accepted:
    """The provider took the message. ``final`` means that it will never report on it again."""

    message_id: str | None = None
    text: str = ""
    final: bool = False


@dataclass(frozen=True, slots=True)
class Rejected:
    """The provider refused this message for good; repeating it would be refused again."""

    text: str
    code: str = ""
    kind: RejectKind = RejectKind.REJECTED


@dataclass(frozen=True, slots=True)
class TryLater:
    """The provider asks for another try. ``retry_after`` in seconds, where the provider named one.

    ``may_have_been_sent``: the provider's table does not say that the message was not accepted.
    """

    text: str
    code: str = ""
    retry_after: float | None = None
    may_have_been_sent: bool = False


@dataclass(frozen=True, slots=True)
class NotSent:
    """No byte of the message can have reached the provider; costs no retry."""

    text: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The request was written and no readable answer came: it may have been sent."""

    text: str
    code: str = ""


type Outcome = Accepted | Rejected | TryLater | NotSent | Unknown
