"""What the conformance suite asks of the fake of a provider, and how it sends to it."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import pytest

from app.transports.contract import Address, EmailTransport, LeaseOver, Outcome
from tests.providers.emails import an_email

PATIENT = 20.0
"""A limit for one call, in seconds, that no test here is meant to reach."""


class Behaviour(StrEnum):
    """What the provider does with the next messages."""

    ACCEPT = "accepts"
    TRY_LATER = "asks for another try"
    REFUSE = "refuses for good"
    REFUSE_LOUDLY = "refuses in a text of over 3,000 characters that quotes our credentials"
    HANG_EARLY = "stops answering before it is handed the message"
    HANG_LATE = "takes the message and never answers"
    DROP_LATE = "takes the message and closes the connection"
    CLOSED = "accepts no connection"


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message that the provider was handed. ``raw``: everything of it that a repeat repeats."""

    receivers: tuple[str, ...]
    to: tuple[str, ...]
    cc: tuple[str, ...]
    header_names: frozenset[str]
    raw: bytes


class EmailProvider(ABC):
    """A fake of one provider, over real sockets.

    ``secrets``: what must never be seen. ``most_connections``: how many sockets the transport may
    have open, None where nothing connects. ``lacks``: behaviours that this provider can't have.
    ``hasty``: a limit for one call, in seconds, that is just enough when the provider answers.
    """

    secrets: ClassVar[tuple[str, ...]]
    most_connections: ClassVar[int | None]
    lacks: ClassVar[frozenset[Behaviour]] = frozenset()
    hasty: ClassVar[float] = 1.0

    @abstractmethod
    def transport(self, total_timeout: float) -> EmailTransport:
        """A new transport for this provider, with this limit for one call, in seconds."""

    @abstractmethod
    async def behave(self, behaviour: Behaviour) -> Address:
        """From now on like this, towards the receiver that is returned."""

    @property
    @abstractmethod
    def arrivals(self) -> list[Arrival]: ...

    @property
    @abstractmethod
    def open_connections(self) -> int: ...


class Gate:
    """A lease check that counts, and refuses when told to."""

    def __init__(self, provider: EmailProvider, *, is_over: bool = False) -> None:
        self._provider = provider
        self._is_over = is_over
        self.calls = 0
        self.arrived_before: int | None = None

    def __call__(self) -> None:
        self.calls += 1
        self.arrived_before = len(self._provider.arrivals)
        if self._is_over:
            raise LeaseOver


class WithTransports:
    """The fixtures of the suite."""

    @pytest.fixture
    def provider(self) -> EmailProvider:
        raise NotImplementedError("a subclass yields its provider here")

    @pytest.fixture
    async def patient(self, provider: EmailProvider) -> AsyncIterator[EmailTransport]:
        transport = provider.transport(PATIENT)
        yield transport
        await transport.close()

    @pytest.fixture
    async def hasty(self, provider: EmailProvider) -> AsyncIterator[EmailTransport]:
        transport = provider.transport(provider.hasty)
        yield transport
        await transport.close()


async def arrange(provider: EmailProvider, behaviour: Behaviour) -> Address:
    if behaviour in provider.lacks:
        pytest.skip(f"this provider never {behaviour}")
    return await provider.behave(behaviour)


async def send(provider: EmailProvider, transport: EmailTransport, behaviour: Behaviour) -> Outcome:
    receiver = await arrange(provider, behaviour)
    return await transport.send(an_email(receiver=receiver), Gate(provider))
