"""A few connections serve all sends, survive what servers do to them, and are given back."""

import asyncio
from contextlib import suppress

import pytest

from app.transports.contract import Accepted, NotSent, Outcome
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_server import NONE, MailServer, hang
from tests.fakes.waiting import patience
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config
from tests.providers.waiting import eventually


async def send(transport: SmtpTransport) -> Outcome:
    return await transport.send(an_email(), lambda: None)


async def accepted(transport: SmtpTransport) -> bool:
    return isinstance(await send(transport), Accepted)


def since(server: MailServer, count: int) -> list[str]:
    return [command.partition(" ")[0] for command in server.commands[count:]]


async def test_a_server_that_restarts_is_found_again() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert await accepted(transport)
        await server.stop()
        assert isinstance(await send(transport), NotSent)
        await server.start()
        assert await accepted(transport)
        await transport.close()

    assert len(server.mails) == 2


async def test_no_more_than_the_configured_connections_are_opened() -> None:
    """Field report 54: a burst of connections makes servers refuse."""
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port, pool_size=3))
        outcomes = await asyncio.gather(*(send(transport) for _ in range(50)))
        await transport.close()

    assert all(isinstance(outcome, Accepted) for outcome in outcomes)
    assert server.most_at_once <= 3
    assert server.sessions <= 3


async def test_waiting_for_a_free_connection_counts_as_part_of_the_call() -> None:
    async with MailServer(tls=NONE, answers={"DATA": hang}) as server:
        transport = SmtpTransport(plain_config(server.port, pool_size=1, total_timeout=1.0))
        outcomes = await asyncio.gather(send(transport), send(transport))
        await transport.close()

    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["NotSent", "Unknown"]


@pytest.mark.parametrize("step", ["EHLO", "MAIL", "RCPT", "DATA"])
async def test_a_call_cancelled_at_any_step_gives_its_place_back(step: str) -> None:
    async with MailServer(tls=NONE, queues={step: [hang]}) as server:
        transport = SmtpTransport(plain_config(server.port, pool_size=1))
        task = asyncio.create_task(send(transport))
        await eventually(lambda: since(server, 0)[-1:] == [step])
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        await eventually(lambda: not server.connections)

        assert await accepted(transport)
        await transport.close()


async def test_a_message_under_way_ends_well_when_the_transport_is_closed() -> None:
    go_on = asyncio.Event()

    async def wait(_: object) -> str:
        await go_on.wait()
        return "250 2.0.0 OK"

    async with MailServer(tls=NONE, answers={"DATA": wait}) as server:
        transport = SmtpTransport(plain_config(server.port))
        task = asyncio.create_task(send(transport))
        await server.taken.wait()
        await transport.close()
        go_on.set()

        assert isinstance(await task, Accepted)
        await eventually(lambda: not server.connections)


async def test_nothing_is_sent_after_closing() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        await transport.close()

        assert isinstance(await send(transport), NotSent)

    assert server.sessions == 0


async def test_a_server_that_never_says_goodbye_does_not_hold_up_closing() -> None:
    async with MailServer(tls=NONE, answers={"QUIT": hang}) as server:
        transport = SmtpTransport(plain_config(server.port))
        await asyncio.gather(*(send(transport) for _ in range(4)))
        async with asyncio.timeout(patience(3)):
            await transport.close()
        await eventually(lambda: not server.connections)
