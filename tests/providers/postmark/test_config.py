"""What Postmark must be told, and what is said about it at boot."""

from typing import Any

import pytest

from app.configuration import SETTINGS, Given, Problem, find_problems
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.http.basic_auth import Login

GOOD: dict[str, Any] = {"server_token": "canary-token"}
STRONG = "x" * 43


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"server_token": ""}, "POSTMARK_SERVER_TOKEN"),
        ({"server_token": "a b"}, "POSTMARK_SERVER_TOKEN"),
        ({"server_token": "a\r\nX-Evil: b"}, "POSTMARK_SERVER_TOKEN"),
        ({"message_stream": "no stream"}, "POSTMARK_MESSAGE_STREAM"),
        ({"message_id_domain": "no domain"}, "MESSAGE_ID_DOMAIN"),
        ({"base_url": "api.postmarkapp.com"}, "POSTMARK_BASE_URL"),
        ({"webhook_logins": (Login("a:b", "canary"),)}, "POSTMARK_WEBHOOK_USER"),
        ({"connect_timeout": 30.0}, "connect timeout"),
    ],
)
def test_wrong_setting_is_named_without_its_secrets(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        PostmarkConfig(**(GOOD | settings))
    assert "canary" not in str(caught.value)


def test_configuration_shows_no_secret() -> None:
    config = PostmarkConfig(**GOOD, webhook_logins=(Login("hooks", "canary-password"),))
    assert "canary" not in repr(config)


def problems_with(**settings: str) -> list[Problem]:
    """What boot says of Postmark's webhook."""
    environment = {"APP_ENV": "production", "POSTMARK_SERVER_TOKEN": "t", **settings}
    values = {SETTINGS[name].key: value for name, value in environment.items()}
    found = find_problems(Given(environment, lambda key: values.get(key, "")))
    return [problem for problem in found if problem.setting.startswith("POSTMARK_WEBHOOK")]


def test_boot_says_that_there_is_no_route_without_a_password() -> None:
    [problem] = problems_with()
    assert problem.setting == "POSTMARK_WEBHOOK_PASSWORD"
    assert "no route" in problem.text
    assert problem.severity == "warning"


@pytest.mark.parametrize(("place", "severity"), [("production", "wrong"), ("local", "warning")])
def test_a_short_password_is_refused_in_production(place: str, severity: str) -> None:
    [problem] = problems_with(POSTMARK_WEBHOOK_PASSWORD="canary", APP_ENV=place)
    assert (problem.severity, "43" in problem.text) == (severity, True)
    assert "canary" not in str(problem)


def test_a_long_password_is_fine() -> None:
    assert problems_with(POSTMARK_WEBHOOK_PASSWORD=STRONG) == []
