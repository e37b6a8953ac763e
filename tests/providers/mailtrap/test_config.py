"""What Mailtrap must be told."""

from typing import Any

import pytest

from app.transports.email.mailtrap.config import MailtrapConfig
from app.transports.email.mailtrap.transport import MailtrapTransport


def test_a_wrong_token_is_named_without_it() -> None:
    with pytest.raises(ValueError, match="MAILTRAP_API_TOKEN") as caught:
        MailtrapConfig(api_token="a canary")
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    secrets: dict[str, Any] = {"webhook_secret": "canary", "previous_webhook_secret": "canary"}
    assert "canary" not in repr(MailtrapConfig(api_token="canary", **secrets))


@pytest.mark.parametrize("secret", ["", "canary"])
def test_reports_count_as_signed_only_with_a_secret(secret: str) -> None:
    config = MailtrapConfig(api_token="t", webhook_secret=secret)
    assert MailtrapTransport(config).facts.signs_webhooks is bool(secret)
    assert config.takes_reports is bool(secret)


@pytest.mark.parametrize("inbox", ["x", "1/2", "-1"])
def test_a_wrong_inbox_is_named(inbox: str) -> None:
    with pytest.raises(ValueError, match="MAILTRAP_INBOX_ID"):
        MailtrapConfig(api_token="t", inbox_id=inbox)


def test_an_inbox_is_at_another_address() -> None:
    assert MailtrapConfig(api_token="t").api == "https://send.api.mailtrap.io"
    assert MailtrapConfig(api_token="t", inbox_id="7").api == "https://sandbox.api.mailtrap.io"
