"""What SendGrid must be told."""

from typing import Any

import pytest

from app.transports.email.sendgrid.config import SendgridConfig
from app.transports.email.sendgrid.transport import SendgridTransport
from tests.providers.sendgrid.test_reports import KEY, public


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": "a b"}, "SENDGRID_API_KEY"),
        ({"webhook_key": "canary"}, "SENDGRID_WEBHOOK_KEY"),
        ({"previous_webhook_key": "AAAA"}, "SENDGRID_PREVIOUS_WEBHOOK_KEY"),
        ({"region": "mars"}, "SENDGRID_REGION"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        SendgridConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_a_region_has_its_address() -> None:
    assert SendgridConfig(api_key="k").api == "https://api.sendgrid.com/v3"
    assert SendgridConfig(api_key="k", region="eu").api == "https://api.eu.sendgrid.com/v3"
    assert SendgridConfig(api_key="k", region="eu", base_url="http://x/").api == "http://x"


@pytest.mark.parametrize("key", ["", public(KEY)])
def test_reports_count_as_signed_only_with_a_key(key: str) -> None:
    config = SendgridConfig(api_key="k", webhook_key=key)
    assert SendgridTransport(config).facts.signs_webhooks is bool(key)
    assert config.takes_reports is bool(key)
