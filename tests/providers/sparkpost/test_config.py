"""What SparkPost must be told."""

from typing import Any

import pytest

from app.transports.email.sparkpost.config import SparkpostConfig
from app.transports.http.basic_auth import Login


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": ""}, "SPARKPOST_API_KEY"),
        ({"api_key": "canary\r\nX-Evil: b"}, "SPARKPOST_API_KEY"),
        ({"subaccount": "shop"}, "SPARKPOST_SUBACCOUNT"),
        ({"base_url": "api.eu.sparkpost.com"}, "SPARKPOST_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        SparkpostConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = SparkpostConfig(api_key="canary", webhook_logins=(Login("hooks", "canary"),))
    assert "canary" not in repr(config)
