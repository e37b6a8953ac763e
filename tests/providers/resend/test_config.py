"""What Resend must be told."""

from typing import Any

import pytest

from app.transports.email.resend.config import ResendConfig
from app.transports.email.resend.transport import ResendTransport
from app.transports.http.basic_auth import Login

SECRET = "whsec_Y2FuYXJ5"


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": "a b"}, "RESEND_API_KEY"),
        ({"webhook_secret": "whsec_canary!"}, "RESEND_WEBHOOK_SECRET"),
        ({"webhook_secret": "whsec_"}, "RESEND_WEBHOOK_SECRET"),
        ({"previous_webhook_secret": "canary!"}, "RESEND_PREVIOUS_WEBHOOK_SECRET"),
        ({"base_url": "canary"}, "RESEND_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        ResendConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = ResendConfig(api_key="canary", webhook_secret=SECRET, previous_webhook_secret=SECRET)
    assert "canary" not in repr(config)
    assert SECRET not in repr(config)


def test_there_is_a_route_only_with_a_secret() -> None:
    assert not ResendConfig(api_key="k").takes_reports
    assert ResendConfig(api_key="k", webhook_secret=SECRET).takes_reports
    assert ResendConfig(api_key="k", webhook_logins=(Login("a", "b"),)).takes_reports


@pytest.mark.parametrize("secret", ["", SECRET])
def test_reports_count_as_signed_only_with_a_signing_secret(secret: str) -> None:
    config = ResendConfig(api_key="k", webhook_secret=secret)
    assert ResendTransport(config).facts.signs_webhooks is bool(secret)
