"""A message and a password travel encrypted to the server that was meant, or not at all."""

import asyncio
import ssl

import pytest

from app.transports.contract import Accepted, NotSent, Outcome, Rejected, RejectKind, TryLater
from app.transports.email.smtp import SmtpTransport
from app.transports.email.smtp_config import SmtpConfig
from tests.fakes.smtp_relay import Relay
from tests.fakes.smtp_script import ScriptedServer, Talk
from tests.fakes.smtp_server import IMPLICIT, NONE, STARTTLS, MailServer
from tests.fakes.waiting import patience
from tests.providers.emails import an_email
from tests.providers.smtp_provider import PASSWORD, USERNAME, config_for, plain_config
from tests.providers.waiting import eventually

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")

ACCOUNT = {"username": USERNAME, "password": PASSWORD}
STEPS_WITH_MESSAGE = ("MAIL", "RCPT", "DATA", "AUTH")


async def send(config: SmtpConfig) -> Outcome:
    transport = SmtpTransport(config)
    try:
        return await transport.send(an_email(), lambda: None)
    finally:
        await transport.close()


def said_too_much(server: MailServer) -> bool:
    return any(command.startswith(STEPS_WITH_MESSAGE) for command in server.commands)


@pytest.mark.parametrize("tls", [STARTTLS, IMPLICIT])
async def test_a_message_goes_out_encrypted_and_logged_in(tls: str) -> None:
    async with MailServer(tls=tls, **ACCOUNT) as server:
        outcome = await send(config_for(server.port, tls=tls, **ACCOUNT))

    assert isinstance(outcome, Accepted)
    assert server.commands.count("AUTH") == 1
    assert len(server.mails) == 1


async def test_encryption_can_be_left_out_only_by_configuration() -> None:
    async with MailServer(tls=NONE) as server:
        outcome = await send(plain_config(server.port))

    assert isinstance(outcome, Accepted)


async def test_a_server_without_starttls_gets_nothing() -> None:
    async with MailServer(tls=NONE) as server:
        outcome = await send(config_for(server.port, **ACCOUNT))

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert "STARTTLS" in outcome.text
    assert not said_too_much(server)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [("454 4.7.0 TLS not available", TryLater), ("554 5.7.3 Unable to start TLS", Rejected)],
)
async def test_a_server_that_refuses_starttls_gets_nothing(
    answer: str, expected: type[Outcome]
) -> None:
    async def script(talk: Talk) -> None:
        await talk.greet("STARTTLS")
        await talk.hear("STARTTLS")
        await talk.say(answer)
        await talk.wait_for_end()

    async with ScriptedServer(script) as server:
        outcome = await send(config_for(server.port, **ACCOUNT))

    assert isinstance(outcome, expected)
    assert server.rest == b""


async def test_a_handshake_that_never_ends_means_not_sent_and_leaves_no_connection() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet("STARTTLS")
        await talk.hear("STARTTLS")
        await talk.say("220 Go on")
        await talk.wait_for_end()

    async with ScriptedServer(script) as server:
        outcome = await send(config_for(server.port, total_timeout=0.5))
        await eventually(lambda: server.open_connections == 0)

    assert isinstance(outcome, NotSent)


async def test_a_network_that_fails_amid_an_encrypted_session_leaves_no_connection() -> None:
    """A polite end of TLS waits for the other side, which may never answer again."""
    async with MailServer() as server, Relay(server.port) as relay:

        async def freeze(_: object) -> str:
            relay.frozen = True
            return "250 OK"

        server.answers["RCPT"] = freeze
        outcome = await send(config_for(relay.port, total_timeout=1.0))
        await eventually(lambda: relay.clients == 0)

    assert isinstance(outcome, NotSent)


@pytest.mark.parametrize("tls", [STARTTLS, IMPLICIT])
async def test_a_certificate_for_another_host_is_refused(tls: str) -> None:
    async with MailServer(tls=tls, certificate_host="mail.other.example", **ACCOUNT) as server:
        outcome = await send(config_for(server.port, tls=tls, **ACCOUNT))

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert "certificate" in outcome.text
    assert not said_too_much(server)


async def test_a_certificate_of_an_authority_that_is_not_trusted_is_refused() -> None:
    async with MailServer(**ACCOUNT) as server:
        outcome = await send(config_for(server.port, ca_file="", **ACCOUNT))

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert not said_too_much(server)


async def test_a_certificate_goes_unchecked_only_by_configuration() -> None:
    async with MailServer(certificate_host="mail.other.example", **ACCOUNT) as server:
        outcome = await send(config_for(server.port, ca_file="", verify=False, **ACCOUNT))

    assert isinstance(outcome, Accepted)


async def test_implicit_tls_on_a_port_without_it_is_a_matter_of_configuration() -> None:
    async with MailServer(tls=STARTTLS) as server:
        outcome = await send(config_for(server.port, tls=IMPLICIT))

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


async def test_no_version_below_tls_1_2_is_spoken() -> None:
    assert config_for(587).tls_context().minimum_version >= ssl.TLSVersion.TLSv1_2


async def test_a_wrong_password_is_a_matter_of_configuration_and_is_tried_once() -> None:
    async with MailServer(username=USERNAME, password="another") as server:
        outcome = await send(config_for(server.port, **ACCOUNT))

    assert isinstance(outcome, Rejected)
    assert (outcome.kind, outcome.code) == (RejectKind.CONFIGURATION, "535")
    assert server.commands.count("AUTH") == 1
    assert server.mails == []


async def test_a_server_that_offers_no_login_gets_nothing() -> None:
    async with MailServer() as server:
        outcome = await send(config_for(server.port, **ACCOUNT))

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION
    assert not said_too_much(server)


async def test_a_login_that_fails_for_now_is_try_later() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet("AUTH PLAIN LOGIN")
        await talk.hear("AUTH PLAIN")
        await talk.say("454 4.7.0 Temporary authentication failure")
        await talk.wait_for_end()

    async with ScriptedServer(script, tls=True) as server:
        outcome = await send(config_for(server.port, tls=IMPLICIT, **ACCOUNT))

    assert isinstance(outcome, TryLater)
    assert server.rest == b""


async def test_a_way_to_log_in_that_is_offered_but_unknown_is_passed_over() -> None:
    async def script(talk: Talk) -> None:
        await talk.greet("AUTH PLAIN LOGIN")
        await talk.hear("AUTH PLAIN")
        await talk.say("504 5.5.4 Unrecognized authentication type")
        await talk.hear("AUTH LOGIN")
        await talk.say("334 UGFzc3dvcmQ6")
        await talk.hear("")
        await talk.say("235 2.7.0 Welcome")
        await talk.take_mail()
        await talk.see_off()

    async with ScriptedServer(script, tls=True) as server:
        outcome = await send(config_for(server.port, tls=IMPLICIT, **ACCOUNT))

    assert isinstance(outcome, Accepted)
    assert server.surprises == []


async def test_what_somebody_slips_in_before_the_encryption_is_not_believed() -> None:
    """STARTTLS injection (RFC 3207 section 6): an answer in clear after the go-ahead is dropped."""

    async def script(talk: Talk) -> None:
        await talk.greet("STARTTLS")
        await talk.hear("STARTTLS")
        await talk.say("220 Go on", "250-mail.evil.example", "250 AUTH PLAIN")
        await talk.wait_for_end()

    async with ScriptedServer(script) as server:
        outcome = await asyncio.wait_for(
            send(config_for(server.port, total_timeout=1.0)), patience(5)
        )

    assert isinstance(outcome, NotSent)
