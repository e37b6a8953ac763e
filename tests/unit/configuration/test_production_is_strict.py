"""What may do elsewhere is refused in production, with what to set."""

import pytest

from tests.unit.configuration.given import PRODUCTION, problems, refused, warned


def test_a_whole_configuration_is_welcome() -> None:
    assert problems(**PRODUCTION) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [("QUEUE_CONNECTION", "memory"), ("CACHE_STORE", "array"), ("SESSION_DRIVER", "cookie")],
)
def test_what_ends_at_one_process_is_refused_in_production_only(name: str, value: str) -> None:
    assert "Set redis" in refused(**PRODUCTION, **{name: value})[name]
    assert problems(**{name: value}) == []


def test_a_missing_key_is_refused() -> None:
    assert "arvel key:generate" in refused(**{**PRODUCTION, "APP_KEY": ""})["APP_KEY"]
    assert "arvel key:generate" in warned(APP_KEY="")["APP_KEY"]


def test_without_any_account_each_method_is_refused_with_what_to_set() -> None:
    said = refused(APP_ENV="production")
    assert "SMTP_HOST" in said["EMAIL_CHANNEL"]
    assert "TWILIO_ACCOUNT_SID" in said["SMS_CHANNEL"]


def test_whoever_sends_email_alone_is_only_reminded_of_sms() -> None:
    only_email = {k: v for k, v in PRODUCTION.items() if not k.startswith("TWILIO")}
    assert refused(**only_email) == {}
    assert "TWILIO_ACCOUNT_SID" in warned(**only_email)["SMS_CHANNEL"]


@pytest.mark.parametrize("setting", ["EMAIL_CHANNEL", "SMS_CHANNEL"])
def test_the_sandbox_as_a_channel_is_refused(setting: str) -> None:
    assert "sends nothing" in refused(**PRODUCTION, **{setting: "sandbox"})[setting]


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("PUBLIC_URL", "http://hooks.example.com", "https"),
        ("SMTP_TLS", "none", "in clear"),
        ("APP_DEBUG", "true", "strangers"),
        ("TWILIO_WEBHOOK_URL", "http://hooks.example.com/webhooks/sms/twilio", "https"),
    ],
)
def test_what_is_only_careless_deserves_a_look(name: str, value: str, words: str) -> None:
    environment = {**PRODUCTION, name: value}
    assert refused(**environment) == {}
    assert words in warned(**environment)[name]


@pytest.mark.parametrize("name", ["prod", "Production", "PRODUCTION", "prodution", "live", "prd"])
def test_what_nearly_says_production_is_refused(name: str) -> None:
    assert "production" in refused(APP_ENV=name)["APP_ENV"]


@pytest.mark.parametrize("name", ["local", "testing", "staging", "preproduction", "dev"])
def test_other_places_are_welcome(name: str) -> None:
    assert problems(APP_ENV=name) == []
