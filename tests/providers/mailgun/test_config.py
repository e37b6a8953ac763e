"""What Mailgun must be told."""

from typing import Any

import pytest

from app.transports.email.mailgun.config import MailgunConfig
from app.transports.email.mailgun.transport import MailgunTransport

GOOD = {"api_key": "canary", "domain": "mg.example.com"}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": "a b"}, "MAILGUN_API_KEY"),
        ({"domain": ""}, "MAILGUN_DOMAIN"),
        ({"domain": "mg.example.com/x"}, "MAILGUN_DOMAIN"),
        ({"region": "mars"}, "MAILGUN_REGION"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        MailgunConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = MailgunConfig(**GOOD, webhook_key="canary", previous_webhook_key="canary")
    assert "canary" not in repr(config)


def test_a_region_has_its_address() -> None:
    assert MailgunConfig(**GOOD).api == "https://api.mailgun.net/v3"
    assert MailgunConfig(**GOOD, region="eu").api == "https://api.eu.mailgun.net/v3"


@pytest.mark.parametrize("key", ["", "canary"])
def test_reports_count_as_signed_only_with_a_key(key: str) -> None:
    config = MailgunConfig(**GOOD, webhook_key=key)
    assert MailgunTransport(config).facts.signs_webhooks is bool(key)
    assert config.takes_reports is bool(key)
