"""What Brevo must be told."""

from typing import Any

import pytest

from app.transports.email.brevo.config import BrevoConfig
from app.transports.http.basic_auth import Login


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": ""}, "BREVO_API_KEY"),
        ({"api_key": "canary key"}, "BREVO_API_KEY"),
        ({"api_key": "canary\r\nX-Evil: b"}, "BREVO_API_KEY"),
        ({"base_url": "api.brevo.com"}, "BREVO_BASE_URL"),
        ({"webhook_logins": (Login("a:b", "canary"),)}, "BREVO_WEBHOOK_USER"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        BrevoConfig(**({"api_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = BrevoConfig(api_key="canary", webhook_logins=(Login("hooks", "canary"),))
    assert "canary" not in repr(config)
