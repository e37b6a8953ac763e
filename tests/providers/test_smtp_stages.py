"""What a failure means depends on how far the conversation with the mail server had come."""

from collections.abc import Awaitable, Callable

import pytest

from app.transports.contract import (
    Accepted,
    File,
    NotSent,
    Outcome,
    Rejected,
    RejectKind,
    TryLater,
    Unknown,
)
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_script import CONNECT, Script, ScriptedServer, Talk
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config
from tests.providers.waiting import eventually

BEFORE_THE_MESSAGE = [CONNECT, "EHLO", "MAIL", "RCPT", "DATA"]


async def close(talk: Talk) -> None:
    pass


async def reset(talk: Talk) -> None:
    talk.reset()


async def fall_silent(talk: Talk) -> None:
    await talk.wait_for_end()


BIG = (File("big.bin", "application/octet-stream", bytes(3_000_000)),)
"""More than sockets hold, so that the server can act amid the message."""

ENDS = [close, reset, fall_silent]


def at(step: str, then: Callable[[Talk], Awaitable[None]]) -> Script:
    async def script(talk: Talk) -> None:
        await talk.agree_until(step)
        await then(talk)

    return script


def answering(step: str, *answer: str) -> Script:
    async def script(talk: Talk) -> None:
        await talk.agree_until(step)
        await talk.say(*answer)
        await talk.see_off()

    return script


def answering_message(*answer: str) -> Script:
    async def script(talk: Talk) -> None:
        await talk.agree_until("DATA")
        await talk.say("354 go on")
        await talk.hear_message()
        await talk.say(*answer)
        await talk.see_off()

    return script


async def outcome_of(
    server: ScriptedServer, files: tuple[File, ...] = (), **changes: float
) -> Outcome:
    transport = SmtpTransport(plain_config(server.port, **changes))
    try:
        return await transport.send(an_email(files=files), lambda: None)
    finally:
        await transport.close()
        await eventually(lambda: server.open_connections == 0)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("step", BEFORE_THE_MESSAGE)
async def test_a_connection_that_fails_before_the_message_means_not_sent(
    step: str, end: Callable[[Talk], Awaitable[None]]
) -> None:
    async with ScriptedServer(at(step, end)) as server:
        outcome = await outcome_of(server, total_timeout=0.5)

    assert isinstance(outcome, NotSent)
    assert server.rest == b""
    assert server.surprises == []


@pytest.mark.parametrize("end", ENDS)
async def test_a_connection_that_fails_after_the_message_means_unknown(
    end: Callable[[Talk], Awaitable[None]],
) -> None:
    async def script(talk: Talk) -> None:
        await talk.agree_until("DATA")
        await talk.say("354 go on")
        await talk.hear_message()
        await end(talk)

    async with ScriptedServer(script) as server:
        outcome = await outcome_of(server, total_timeout=1.0)

    assert isinstance(outcome, Unknown)
    assert len(server.messages) == 1


@pytest.mark.parametrize("end", ENDS)
async def test_a_connection_that_fails_amid_the_message_means_unknown(
    end: Callable[[Talk], Awaitable[None]],
) -> None:
    async def script(talk: Talk) -> None:
        await talk.agree_until("DATA")
        await talk.say("354 go on")
        await talk.hear_bytes(1_000)
        await end(talk)

    async with ScriptedServer(script) as server:
        outcome = await outcome_of(server, BIG, total_timeout=3.0)

    assert isinstance(outcome, Unknown)


async def test_a_refusal_amid_the_message_is_read() -> None:
    async def script(talk: Talk) -> None:
        await talk.agree_until("DATA")
        await talk.say("354 go on")
        await talk.hear_bytes(1_000)
        await talk.say("552 5.3.4 Message too big")
        await talk.see_off()

    async with ScriptedServer(script) as server:
        outcome = await outcome_of(server, BIG)

    assert outcome == Rejected("552 5.3.4 Message too big", "552")


@pytest.mark.parametrize("answer", ["354 what?", "199 what?", "hello", "250", "250-", "-1 x"])
async def test_an_answer_to_the_message_that_can_not_be_read_is_never_called_not_sent(
    answer: str,
) -> None:
    async with ScriptedServer(answering_message(answer)) as server:
        outcome = await outcome_of(server, total_timeout=1.0)

    assert isinstance(outcome, Accepted if answer == "250" else Unknown)


