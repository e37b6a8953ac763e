"""What every email transport must show, whatever provider is behind it.

A provider joins with an adapter, :class:`EmailProvider`, and a subclass of
:class:`EmailConformance` whose fixture ``provider`` yields it, started.
"""

import asyncio
from time import monotonic

import pytest

from app.transports.contract import (
    Accepted,
    Address,
    CannotTell,
    EmailTransport,
    NotFound,
    NotSent,
    Rejected,
    TryLater,
    Unknown,
)
from tests.fakes.waiting import patience
from tests.providers.conformance_traces import LeavesNoTrace
from tests.providers.email_provider import Behaviour, EmailProvider, Gate, send
from tests.providers.emails import an_email, reference_to

SLACK = 3.0
"""Seconds by which a busy machine may be late."""

FAILURES = [one for one in Behaviour if one is not Behaviour.ACCEPT]


class EmailConformance(LeavesNoTrace):
    """Subclassed once a provider."""

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
        """Field report 56. A provider that can't tell headers from receivers shows nobody else."""
        receiver = await provider.behave(Behaviour.ACCEPT)
        to = (Address("first@example.com", "First"), Address("second@example.com"))
        cc = (receiver, Address("third@example.com", "Ünal, Third"))

        await patient.send(an_email(receiver=receiver, to=to, cc=cc), Gate(provider))

        [arrival] = provider.arrivals
        assert arrival.receivers == (receiver.email,)
        if patient.facts.shows_everybody:
            assert arrival.to == ("first@example.com", "second@example.com")
            assert arrival.cc == (receiver.email, "third@example.com")
        else:
            assert (arrival.to, arrival.cc) == ((receiver.email,), ())
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
        began = monotonic()
        outcome = await send(provider, hasty, Behaviour.HANG_EARLY)

        assert isinstance(outcome, NotSent)
        assert monotonic() - began < patience(provider.hasty + SLACK)

    async def test_silence_after_the_message_ends_in_time_and_means_unknown(
        self, provider: EmailProvider, hasty: EmailTransport
    ) -> None:
        """Field report 22."""
        began = monotonic()
        outcome = await send(provider, hasty, Behaviour.HANG_LATE)

        assert isinstance(outcome, Unknown)
        assert monotonic() - began < patience(provider.hasty + SLACK)
        assert len(provider.arrivals) == 1

    async def test_a_connection_lost_after_the_message_means_unknown(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        outcome = await send(provider, patient, Behaviour.DROP_LATE)

        assert isinstance(outcome, Unknown)
        assert len(provider.arrivals) == 1

    async def test_asking_for_a_message_that_was_never_sent_finds_nothing(
        self, provider: EmailProvider, patient: EmailTransport
    ) -> None:
        await provider.behave(Behaviour.ACCEPT)

        answer = await patient.find(reference_to(an_email()))

        assert isinstance(answer, NotFound | CannotTell)

    async def test_its_facts_say_what_it_is(self, patient: EmailTransport) -> None:
        assert patient.facts.method == "email"
        assert patient.facts.name
