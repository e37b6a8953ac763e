"""A channel that could not send is refused before a message waits for it."""

import pytest

from tests.unit.configuration.given import problems, refused, warned

SMTP = {"SMTP_HOST": "mail.example.com", "MESSAGE_ID_DOMAIN": "example.com"}
TWILIO = {"TWILIO_ACCOUNT_SID": f"AC{'0' * 32}", "TWILIO_AUTH_TOKEN": "token"}


def test_a_channel_that_nobody_knows_is_refused_with_those_that_there_are() -> None:
    said = refused(EMAIL_CHANNEL="smpt")["EMAIL_CHANNEL"]
    assert "There are: smtp, " in said
    assert "Did you mean smtp?" in said


@pytest.mark.parametrize(
    ("setting", "channel", "needed"),
    [
        ("EMAIL_CHANNEL", "smtp", "SMTP_HOST"),
        ("EMAIL_CHANNEL", "postmark", "POSTMARK_SERVER_TOKEN"),
        ("SMS_CHANNEL", "twilio", "TWILIO_ACCOUNT_SID"),
    ],
)
def test_a_channel_that_is_not_configured_is_refused_with_what_to_set(
    setting: str, channel: str, needed: str
) -> None:
    assert f"set {needed}" in refused(**{setting: channel})[setting]


def test_an_sms_channel_is_no_email_channel() -> None:
    assert "names no channel" in refused(**TWILIO, EMAIL_CHANNEL="twilio")["EMAIL_CHANNEL"]


def test_configured_channels_are_welcome() -> None:
    assert problems(**SMTP, **TWILIO, EMAIL_CHANNEL="smtp", SMS_CHANNEL="twilio") == []


def test_smtp_needs_a_domain_for_message_ids() -> None:
    assert list(refused(SMTP_HOST="mail.example.com")) == ["MESSAGE_ID_DOMAIN"]


@pytest.mark.parametrize(
    ("given", "missing"),
    [("SMTP_USERNAME", "SMTP_PASSWORD"), ("SMTP_PASSWORD", "SMTP_USERNAME")],
)
def test_half_of_the_credentials_is_refused(given: str, missing: str) -> None:
    assert list(refused(**SMTP, **{given: "x"})) == [missing]


def test_a_password_is_never_sent_in_clear() -> None:
    said = refused(**SMTP, SMTP_TLS="none", SMTP_USERNAME="x", SMTP_PASSWORD="y")
    assert "in clear" in said["SMTP_TLS"]


def test_everything_that_is_wrong_with_a_channel_is_said_at_once() -> None:
    said = refused(SMTP_HOST="mail.example.com", SMTP_USERNAME="x", SMTP_PORT="x")
    assert set(said) == {"MESSAGE_ID_DOMAIN", "SMTP_PASSWORD", "SMTP_PORT"}


def test_twilio_needs_a_token_or_a_key() -> None:
    assert list(refused(TWILIO_ACCOUNT_SID=TWILIO["TWILIO_ACCOUNT_SID"])) == ["TWILIO_AUTH_TOKEN"]


def test_twilio_says_all_that_is_wrong_at_once() -> None:
    said = refused(
        TWILIO_ACCOUNT_SID="AC1",
        TWILIO_API_KEY_SID="SK1",
        TWILIO_WEBHOOK_URL="https://hooks.example.com/webhooks/sms/twilio",
    )
    assert set(said) == {"TWILIO_ACCOUNT_SID", "TWILIO_API_KEY_SID", "TWILIO_WEBHOOK_URL"}


def test_a_webhook_without_secret_is_refused() -> None:
    said = refused(
        TWILIO_ACCOUNT_SID=TWILIO["TWILIO_ACCOUNT_SID"],
        TWILIO_API_KEY_SID=f"SK{'0' * 32}",
        TWILIO_API_KEY_SECRET="x",
        TWILIO_WEBHOOK_URL="https://hooks.example.com/webhooks/sms/twilio",
    )
    assert "TWILIO_AUTH_TOKEN or TWILIO_SHARED_KEY" in said["TWILIO_WEBHOOK_URL"]


def test_a_webhook_at_another_path_deserves_a_look() -> None:
    said = warned(**TWILIO, TWILIO_WEBHOOK_URL="https://hooks.example.com/twilio?a=b")
    assert "/webhooks/sms/twilio" in said["TWILIO_WEBHOOK_URL"]


def test_credentials_of_a_channel_that_does_not_exist_deserve_a_look() -> None:
    said = warned(SMTP_PASSWORD="x", TWILIO_AUTH_TOKEN="x")
    assert "SMTP_HOST" in said["SMTP_PASSWORD"]
    assert "TWILIO_ACCOUNT_SID" in said["TWILIO_AUTH_TOKEN"]