@pytest.mark.parametrize("step", BEFORE_THE_MESSAGE[1:])
async def test_nonsense_before_the_message_means_not_sent(step: str) -> None:
    async with ScriptedServer(answering(step, "hello")) as server:
        outcome = await outcome_of(server)

    assert isinstance(outcome, NotSent)
    assert server.rest == b""


GREYLIST = "451 4.7.1 Greylisted, come back later"

LATER = [
    ("421 4.3.2 Closing", 60),
    ("432 4.7.12 A password transition is needed", None),
    ("450 4.2.1 Mailbox busy", None),
    ("450 4.2.0 Greylisted for 300 seconds", 60),
    (GREYLIST, 60),
    ("450 4.7.0 Try later", 60),
    ("451 4.3.0 Local error", None),
    ("452 4.5.3 Too many recipients", None),
    ("454 4.7.0 Throttling", None),
]


@pytest.mark.parametrize(("answer", "wait"), LATER)
@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "the message"])
async def test_a_temporary_refusal_is_try_later_at_every_step(
    step: str, answer: str, wait: float | None
) -> None:
    """Field report 54."""
    script = answering_message(answer) if step == "the message" else answering(step, answer)
    async with ScriptedServer(script) as server:
        outcome = await outcome_of(server)

    assert outcome == TryLater(answer, answer[:3], retry_after=wait)


REFUSALS = [
    ("550 5.1.1 No such user", RejectKind.REJECTED),
    ("551 5.1.6 Moved", RejectKind.REJECTED),
    ("552 5.2.2 Mailbox full", RejectKind.REJECTED),
    ("552 5.3.4 Message too big", RejectKind.REJECTED),
    ("553 5.1.3 Bad address", RejectKind.REJECTED),
    ("554 5.7.1 Spam", RejectKind.REJECTED),
    ("550 5.7.1 Relaying denied", RejectKind.CONFIGURATION),
    ("554 5.7.1 <a@example.com>: Relay access denied", RejectKind.CONFIGURATION),
    ("530 5.7.0 Authentication required", RejectKind.CONFIGURATION),
    ("535 5.7.8 Not now", RejectKind.CONFIGURATION),
]


@pytest.mark.parametrize(("answer", "kind"), REFUSALS)
@pytest.mark.parametrize("step", ["MAIL", "RCPT", "DATA", "the message"])
async def test_a_permanent_refusal_is_rejected_at_every_step(
    step: str, answer: str, kind: RejectKind
) -> None:
    """Field report 54."""
    script = answering_message(answer) if step == "the message" else answering(step, answer)
    async with ScriptedServer(script) as server:
        outcome = await outcome_of(server)

    assert outcome == Rejected(answer, answer[:3], kind)


async def test_a_bare_552_for_a_receiver_stands_for_too_many_receivers() -> None:
    async with ScriptedServer(answering("RCPT", "552 Too many recipients")) as server:
        outcome = await outcome_of(server)

    assert outcome == TryLater("552 Too many recipients", "552", retry_after=60)


@pytest.mark.parametrize(("answer", "wait"), [("421 4.3.2 Too busy", 60), ("450 Not yet", None)])
async def test_a_greeting_that_asks_to_come_back_is_try_later(
    answer: str, wait: float | None
) -> None:
    """Field report 54."""
    async with ScriptedServer(answering(CONNECT, answer)) as server:
        outcome = await outcome_of(server)

    assert outcome == TryLater(answer, answer[:3], retry_after=wait)


@pytest.mark.parametrize("step", [CONNECT, "EHLO"])
async def test_a_server_that_refuses_us_before_any_message_is_a_matter_of_configuration(
    step: str,
) -> None:
    async with ScriptedServer(answering(step, "554 5.7.1 Your network is blocked")) as server:
        outcome = await outcome_of(server)

    assert outcome == Rejected("554 5.7.1 Your network is blocked", "554", RejectKind.CONFIGURATION)


async def test_a_greylisted_message_is_accepted_at_the_fourth_try() -> None:
    """Field report 54."""
    scripts = [answering("RCPT", GREYLIST)] * 3 + [answering_message("250 2.0.0 taken")]
    async with ScriptedServer(*scripts) as server:
        outcomes = [await outcome_of(server) for _ in range(4)]

    assert [type(outcome) for outcome in outcomes] == [TryLater, TryLater, TryLater, Accepted]


async def test_an_answer_of_several_lines_is_kept_in_one() -> None:
    async with ScriptedServer(answering("RCPT", "550-5.1.1 No such", "550 5.1.1 user")) as server:
        outcome = await outcome_of(server)

    assert outcome.text == "550 5.1.1 No such 5.1.1 user"
