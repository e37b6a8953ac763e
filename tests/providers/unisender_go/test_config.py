"""What Unisender Go must be told."""

from typing import Any

import pytest

from app.transports.email.unisender_go.config import UnisenderGoConfig
from app.transports.http.basic_auth import Login


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": ""}, "UNISENDER_GO_API_KEY"),
        ({"api_key": "canary\r\nX-Evil: b"}, "UNISENDER_GO_API_KEY"),
        ({"webhook_key": "canary key"}, "UNISENDER_GO_WEBHOOK_KEY"),
        ({"previous_api_key": "canary key"}, "UNISENDER_GO_PREVIOUS_API_KEY"),
        ({"base_url": "go2.unisender.ru"}, "UNISENDER_GO_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        UnisenderGoConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = UnisenderGoConfig(
        api_key="canary",
        webhook_key="canary",
        previous_api_key="canary",
        webhook_logins=(Login("hooks", "canary"),),
    )
    assert "canary" not in repr(config)


def test_there_is_always_a_route_because_the_key_that_sends_signs() -> None:
    assert UnisenderGoConfig(api_key="k").takes_reports
