"""Whom Postmark's webhook believes."""

import base64
import traceback

import pytest

from app.transports.contract import RawRequest, WebhookRefused
from app.transports.email.postmark.config import PostmarkConfig
from app.transports.email.postmark.facts import FACTS
from app.transports.email.postmark.webhook import PostmarkWebhook
from app.transports.http.basic_auth import Login, logins_of

PASSWORD = "a-canary-of-a-password"
PREVIOUS = "the-canary-before-that"


def webhook(user: str = "hooks", password: str = PASSWORD, previous: str = "") -> PostmarkWebhook:
    logins = logins_of(user, password, "", previous)
    return PostmarkWebhook(PostmarkConfig(server_token="t", webhook_logins=logins))


def request_with(authorization: str | None) -> RawRequest:
    headers = {} if authorization is None else {"authorization": authorization}
    return RawRequest("POST", (), b"", headers, b"{}")


def basic(text: str, scheme: str = "Basic") -> str:
    return f"{scheme} {base64.b64encode(text.encode()).decode()}"


@pytest.mark.parametrize("scheme", ["Basic", "basic", "BASIC"])
def test_the_password_is_believed(scheme: str) -> None:
    webhook().authenticate(request_with(basic(f"hooks:{PASSWORD}", scheme)))


@pytest.mark.parametrize("password", [PASSWORD, PREVIOUS])
def test_two_passwords_are_believed_while_one_is_changed(password: str) -> None:
    webhook(previous=PREVIOUS).authenticate(request_with(basic(f"hooks:{password}")))


def test_a_password_may_hold_colons_and_more_than_ascii() -> None:
    webhook(password="a:b:ü").authenticate(request_with(basic("hooks:a:b:ü")))


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic aG9va3M",
        "Basic \u00fc",
        basic("hooks:"),
        basic(":"),
        basic(f"hooks:{PASSWORD} "),
        basic(f"Hooks:{PASSWORD}"),
        basic(f":{PASSWORD}"),
        basic(PASSWORD),
        basic(f"hooks:{PREVIOUS}"),
        basic(f"hooks:{PASSWORD}", "Bearer"),
        f"Bearer {PASSWORD}",
    ],
)
def test_everybody_else_is_refused(authorization: str | None) -> None:
    with pytest.raises(WebhookRefused) as caught:
        webhook().authenticate(request_with(authorization))
    assert "canary" not in "".join(traceback.format_exception(caught.value))


def test_an_empty_password_lets_nobody_in() -> None:
    assert logins_of("hooks", "", "", "") == ()
    with pytest.raises(WebhookRefused):
        webhook(password="").authenticate(request_with(basic("hooks:")))


def test_the_previous_user_is_the_present_one_unless_it_is_given() -> None:
    assert logins_of("new", "1", "", "2") == (Login("new", "1"), Login("new", "2"))
    assert logins_of("new", "1", "old", "2") == (Login("new", "1"), Login("old", "2"))


def test_a_refusal_does_not_end_postmarks_repetitions() -> None:
    """Postmark gives a report up for good at 403."""
    assert (FACTS.refused_status, FACTS.unreadable_status, FACTS.not_stored_status) == (
        401,
        400,
        503,
    )
    assert not FACTS.signs_webhooks
