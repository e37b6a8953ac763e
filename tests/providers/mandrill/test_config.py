"""What Mandrill must be told."""

from typing import Any

import pytest

from app.transports.email.mandrill.config import MandrillConfig
from app.transports.email.mandrill.transport import MandrillTransport
from app.transports.http.basic_auth import Login


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": ""}, "MANDRILL_API_KEY"),
        ({"api_key": "canary key"}, "MANDRILL_API_KEY"),
        ({"webhook_key": "canary key"}, "MANDRILL_WEBHOOK_KEY"),
        ({"base_url": "mandrillapp.com"}, "MANDRILL_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        MandrillConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = MandrillConfig(
        api_key="canary",
        webhook_key="canary",
        previous_webhook_key="canary",
        webhook_logins=(Login("hooks", "canary"),),
    )
    assert "canary" not in repr(config)


@pytest.mark.parametrize(
    ("settings", "reports", "signs"),
    [
        ({}, False, False),
        ({"webhook_key": "k"}, True, True),
        ({"previous_webhook_key": "k"}, True, True),
        ({"webhook_logins": (Login("hooks", "p"),)}, True, False),
    ],
)
def test_there_is_a_route_as_soon_as_a_secret_protects_it(
    settings: dict[str, Any], reports: bool, signs: bool
) -> None:
    config = MandrillConfig(api_key="k", **settings)
    assert config.takes_reports is reports
    assert MandrillTransport(config).facts.signs_webhooks is signs
