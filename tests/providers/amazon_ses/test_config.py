"""What Amazon SES must be told."""

from typing import Any

import pytest

from app.transports.email.amazon_ses.config import AmazonSesConfig
from app.transports.email.amazon_ses.transport import AmazonSesTransport
from tests.fakes.sns import TOPIC

GOOD: dict[str, Any] = {
    "access_key_id": "AKIATESTTESTTEST",
    "secret_access_key": "canary",
    "region": "eu-west-1",
}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"access_key_id": "canary"}, "SES_ACCESS_KEY_ID"),
        ({"secret_access_key": ""}, "SES_SECRET_ACCESS_KEY"),
        ({"region": "Ireland"}, "SES_REGION"),
        ({"region": "eu-west-1.evil.example"}, "SES_REGION"),
        ({"configuration_set": "a b"}, "SES_CONFIGURATION_SET"),
        ({"topic_arns": f"{TOPIC},pillarbox"}, "SES_TOPIC_ARNS"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        AmazonSesConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    assert "canary" not in repr(AmazonSesConfig(**GOOD, session_token="canary"))


def test_a_region_has_its_address() -> None:
    assert AmazonSesConfig(**GOOD).api == "https://email.eu-west-1.amazonaws.com"
    china = AmazonSesConfig(**(GOOD | {"region": "cn-north-1"}))
    assert china.api == "https://email.cn-north-1.amazonaws.com.cn"


@pytest.mark.parametrize("topics", ["", TOPIC, f"{TOPIC}, {TOPIC}-2"])
def test_reports_count_as_signed_only_with_a_topic(topics: str) -> None:
    config = AmazonSesConfig(**GOOD, topic_arns=topics)
    assert AmazonSesTransport(config).facts.signs_webhooks is bool(topics)
    assert config.takes_reports is bool(topics)
