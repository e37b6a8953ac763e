"""Whom a message is handed over for, and how its bytes reach the server."""

import pytest

from app.transports.contract import (
    Accepted,
    Address,
    LeaseOver,
    NotSent,
    OutboundEmail,
    Outcome,
    Rejected,
    Unknown,
)
from app.transports.email.smtp import SmtpTransport
from tests.fakes.smtp_server import NONE, MailServer, hang
from tests.providers.emails import an_email, reference_to
from tests.providers.smtp_provider import plain_config


async def send(server: MailServer, email: OutboundEmail, **changes: object) -> Outcome:
    transport = SmtpTransport(plain_config(server.port, **changes))
    try:
        return await transport.send(email, lambda: None)
    finally:
        await transport.close()


async def test_each_envelope_has_one_receiver() -> None:
    """Field report 56: what one receiver's server says is never another one's outcome."""
    good, gone = Address("good@example.com"), Address("gone@example.com")
    async with MailServer(tls=NONE, queues={"RCPT": ["250 OK", "550 5.1.1 Gone"]}) as server:
        outcomes = [
            await send(server, an_email(receiver=receiver, to=(good,), cc=(gone,)))
            for receiver in (good, gone)
        ]

    assert [type(outcome) for outcome in outcomes] == [Accepted, Rejected]
    [mail] = server.mails
    assert mail.receivers == ("good@example.com",)
    assert (str(mail.message["To"]), str(mail.message["Cc"])) == (good.email, gone.email)


async def test_a_hidden_receiver_sees_the_list_and_nobody_sees_them() -> None:
    hidden = Address("hidden@example.com", "Hilda Hidden")
    async with MailServer(tls=NONE) as server:
        await send(server, an_email(receiver=hidden, to=(Address("a@example.com"),)))

    [mail] = server.mails
    assert mail.receivers == ("hidden@example.com",)
    assert str(mail.message["To"]) == "a@example.com"
    assert b"idden" not in mail.content


async def test_acceptance_tells_our_message_id_and_the_server_s_last_word() -> None:
    email = an_email()
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, email)

    message_id = f"<item-{email.item_id}@mail.example.com>"
    assert outcome == Accepted(message_id, "250 2.0.0 OK: queued as 4711", final=True)
    assert server.mails[0].message["Message-ID"] == message_id


async def test_a_domain_is_encoded_by_the_rules_of_2008() -> None:
    """Field report 49."""
    receiver = Address("a@faß.de", "A")
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, an_email(receiver=receiver, to=(receiver,)))

    assert isinstance(outcome, Accepted)
    assert "RCPT TO:<a@xn--fa-hia.de>" in server.commands
    assert server.mails[0].message["To"].addresses[0].addr_spec == "a@xn--fa-hia.de"


UMLAUT = Address("jürgen@faß.de", "Jürgen")


@pytest.mark.parametrize("role", ["receiver", "sender", "cc", "reply_to"])
async def test_an_address_beyond_ascii_goes_to_a_server_that_takes_such(role: str) -> None:
    email = an_email(**{role: UMLAUT if role in ("receiver", "sender") else (UMLAUT,)})
    async with MailServer(tls=NONE, smtputf8=True) as server:
        outcome = await send(server, email)

    assert isinstance(outcome, Accepted)
    [mail] = server.mails
    assert {"SMTPUTF8", "BODY=8BITMIME"} <= set(mail.options)
    assert "jürgen@xn--fa-hia.de".encode() in mail.content


@pytest.mark.parametrize("role", ["receiver", "sender", "cc", "reply_to"])
async def test_an_address_beyond_ascii_is_refused_where_the_server_takes_none(role: str) -> None:
    email = an_email(**{role: UMLAUT if role in ("receiver", "sender") else (UMLAUT,)})
    async with MailServer(tls=NONE, smtputf8=False) as server:
        outcome = await send(server, email)

    assert isinstance(outcome, Rejected)
    assert "SMTPUTF8" in outcome.text
    assert server.mails == []


async def test_an_ascii_message_asks_for_no_extension() -> None:
    async with MailServer(tls=NONE, smtputf8=True) as server:
        await send(server, an_email(text="Größe", subject="Größe"))

    assert not {"SMTPUTF8", "BODY=8BITMIME"} & set(server.mails[0].options)


async def test_a_message_over_the_server_s_limit_is_refused_before_it_is_sent() -> None:
    async with MailServer(tls=NONE, size_limit=10_000) as server:
        outcome = await send(server, an_email(text="x" * 20_000))

    assert isinstance(outcome, Rejected)
    assert "too large" in outcome.text
    assert not any(command.startswith("MAIL") for command in server.commands)


