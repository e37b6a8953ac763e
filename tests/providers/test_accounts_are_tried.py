"""Each account can be tried without sending anything, as far as its provider can be asked."""

from typing import Any

import pytest

from app.configuration.table.email import EMAIL_PROVIDERS
from app.transports.contract import CannotTell, Check, Checkable, Fails, Works
from app.transports.email.probes import PROBES
from app.transports.email.smtp import SmtpTransport
from app.transports.features import FEATURES
from app.transports.sms.twilio import TwilioTransport
from app.transports.sms.twilio_config import TwilioConfig
from local.ports import HOST, free_port
from tests.fakes.anything import Anything, anything
from tests.fakes.smtp_server import NONE, MailServer
from tests.providers.api_account import SECRET
from tests.providers.every import transport_of
from tests.providers.smtp_provider import PASSWORD, USERNAME, config_for, plain_config

ASKED = ["postmark", *PROBES]
RIGHT: dict[str, Any] = {"postal": {"status": "error", "data": {"code": "MessageNotFound"}}}
WRONG: dict[str, tuple[int, Any]] = {
    "postal": (200, {"status": "error", "data": {"code": "InvalidServerAPIKey"}}),
    "mandrill": (500, {"status": "error", "code": -1, "name": "Invalid_Key"}),
}
ACCOUNT = f"AC{'0' * 32}"


async def check(name: str, server: Anything) -> Check:
    transport = transport_of(name, base_url=server.base_url)
    try:
        return await transport.check()
    finally:
        await transport.close()


@pytest.mark.parametrize("name", ASKED)
async def test_a_right_key_is_known_by_one_harmless_question(name: str) -> None:
    async with anything(200, RIGHT.get(name)) as server:
        found = await check(name, server)

    assert isinstance(found, Works)
    sending = getattr(transport_of(name, base_url=server.base_url), "path", "/email")
    [asked] = server.asked
    assert asked != ("POST", sending)


@pytest.mark.parametrize("name", ASKED)
async def test_a_wrong_key_is_told_without_showing_it(name: str) -> None:
    status, body = WRONG.get(name, (401, {"message": f"unknown key {SECRET}"}))
    async with anything(status, body) as server:
        found = await check(name, server)

    assert isinstance(found, Fails)
    assert SECRET not in found.text


@pytest.mark.parametrize("name", ASKED)
async def test_an_odd_answer_proves_nothing(name: str) -> None:
    """A page for people, too, though it is there: the address may be another one's."""
    for status, body in ((200, "<html>"), (500, "<html>"), (404, []), (302, {})):
        async with anything(status, body) as server:
            assert isinstance(await check(name, server), CannotTell)


@pytest.mark.parametrize("name", ASKED)
async def test_who_is_not_reached_does_not_work(name: str) -> None:
    nobody = Anything(base_url=f"http://{HOST}:{free_port()}")
    assert isinstance(await check(name, nobody), Fails)


async def test_a_key_that_may_only_send_is_a_right_one() -> None:
    async with anything(401, {"name": "restricted_api_key"}) as server:
        assert isinstance(await check("resend", server), Works)


@pytest.mark.parametrize("name", [one.name for one in EMAIL_PROVIDERS])
def test_nothing_is_sent_with_a_key_that_is_wrong(name: str) -> None:
    """Also where the provider doesn't say what is wrong with it."""
    assert "http_401" in transport_of(name, base_url="https://api.example.com").facts.pause_codes


async def test_mailtrap_can_not_be_asked() -> None:
    async with anything() as server:
        assert isinstance(await check("mailtrap", server), CannotTell)
    assert server.asked == []


def test_what_is_said_of_checks_is_so() -> None:
    for one in EMAIL_PROVIDERS:
        assert FEATURES[one.name].checks == (one.name in ASKED)


async def test_a_mail_server_is_logged_in_to_and_left() -> None:
    account = {"username": USERNAME, "password": PASSWORD}
    async with MailServer(username=USERNAME, password=PASSWORD) as server:
        transport = SmtpTransport(config_for(server.port, **account))
        assert isinstance(transport, Checkable)
        found = await transport.check()
        await transport.close()

    assert isinstance(found, Works)
    assert "encrypted" in found.text
    verbs = [command.partition(" ")[0] for command in server.commands]
    assert (verbs[-1], "AUTH" in verbs, "MAIL" in verbs) == ("QUIT", True, False)
    assert server.mails == []


async def test_a_password_that_a_mail_server_refuses_is_told() -> None:
    async with MailServer(username=USERNAME, password="another") as server:
        transport = SmtpTransport(config_for(server.port, username=USERNAME, password=PASSWORD))
        found = await transport.check()
        await transport.close()

    assert isinstance(found, Fails)
    assert PASSWORD not in found.text


async def test_a_mail_server_that_is_away_is_told() -> None:
    transport = SmtpTransport(plain_config(free_port()))
    assert isinstance(await transport.check(), Fails)
    await transport.close()


async def test_a_mail_server_in_clear_is_called_that() -> None:
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port))
        found = await transport.check()
        await transport.close()
    assert isinstance(found, Works)
    assert "in clear" in found.text


@pytest.mark.parametrize(
    ("status", "body", "kind"),
    [
        (200, {"sid": ACCOUNT, "status": "active"}, Works),
        (200, {"sid": ACCOUNT, "status": "suspended"}, Fails),
        (200, {"sid": f"AC{'1' * 32}", "status": "active"}, CannotTell),
        (200, [], CannotTell),
        (401, {"code": 20003, "message": "Authenticate", "status": 401}, Fails),
        (503, {}, CannotTell),
    ],
)
async def test_twilio_is_asked_for_the_account(status: int, body: Any, kind: type[Any]) -> None:
    async with anything(status, body) as server:
        config = TwilioConfig(account_sid=ACCOUNT, auth_token=SECRET, base_url=server.base_url)
        transport = TwilioTransport(config)
        found = await transport.check()
        await transport.close()

    assert isinstance(found, kind)
    assert server.asked == [("GET", f"/2010-04-01/Accounts/{ACCOUNT}.json")]
