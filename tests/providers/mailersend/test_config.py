"""What MailerSend must be told."""

from typing import Any

import pytest

from app.transports.email.mailersend.config import MailersendConfig
from app.transports.email.mailersend.transport import MailersendTransport


def test_a_wrong_token_is_named_without_it() -> None:
    with pytest.raises(ValueError, match="MAILERSEND_API_TOKEN") as caught:
        MailersendConfig(api_token="a canary")
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    secrets: dict[str, Any] = {"webhook_secret": "canary", "previous_webhook_secret": "canary"}
    assert "canary" not in repr(MailersendConfig(api_token="canary", **secrets))


@pytest.mark.parametrize("secret", ["", "canary"])
def test_reports_count_as_signed_only_with_a_secret(secret: str) -> None:
    config = MailersendConfig(api_token="t", webhook_secret=secret)
    assert MailersendTransport(config).facts.signs_webhooks is bool(secret)
    assert config.takes_reports is bool(secret)
