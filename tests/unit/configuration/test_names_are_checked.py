"""A name that nothing reads, although somebody meant it for us, is not passed over."""

import pytest

from tests.unit.configuration.given import problems, refused, warned


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("VDQ_TWILIO_SMS_TIMEOUT_HOURS", "SMS_TIMEOUT_HOURS"),
        ("VDQ_EMAIL_TRACKING_STRATEGY", "EMAIL_TRACKING_STRATEGY"),
        ("VDQ_MAX_FILES_AGE_IN_SECONDS", "MAX_FILES_AGE_IN_SECONDS"),
        ("VDQ_TWILIO_ACCOUNT_SID", "TWILIO_ACCOUNT_SID"),
        ("VDQ_SMS_TIMEOUT_HOURS", "SMS_TIMEOUT_HOURS"),
    ],
)
@pytest.mark.parametrize("place", ["local", "testing", "production"])
def test_a_setting_of_vdq_is_refused_everywhere_with_its_new_name(
    old: str, new: str, place: str
) -> None:
    said = refused(**{old: "1", "APP_ENV": place})
    assert said[old] == f"is called {new} here. Rename it."


def test_a_setting_of_vdq_that_has_no_counterpart_is_refused() -> None:
    assert "has none" in refused(VDQ_WHATEVER="1")["VDQ_WHATEVER"]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("DISPATCH_MAX_RETRYS", "DISPATCH_MAX_RETRIES"),
        ("DISPATCH_SENDTIMEOUT", "DISPATCH_SEND_TIMEOUT"),
        ("SMTP_USER", "SMTP_USERNAME"),
        ("SMTP_PASSWORD_FILE", "SMTP_PASSWORD"),
        ("TWILIO_ACCOUNT_ID", "TWILIO_ACCOUNT_SID"),
        ("TWILIO_API_KEY", "TWILIO_API_KEY_SID"),
        ("QUEUE_CONCURENCY", "QUEUE_CONCURRENCY"),
        ("SANDBOX_DELAY", "SANDBOX_REPORT_DELAY"),
    ],
)
def test_a_misspelt_setting_is_refused_with_the_right_name(wrong: str, right: str) -> None:
    assert f"Did you mean {right}?" in refused(**{wrong: "1"})[wrong]


def test_a_name_like_none_of_ours_is_refused_without_a_guess() -> None:
    said = refused(QUEUE_XYZ="1")["QUEUE_XYZ"]
    assert "no setting of Pillarbox" in said
    assert "Did you mean" not in said


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("EMAIL_CHANEL", "EMAIL_CHANNEL"),
        ("PUBLIC_URLS", "PUBLIC_URL"),
        ("public_url", "PUBLIC_URL"),
    ],
)
def test_a_name_that_may_be_somebody_elses_is_only_mentioned(wrong: str, right: str) -> None:
    assert refused(**{wrong: "x"}) == {}
    assert f"Did you mean {right}?" in warned(**{wrong: "x"})[wrong]


@pytest.mark.parametrize(
    "name",
    [
        "PATH",
        "HOME",
        "DATABASE_HOST",
        "EMAIL_HOST",
        "REDIS_URI",
        "OTEL_RESOURCE_ATTRIBUTES",
        "SMTP_SERVICE_HOST",
        "SMTP_SERVICE_PORT_SMTP",
        "QUEUE_PORT_6379_TCP_ADDR",
        "QUEUE_PORT_6379_TCP",
    ],
)
def test_names_of_others_are_left_alone(name: str) -> None:
    assert problems(**{name: "x"}) == []
