"""A configuration that could not work, or would give something away, is refused at boot."""

import socket
from typing import Any

import pytest

from app.transports.contract import Accepted
from app.transports.email.smtp import SmtpTransport
from app.transports.email.smtp_config import SmtpConfig
from tests.fakes.smtp_server import NONE, MailServer
from tests.providers.emails import an_email
from tests.providers.smtp_provider import plain_config

GOOD: dict[str, Any] = {"host": "mail.example.com", "message_id_domain": "example.com"}


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"host": ""}, "host"),
        ({"port": 0}, "port"),
        ({"port": 70_000}, "port"),
        ({"tls": "maybe"}, "tls"),
        ({"tls": "none", "username": "me", "password": "secret-1"}, "in clear"),
        ({"password": "secret-1"}, "username"),
        ({"message_id_domain": ""}, "message_id_domain"),
        ({"message_id_domain": "example.com>\r\nBcc: <a"}, "message_id_domain"),
        ({"message_id_domain": "example.com\n"}, "message_id_domain"),
        ({"helo": "me\r\nMAIL FROM:<evil@example.com>"}, "helo"),
        ({"helo": "me you"}, "helo"),
        ({"ca_file": "no/such/file.pem"}, "ca_file"),
        ({"connect_timeout": 30, "total_timeout": 30}, "connect_timeout"),
        ({"connect_timeout": 0}, "connect_timeout"),
        ({"pool_size": 0}, "pool_size"),
        ({"messages_per_session": 0}, "messages_per_session"),
        ({"tag_header": "X-Tag\r\nBcc"}, "tag_header"),
        ({"tag_header": "Bcc"}, "tag_header"),
    ],
)
def test_a_value_that_can_not_work_is_refused_and_named(change: dict[str, Any], word: str) -> None:
    """Field report 48, for the name in EHLO."""
    with pytest.raises(ValueError, match=word) as caught:
        SmtpConfig(**(GOOD | change))

    assert "secret-1" not in str(caught.value)


def test_encryption_is_required_and_checked_unless_configured_otherwise() -> None:
    config = SmtpConfig(**GOOD)

    assert (config.tls, config.verify) == ("starttls", True)


def test_a_configuration_does_not_show_its_password() -> None:
    config = SmtpConfig(**GOOD, username="me", password="secret-1")

    assert "secret-1" not in repr(config)


@pytest.mark.parametrize(("helo", "said"), [("", "mail.example.com"), ("out.example.com",) * 2])
async def test_the_machine_name_is_not_told(
    helo: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report 52, for the name in EHLO."""
    monkeypatch.setattr(socket, "getfqdn", lambda *_: "secret-machine.internal")
    monkeypatch.setattr(socket, "gethostname", lambda: "secret-machine")
    async with MailServer(tls=NONE) as server:
        transport = SmtpTransport(plain_config(server.port, helo=helo))
        outcome = await transport.send(an_email(), lambda: None)
        await transport.close()

    assert isinstance(outcome, Accepted)
    assert server.commands[0] == f"EHLO {said}"
    assert b"secret-machine" not in server.mails[0].content
