"""What a call leaves behind: no connection, no secret, no address."""

import asyncio
import logging
from contextlib import suppress
from dataclasses import replace

import pytest

from app.transports.contract import Accepted, Address, EmailTransport
from tests.providers.email_provider import (
    Behaviour,
    EmailProvider,
    Gate,
    WithTransports,
    arrange,
    send,
)
from tests.providers.emails import an_email
from tests.providers.waiting import eventually

HANGS = [Behaviour.HANG_EARLY, Behaviour.HANG_LATE]
CANARY = "canary-3b1f"


class LeavesNoTrace(WithTransports):
    """Part of :class:`tests.providers.conformance.EmailConformance`."""

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


def is_ours(record: logging.LogRecord) -> bool:
    """Fakes log what they hear, on the other side of the socket."""
    return not record.name.startswith(("mail.", "tests."))
