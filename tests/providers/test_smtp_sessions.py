"""A session with a mail server serves many messages, and is replaced when it no longer can."""

import pytest

from app.transports.contract import Accepted, NotSent, Outcome, Rejected, TryLater
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_script import ScriptedServer, Talk
from tests.fakes.smtp_server import NONE, Answer, MailServer, drop, reset
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config
from tests.providers.waiting import eventually


class Clock:
    """Time that passes when a test says so."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


async def send(transport: SmtpTransport) -> Outcome:
    return await transport.send(an_email(), lambda: None)


async def accepted(transport: SmtpTransport) -> bool:
    return isinstance(await send(transport), Accepted)


def since(server: MailServer, count: int) -> list[str]:
    return [command.partition(" ")[0] for command in server.commands[count:]]


async def test_a_session_is_used_again() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert await accepted(transport)
        assert await accepted(transport)
        await transport.close()

    assert server.sessions == 1


async def test_a_short_pause_costs_no_extra_command() -> None:
    clock = Clock()
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port), clock)
        await accepted(transport)
        clock.now += 29
        await accepted(transport)
        await transport.close()

    assert "NOOP" not in server.commands


async def test_a_long_pause_is_followed_by_a_probe() -> None:
    clock = Clock()
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port), clock)
        await accepted(transport)
        before = len(server.commands)
        clock.now += 31
        assert await accepted(transport)
        assert since(server, before) == ["NOOP", "MAIL", "RCPT", "DATA"]
        await transport.close()

    assert server.sessions == 1


@pytest.mark.parametrize("answer", ["421 4.4.2 Idle for too long", "500 What?", drop, reset])
async def test_a_probe_that_fails_is_followed_by_a_new_session(answer: Answer) -> None:
    clock = Clock()
    async with MailServer(tls=NONE, answers={"NOOP": answer}) as server:
        transport = SmtpTransport(plain_config(server.port), clock)
        await accepted(transport)
        clock.now += 31
        assert await accepted(transport)
        await transport.close()
        await eventually(lambda: not server.connections)

    assert server.sessions == 2
    assert len(server.mails) == 2


async def test_a_session_ends_politely_after_its_number_of_messages() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port, messages_per_session=3))
        for _ in range(7):
            assert await accepted(transport)
        await transport.close()

    assert server.sessions == 3
    assert server.commands.count("QUIT") == 3


async def test_a_session_ends_after_its_lifetime() -> None:
    clock = Clock()
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port), clock)
        for _ in range(12):
            clock.now += 28
            assert await accepted(transport)
        await transport.close()

    assert server.sessions == 2


async def test_an_envelope_that_was_refused_is_cleared_before_the_next_message() -> None:
    async with MailServer(tls=NONE, queues={"RCPT": ["550 5.1.1 No such user"]}) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert isinstance(await send(transport), Rejected)
        before = len(server.commands)
        assert await accepted(transport)
        assert since(server, before) == ["RSET", "MAIL", "RCPT", "DATA"]
        await transport.close()

    assert server.sessions == 1


async def test_a_session_that_the_server_left_while_idle_is_replaced() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        await accepted(transport)
        for connection in list(server.connections):
            connection.transport.close()
        await eventually(lambda: not server.connections)

        assert await accepted(transport)
        await transport.close()

    assert server.sessions == 2
    assert len(server.mails) == 2


async def leave_at_second_mail(talk: Talk) -> None:
    await talk.greet()
    await talk.take_mail()
    await talk.hear("MAIL")


async def close_at_second_mail(talk: Talk) -> None:
    await leave_at_second_mail(talk)
    await talk.say("421 4.4.2 Idle for too long")


async def reset_at_second_mail(talk: Talk) -> None:
    await leave_at_second_mail(talk)
    talk.reset()


async def take_one(talk: Talk) -> None:
    await talk.greet()
    await talk.take_mail()
    await talk.see_off()


async def leave_at_first_mail(talk: Talk) -> None:
    await talk.greet()
    await talk.hear("MAIL")


@pytest.mark.parametrize("end", [leave_at_second_mail, close_at_second_mail, reset_at_second_mail])
async def test_a_session_found_dead_at_its_first_command_is_replaced_once(end) -> None:
    async with ScriptedServer(end, take_one) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert await accepted(transport)
        assert await accepted(transport)
        await transport.close()

    assert server.connections == 2
    assert len(server.messages) == 2
    assert server.surprises == []


async def test_a_session_is_not_replaced_twice_for_one_message() -> None:
    async with ScriptedServer(leave_at_second_mail, leave_at_first_mail) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert await accepted(transport)
        outcome = await send(transport)
        await transport.close()

    assert isinstance(outcome, NotSent)
    assert server.connections == 2


async def test_a_refusal_is_no_reason_to_replace_a_session() -> None:
    async with MailServer(tls=NONE, queues={"MAIL": ["250 OK", "550 5.7.1 No"]}) as server:
        transport = SmtpTransport(plain_config(server.port))
        assert await accepted(transport)
        assert isinstance(await send(transport), Rejected)
        await transport.close()

    assert server.sessions == 1


async def test_a_new_session_is_not_tried_twice() -> None:
    async with ScriptedServer(leave_at_first_mail) as server:
        transport = SmtpTransport(plain_config(server.port))
        outcome = await send(transport)
        await transport.close()

    assert isinstance(outcome, NotSent)
    assert server.connections == 1


@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA"])
async def test_a_session_that_the_server_ends_with_a_message_is_try_later(step: str) -> None:
    """Field report 54."""
    answers: list[Answer] = ["421 4.3.2 Shutting down"]
    async with MailServer(tls=NONE, queues={step: answers}) as server:
        transport = SmtpTransport(plain_config(server.port))
        outcome = await send(transport)
        assert outcome == TryLater("421 4.3.2 Shutting down", "421", retry_after=60)
        await eventually(lambda: not server.connections)
        assert await accepted(transport)
        await transport.close()
