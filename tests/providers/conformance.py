"""What every email transport must show, whatever provider is behind it.

A provider joins with an adapter, :class:`EmailProvider`, and a subclass of
:class:`EmailConformance` whose fixture ``provider`` yields it, started.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from time import monotonic
from typing import ClassVar

import pytest

from app.transports.contract import (
    Accepted,
    Address,
    CannotTell,
    EmailTransport,
    Go,
    LeaseOver,
    NotFound,
    NotSent,
    OutboundEmail,
    Outcome,
    Rejected,
    TryLater,
    Unknown,
)
from tests.providers.emails import an_email, reference_to
from tests.providers.waiting import eventually


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


PATIENT = 20.0
"""A limit that no test here is meant to reach."""

SLACK = 3.0
"""Seconds by which a busy machine may be late."""

FAILURES = [one for one in Behaviour if one is not Behaviour.ACCEPT]
HANGS = [Behaviour.HANG_EARLY, Behaviour.HANG_LATE]

CANARY = "canary-3b1f"


class EmailConformance:
    """Subclassed once a provider."""

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

    # --- acceptance

    async def test_a_message_is_accepted_exactly_once(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.ACCEPT)

        assert isinstance(outcome, Accepted)
        assert outcome.message_id
        assert len(provider.arrivals) == 1

    async def test_acceptance_is_final_only_where_no_report_follows(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.ACCEPT)

        assert isinstance(outcome, Accepted)
        assert outcome.final is not patient.facts.reports

    async def test_one_receiver_gets_it_and_the_headers_show_the_whole_list(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        """Field report 56."""
        receiver = await provider.behave(Behaviour.ACCEPT)
        to = (Address("first@example.com", "First"), Address("second@example.com"))
        cc = (receiver, Address("third@example.com", "Ünal, Third"))

        await patient.send(an_email(receiver=receiver, to=to, cc=cc), Gate(provider))

        [arrival] = provider.arrivals
        assert arrival.receivers == (receiver.email,)
        assert arrival.to == ("first@example.com", "second@example.com")
        assert arrival.cc == (receiver.email, "third@example.com")
        assert "bcc" not in arrival.header_names

    async def test_a_rebuilt_message_is_the_same_to_the_byte(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        receiver = await provider.behave(Behaviour.ACCEPT)
        email = an_email(receiver=receiver, to=(receiver,), html="<p>Hello</p>", tags=("a", "b"))

        await patient.send(email, Gate(provider))
        await patient.send(email, Gate(provider))

        first, second = provider.arrivals
        assert first.raw == second.raw

    async def test_many_at_once_arrive_once_each_over_few_connections(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        receiver = await provider.behave(Behaviour.ACCEPT)
        emails = [an_email(receiver=receiver, subject=f"number {n}") for n in range(40)]

        outcomes = await asyncio.gather(*(patient.send(email, Gate(provider)) for email in emails))

        assert all(isinstance(outcome, Accepted) for outcome in outcomes)
        assert len(provider.arrivals) == 40
        assert len({arrival.raw for arrival in provider.arrivals}) == 40
        if provider.most_connections is not None:
            assert provider.open_connections <= provider.most_connections

    # --- the lease

    async def test_the_lease_is_asked_once_and_before_anything_of_the_message_is_out(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        receiver = await provider.behave(Behaviour.ACCEPT)
        gate = Gate(provider)

        await patient.send(an_email(receiver=receiver), gate)

        assert gate.calls == 1
        assert gate.arrived_before == 0

    async def test_after_the_lease_nothing_is_sent(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        receiver = await provider.behave(Behaviour.ACCEPT)

        outcome = await patient.send(an_email(receiver=receiver), Gate(provider, is_over=True))

        assert isinstance(outcome, NotSent)
        assert provider.arrivals == []

    async def test_the_next_message_goes_out_after_one_whose_lease_was_over(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        receiver = await provider.behave(Behaviour.ACCEPT)

        await patient.send(an_email(receiver=receiver), Gate(provider, is_over=True))
        outcome = await patient.send(an_email(receiver=receiver), Gate(provider))

        assert isinstance(outcome, Accepted)
        assert len(provider.arrivals) == 1

    # --- refusals

    async def test_a_request_for_another_try_is_try_later(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.TRY_LATER)

        assert isinstance(outcome, TryLater)
        assert outcome.code
        assert outcome.text

    async def test_a_refusal_for_good_is_rejected_with_code_and_text(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.REFUSE)

        assert isinstance(outcome, Rejected)
        assert outcome.code
        assert outcome.text

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_the_next_message_goes_out_after_a_failure(
        self, provider: EmailProvider, hasty: EmailTransport, failure: Behaviour
    ) -> None:
        await send(provider, hasty, failure)

        outcome = await send(provider, hasty, Behaviour.ACCEPT)

        assert isinstance(outcome, Accepted)

    @pytest.mark.parametrize(
        "field",
        [
            {"subject": "Hi\r\nBcc: evil@example.com"},
            {"sender": Address("sender@example.com", "Sam\nBcc: evil@example.com")},
            {"reply_to": (Address("reply@example.com", "Rob\rBcc: evil@example.com"),)},
            {"to": (Address("a@example.com>\r\nBcc: <evil@example.com", ""),)},
            {"headers": {"X-Note": "a\r\nBcc: evil@example.com"}},
            {"headers": {"X-Note: a\r\nBcc": "evil@example.com"}},
            {"headers": {"Bcc": "evil@example.com"}},
        ],
        ids=lambda field: next(iter(field)),
    )
    async def test_a_header_can_not_be_smuggled_in(
        self, provider: EmailProvider, patient: EmailTransport, field: dict[str, object]
    ) -> None:
        """Field reports 47 and 48."""
        receiver = await provider.behave(Behaviour.ACCEPT)

        outcome = await patient.send(an_email(receiver=receiver, **field), Gate(provider))

        assert isinstance(outcome, Rejected)
        assert provider.arrivals == []

    # --- silence

    async def test_no_connection_means_not_sent(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.CLOSED)

        assert isinstance(outcome, NotSent)

    async def test_silence_before_the_message_ends_in_time_and_means_not_sent(
        self, provider: EmailProvider, hasty: EmailTransport
    ) -> None:
        outcome, seconds = await send_timed(provider, hasty, Behaviour.HANG_EARLY)

        assert isinstance(outcome, NotSent)
        assert seconds < provider.hasty + SLACK

    async def test_silence_after_the_message_ends_in_time_and_means_unknown(
        self, provider: EmailProvider, hasty: EmailTransport
    ) -> None:
        """Field report 22."""
        outcome, seconds = await send_timed(provider, hasty, Behaviour.HANG_LATE)

        assert isinstance(outcome, Unknown)
        assert seconds < provider.hasty + SLACK
        assert len(provider.arrivals) == 1

    async def test_a_connection_lost_after_the_message_means_unknown(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.DROP_LATE)

        assert isinstance(outcome, Unknown)
        assert len(provider.arrivals) == 1

    # --- what stays behind

    @pytest.mark.parametrize("behaviour", Behaviour)
    async def test_no_connection_is_open_after_closing_twice(
        self, provider: EmailProvider, behaviour: Behaviour
    ) -> None:
        """Field report 59."""
        transport = provider.transport(provider.hasty)
        await send(provider, transport, behaviour)

        await transport.close()
        await transport.close()

        await eventually(lambda: provider.open_connections == 0)

    @pytest.mark.parametrize("behaviour", HANGS)
    async def test_a_cancelled_call_leaves_no_connection_and_hinders_nobody(
        self, provider: EmailProvider, patient: EmailTransport, behaviour: Behaviour
    ) -> None:
        receiver = await arrange(provider, behaviour)
        connects = provider.most_connections is not None
        late = behaviour is Behaviour.HANG_LATE
        task = asyncio.create_task(patient.send(an_email(receiver=receiver), Gate(provider)))
        await eventually(lambda: len(provider.arrivals) == late)
        await eventually(lambda: not connects or provider.open_connections == 1)

        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

        assert task.cancelled()
        await eventually(lambda: provider.open_connections == 0)
        assert isinstance(await send(provider, patient, Behaviour.ACCEPT), Accepted)

    # --- what is said, and to whom

    @pytest.mark.parametrize("behaviour", Behaviour)
    async def test_texts_hold_no_credentials_and_no_control_characters(
        self, provider: EmailProvider, hasty: EmailTransport, behaviour: Behaviour
    ) -> None:
        outcome = await send(provider, hasty, behaviour)

        assert not any(secret in repr(outcome) for secret in provider.secrets)
        assert len(outcome.text) <= 2_000
        assert outcome.text.isprintable()

    @pytest.mark.parametrize("behaviour", Behaviour)
    async def test_logs_hold_neither_addresses_nor_content_nor_credentials(
        self,
        provider: EmailProvider,
        hasty: EmailTransport,
        behaviour: Behaviour,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        receiver = await arrange(provider, behaviour)
        canaries = {"subject": CANARY, "text": CANARY, "html": CANARY}
        copied = (replace(receiver, name=CANARY), Address(f"{CANARY}@example.com"))
        with caplog.at_level(logging.DEBUG):
            await hasty.send(an_email(receiver=receiver, to=copied, **canaries), Gate(provider))

        said = "\n".join(str(record.__dict__) for record in caplog.records if is_ours(record))
        assert not [one for one in (CANARY, receiver.email, *provider.secrets) if one in said]

    async def test_asking_for_a_message_that_was_never_sent_finds_nothing(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        await provider.behave(Behaviour.ACCEPT)

        answer = await patient.find(reference_to(an_email()))

        assert isinstance(answer, NotFound | CannotTell)

    async def test_its_facts_say_what_it_is(self, patient: EmailTransport) -> None:
        assert patient.facts.method == "email"
        assert patient.facts.name


async def arrange(provider: EmailProvider, behaviour: Behaviour) -> Address:
    if behaviour in provider.lacks:
        pytest.skip(f"this provider never {behaviour}")
    return await provider.behave(behaviour)


async def send(provider: EmailProvider, transport: EmailTransport, behaviour: Behaviour) -> Outcome:
    receiver = await arrange(provider, behaviour)
    email: OutboundEmail = an_email(receiver=receiver)
    go: Go = Gate(provider)
    return await transport.send(email, go)


async def send_timed(
    provider: EmailProvider, transport: EmailTransport, behaviour: Behaviour
) -> tuple[Outcome, float]:
    began = monotonic()
    return await send(provider, transport, behaviour), monotonic() - began


def is_ours(record: logging.LogRecord) -> bool:
    """Fakes log what they hear, on the other side of the socket."""
    return not record.name.startswith(("mail.", "tests."))