async def test_a_session_is_still_good_after_a_message_that_was_too_large() -> None:
    async with MailServer(tls=NONE, size_limit=10_000) as server:
        transport = SmtpTransport(plain_config(server.port))
        await transport.send(an_email(text="x" * 20_000), lambda: None)
        outcome = await transport.send(an_email(), lambda: None)
        await transport.close()

    assert isinstance(outcome, Accepted)
    assert server.sessions == 1


async def test_the_size_that_is_announced_is_the_size_that_arrives() -> None:
    async with MailServer(tls=NONE, size_limit=10_000) as server:
        await send(server, an_email(text="one\n.two\n..three\n"))

    [mail] = server.mails
    assert f"SIZE={len(mail.content)}" in mail.options


async def test_a_line_with_a_dot_does_not_end_the_message() -> None:
    """Field report 48."""
    text = "line\r\n.\r\nMAIL FROM:<evil@example.com>\r\n..\r\n.x\n"
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, an_email(text=text))

    assert isinstance(outcome, Accepted)
    [mail] = server.mails
    assert mail.text == text.replace("\r\n", "\n")
    assert len([command for command in server.commands if command.startswith("MAIL")]) == 1


@pytest.mark.parametrize(
    "address",
    [
        "a@example.com> SIZE=1",
        "a@example.com>\r\nRCPT TO:<evil@example.com",
        "a b@example.com",
        "@example.com",
        "a@",
        "a",
        "",
        "a@b@example.com",
        "a@exa mple.com",
        '"a\r\n"@example.com',
        "a@\u2028example.com",
        "a@xn--\udcff.example",
    ],
)
@pytest.mark.parametrize("role", ["receiver", "sender"])
async def test_what_is_no_mailbox_is_refused_unheard(role: str, address: str) -> None:
    """Field report 48."""
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, an_email(to=(), **{role: Address(address)}))

    assert isinstance(outcome, Rejected)
    assert server.commands == []


@pytest.mark.parametrize(
    "address",
    ["o'hara+tag@example.com", '"a b"@example.com', '"a\\"@b"@example.com', "a@[127.0.0.1]"],
)
async def test_an_unusual_mailbox_is_carried_unchanged(address: str) -> None:
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, an_email(receiver=Address(address)))

    assert isinstance(outcome, Accepted)
    assert f"RCPT TO:<{address}>" in server.commands


async def test_after_the_lease_not_even_data_is_said() -> None:
    def go() -> None:
        raise LeaseOver

    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        outcome = await transport.send(an_email(), go)
        await transport.close()

    assert isinstance(outcome, NotSent)
    assert "DATA" not in server.commands
    assert any(command.startswith("RCPT") for command in server.commands)


async def test_a_message_with_a_newline_in_its_subject_stops_no_other() -> None:
    """Field report 47."""
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        subjects = [f"item {n}" for n in range(1, 10)]
        subjects[4] = "Hi\r\nBcc: evil@example.com"
        outcomes = [await transport.send(an_email(subject=s), lambda: None) for s in subjects]
        await transport.close()

    assert [n for n, one in enumerate(outcomes, 1) if not isinstance(one, Accepted)] == [5]
    assert "subject" in outcomes[4].text.lower()
    assert "evil" not in outcomes[4].text
    assert len(server.mails) == 8
    assert not any("evil" in command for command in server.commands)
    assert not any(b"evil" in mail.content for mail in server.mails)


async def test_a_large_message_is_built_and_sent() -> None:
    async with MailServer(tls=NONE) as server:
        outcome = await send(server, an_email(text="Größe " * 100_000))

    assert isinstance(outcome, Accepted)
    assert server.mails[0].text == "Größe " * 100_000 + "\n"


async def test_a_server_that_is_slow_by_our_clock_is_unknown_and_says_what_is_known() -> None:
    async with MailServer(tls=NONE, answers={"DATA": hang}) as server:
        outcome = await send(server, an_email(), total_timeout=1.0)

    assert isinstance(outcome, Unknown)
    assert "may have been sent" in outcome.text


async def test_smtp_can_not_tell_what_became_of_a_message() -> None:
    transport = SmtpTransport(plain_config(25))
    answer = await transport.find(reference_to(an_email()))

    assert type(answer).__name__ == "CannotTell"
    assert transport.facts.reports is False
