"""A value that its setting can't have is refused, with what it must be."""

import pytest

from app.configuration import SETTINGS
from tests.unit.configuration.given import KEY, problems, refused


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("SMTP_PORT", "abc", "a whole number from 1 to 65535. Without it: 587."),
        ("SMTP_PORT", "0", "a whole number"),
        ("SMTP_PORT", "65536", "a whole number"),
        ("SMTP_PORT", "25.5", "a whole number"),
        ("SMTP_PORT", "", "a whole number"),
        ("DATABASE_POOL_SIZE", "0", "a whole number"),
        ("QUEUE_CONCURRENCY", "-1", "a whole number"),
        ("DISPATCH_MAX_RETRIES", "twelve", "a whole number"),
        ("DISPATCH_SWEEP_EVERY", "0", "a number of seconds, more than 0"),
        ("SMS_TIMEOUT_HOURS", "-1", "a number of hours, more than 0"),
        ("SMS_TIMEOUT_HOURS", "nan", "a number of hours"),
        ("SMS_TIMEOUT_HOURS", "inf", "a number of hours"),
        ("EMAIL_TIMEOUT_HOURS", "-0.5", "a number of hours, 0 or more"),
        ("SMS_TIMEOUT_FROM", "delivery", "queued or accepted"),
        ("SMTP_TLS", "tls", "starttls or implicit or none"),
        ("QUEUE_CONNECTION", "rabbitmq", "redis or amqp or memory"),
        ("CACHE_STORE", "file", "redis or array"),
        ("SESSION_DRIVER", "file", "redis or cookie"),
        ("DISPATCH_RETRY_JITTER", "yes", "true or false"),
        ("OTEL_ENABLED", "maybe", "true or false"),
        ("LOG_LEVEL", "loud", "debug, info, warning, error or critical"),
        ("SMTP_PASSWORD", "true", 'in quotes, as in "true"'),
        ("SMTP_PASSWORD", "null", "in quotes"),
        ("WORKER_MAX_TIME", "-1", "0 or more and at most 31622400"),
        ("PUBLIC_URL", "hooks.example.com", "a web address such as https://"),
        ("PUBLIC_URL", "https://", "a web address"),
        ("PUBLIC_URL", "", "a web address"),
        ("PUBLIC_URL", "https://a.example.com,ftp://b.example.com", "a web address"),
        ("PUBLIC_URL", "https://a.example.com?x=1", "a web address"),
        ("DATABASE_URL", "mysql://localhost/x", "postgresql://"),
        ("DATABASE_URL", "postgresql://user:pass/word@host/x", "postgresql://"),
        ("REDIS_URL", "localhost:6379", "redis://"),
        ("APP_KEY", "short", "32 bytes in base64"),
        ("APP_KEY", "base64:c2hvcnQ=", "32 bytes in base64"),
        ("APP_PREVIOUS_KEYS", f"{KEY},short", "by comma"),
        ("TRUSTED_PROXIES", "10.0.0.0/8", "networks are not understood"),
        ("DISPATCH_ALLOW_REAL", "a@example.com, anna@", "entry 2 is none of these"),
        ("SMTP_HOST", "mail.example.com:587", "a host name"),
        ("SMTP_CA_FILE", "/nowhere.pem", "a file that can be read"),
        ("HISTORY_KEEP_DAYS", "34", "35 or more"),
        ("EMAIL_TRACKING_STRATEGY", "nowhere.Strategy", "names the module nowhere"),
        ("EMAIL_TRACKING_STRATEGY", ".relative.Strategy", "can't be imported (TypeError)"),
    ],
)
def test_a_value_of_a_wrong_kind_is_refused(name: str, value: str, words: str) -> None:
    said = refused(**{name: value})
    assert list(said) == [name]
    assert said[name].startswith("must be ")
    assert words in said[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMS_TIMEOUT_HOURS", "0.25"),
        ("EMAIL_TIMEOUT_HOURS", "0"),
        ("DISPATCH_RETRY_JITTER", "TRUE"),
        ("DISPATCH_RETRY_JITTER", "1"),
        ("APP_NAME", '"true"'),
        ("PUBLIC_URL", "https://old.example.com, https://new.example.com:8443/pillarbox/"),
        ("DATABASE_URL", "postgresql://user:p%40ss@host:5432/x?ssl=require"),
        ("DATABASE_URL", "postgresql+asyncpg://host/x"),
        ("REDIS_URL", "rediss://:password@[::1]:6380/2"),
        ("APP_PREVIOUS_KEYS", f"{KEY}, {KEY}"),
        ("TRUSTED_PROXIES", "10.0.0.1,::1"),
        ("TRUSTED_PROXIES", "*"),
        ("DISPATCH_ALLOW_REAL", "a@example.com, @example.org, +14155550123"),
        ("LOG_LEVEL", "DEBUG"),
        ("MAX_FILES_AGE_IN_SECONDS", "0"),
    ],
)
def test_a_value_that_fits_is_not_mentioned(name: str, value: str) -> None:
    assert problems(**{name: value}) == []


def test_a_value_taken_over_from_another_setting_is_mentioned_once() -> None:
    assert list(refused(REDIS_URL="nonsense")) == ["REDIS_URL"]


def test_everything_that_is_wrong_is_said_at_once() -> None:
    assert set(refused(SMTP_PORT="x", DISPATCH_LEASE="x", PUBLIC_URL="x", VDQ_X="x")) == {
        "SMTP_PORT",
        "DISPATCH_LEASE",
        "PUBLIC_URL",
        "VDQ_X",
    }


NAMES_OF_CODE = {"EMAIL_TRACKING_STRATEGY"}
"""Which class could not be found is what one must know."""


@pytest.mark.parametrize("name", sorted(SETTINGS.keys() - NAMES_OF_CODE))
def test_no_value_is_ever_quoted(name: str) -> None:
    for value in ("canary", "canary,canary", "canary@", "https://u:canary@h?canary", '"canary"'):
        for place in ("local", "production"):
            environment = {"APP_ENV": place, name: value}
            assert "canary" not in "".join(map(str, problems(**environment)))


def test_no_value_is_quoted_when_all_are_wrong() -> None:
    names = SETTINGS.keys() - NAMES_OF_CODE
    environment = {name: f"canary {name.lower()}" for name in names}
    found = problems(**environment, VDQ_SECRET="canary", SMTP_SECRET="canary")
    assert len(found) > 30
    assert "canary" not in "".join(map(str, found))
