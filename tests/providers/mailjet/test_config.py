"""What Mailjet must be told."""

from typing import Any

import pytest

from app.transports.email.mailjet.config import MailjetConfig


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"api_key": "a:b"}, "MAILJET_API_KEY"),
        ({"secret_key": ""}, "MAILJET_SECRET_KEY"),
        ({"secret_key": "a canary"}, "MAILJET_SECRET_KEY"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        MailjetConfig(**({"api_key": "k", "secret_key": "canary"} | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    assert "canary" not in repr(MailjetConfig(api_key="k", secret_key="canary"))
