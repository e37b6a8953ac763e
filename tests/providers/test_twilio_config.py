"""What Twilio must be told, and which media addresses it may be given."""

from typing import Any

import pytest
from twilio.rest import Client

from app.transports.sms.twilio_config import TwilioConfig
from app.transports.sms.twilio_media import find_media_problem

GOOD: dict[str, Any] = {"account_sid": "AC" + "a" * 32, "auth_token": "canary-token"}


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"account_sid": "AC1"}, "TWILIO_ACCOUNT_SID"),
        ({"account_sid": "SK" + "a" * 32}, "TWILIO_ACCOUNT_SID"),
        ({"auth_token": ""}, "TWILIO_AUTH_TOKEN"),
        ({"api_key_sid": "SK1"}, "TWILIO_API_KEY_SECRET"),
        ({"webhook_url": "/webhooks/sms/twilio"}, "TWILIO_WEBHOOK_URL"),
        (
            {
                "webhook_url": "https://hooks.example.com/t",
                "auth_token": "",
                "api_key_sid": "SK1",
                "api_key_secret": "canary-secret",
            },
            "TWILIO_SHARED_KEY",
        ),
        ({"connect_timeout": 30.0}, "connect timeout"),
        ({"region": "https://x"}, "TWILIO_REGION"),
        ({"edge": "dublin.ie1"}, "TWILIO_EDGE"),
        ({"region": "ie1", "base_url": "https://x.example.com"}, "TWILIO_BASE_URL"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        TwilioConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


@pytest.mark.parametrize("region", ["", "ie1", "au1"])
@pytest.mark.parametrize("edge", ["", "dublin", "sydney"])
def test_region_and_edge_lead_where_the_sdk_goes(region: str, edge: str) -> None:
    sdk = Client("AC", "token", region=region or None, edge=edge or None, environment={})
    expected = sdk.get_hostname("https://api.twilio.com")

    assert TwilioConfig(**GOOD, region=region, edge=edge).api == expected.rstrip("/")


def test_another_address_stands_alone() -> None:
    config = TwilioConfig(**GOOD, base_url="https://proxy.example.com/")
    assert config.api == "https://proxy.example.com"


def test_configuration_shows_no_secret() -> None:
    secrets = dict.fromkeys(
        ("auth_token", "previous_auth_token", "api_key_secret", "shared_key", "proxy"), "canary"
    )
    assert "canary" not in repr(TwilioConfig(**(GOOD | secrets | {"api_key_sid": "SK1"})))


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com/a.png",
        "https://cdn.example.co.uk:8443/a%20b.png?x=1&y=2",
        "https://xn--bcher-kva.example/a.png",
        "https://a.b.example.com./a.png",
    ],
)
def test_public_address_is_media(url: str) -> None:
    assert find_media_problem(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "",
        "http://example.com/a.png",
        "ftp://example.com/a.png",
        "file:///etc/passwd",
        "//example.com/a.png",
        "https://",
        "https:///a.png",
        "https://user@example.com/a.png",
        "https://user:secret@example.com/a.png",
        "https://example.com@127.0.0.1/a.png",
        "https://example.com\\@127.0.0.1/a.png",
        "https://127.0.0.1/a.png",
        "https://169.254.169.254/latest/meta-data",
        "https://2130706433/a.png",
        "https://0x7f.0.0.0x1/a.png",
        "https://127.1/a.png",
        "https://[::1]/a.png",
        "https://[::ffff:10.0.0.1]/a.png",
        "https://[/a.png",
        "https://localhost/a.png",
        "https://localhost./a.png",
        "https://intranet/a.png",
        "https://db.internal/a.png",
        "https://metadata.google.internal/a.png",
        "https://printer.local/a.png",
        "https://router.home.arpa/a.png",
        "https://exam_ple.com/a.png",
        "https://-example.com/a.png",
        "https://example..com/a.png",
        "https://bücher.example/a.png",
        "https://example.com/a b.png",
        "https://example.com/a\r\nX: y",
        "https://example.com:0/a.png",
        "https://example.com:99999/a.png",
        "https://example.com/" + "a" * 3000,
    ],
)
def test_other_address_is_no_media(url: str) -> None:
    assert find_media_problem(url)
