"""Whoever asks for something: a person, or a token on a person's behalf."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a token may send besides what its permissions say; empty and ``None`` mean no bound.

    ``senders`` are addresses, ``@domains`` and numbers. ``sms_prefixes`` begin with ``+``. Caps
    count queue items, ``daily_cap`` those of 24 hours. ``max_receivers`` are those of one request.
    """

    senders: tuple[str, ...] = ()
    sms_prefixes: tuple[str, ...] = ()
    hourly_cap: int | None = None
    daily_cap: int | None = None
    max_receivers: int | None = None


@dataclass(frozen=True, slots=True)
class Caller:
    """``permissions`` are those of the token that its owner has too.

    ``actor`` is how the history names the caller: ``owner/token``, or the user's name alone.
    """

    user_id: UUID
    token_id: UUID | None
    actor: str
    permissions: frozenset[str]
    bounds: Bounds = Bounds()

    def may(self, *permissions: str) -> bool:
        """Whether the caller has all of these."""
        return self.permissions.issuperset(permissions)
