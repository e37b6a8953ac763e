"""Trying an account without sending anything."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from app.transports.contract.asking import CannotTell


@dataclass(frozen=True, slots=True)
class Works:
    """The provider was reached and took our credentials. ``text`` says what that rests on."""

    text: str


@dataclass(frozen=True, slots=True)
class Fails:
    """It was not reached, or refused us. ``text`` says which, and holds no secret."""

    text: str


type Check = Works | Fails | CannotTell


@runtime_checkable
class Checkable(Protocol):
    """A transport whose provider has a call that changes nothing."""

    async def check(self) -> Check:
        """Never raises for what a provider answers, or for silence."""
        ...
