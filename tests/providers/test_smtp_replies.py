"""Texts of mail servers, before they are stored."""

import pytest

from app.transports.contract import Rejected, RejectKind
from app.transports.email.smtp_replies import (
    read_refusal,
    read_session_refusal,
    secret_forms,
)
from app.transports.email.tidy import tidy


@pytest.mark.parametrize(
    "text",
    [
        "5.7.1 Relaying denied",
        "5.7.1 <a@example.com>: Relay access denied",
        "5.7.1 Unable to relay for a@example.com",
        "5.7.64 TenantAttribution; Relay Access Denied",
        "relaying prohibited by administrator",
        "relay not permitted",
        "We do not relay",
        "you are not authorized to relay through this server",
        "5.7.1 Client was not authenticated: authentication required",
    ],
)
def test_a_server_that_does_not_relay_for_us_is_a_matter_of_configuration(text: str) -> None:
    outcome = read_refusal(550, text)

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.CONFIGURATION


@pytest.mark.parametrize(
    "text", ["5.1.1 No such user", "5.7.1 Message refused as spam", "5.7.26 DMARC", "relay's user"]
)
def test_another_refusal_is_about_the_message(text: str) -> None:
    outcome = read_refusal(550, text)

    assert isinstance(outcome, Rejected)
    assert outcome.kind is RejectKind.REJECTED


@pytest.mark.parametrize("read", [read_refusal, read_session_refusal])
@pytest.mark.parametrize("code", [-1, 0, 199, 200, 250, 354, 399, 600, 999])
def test_what_is_no_refusal_is_not_read_as_one(read, code: int) -> None:
    assert read(code, "text") is None


def test_a_text_is_stored_in_one_line_of_bounded_length() -> None:
    assert tidy("a\r\nb\x00\x1b\u2028c\u202ed", ()) == "a  b   cd"
    assert len(tidy("x" * 5_000, ())) == 2_000


def test_octets_that_are_no_utf_8_can_be_stored() -> None:
    assert tidy(b"caf\xe9".decode("utf-8", "surrogateescape"), ()) == "caf\ufffd"


def test_a_password_is_struck_out_in_every_form_in_which_it_is_sent() -> None:
    forms = secret_forms("me", "s3cret")
    text = "s3cret czNjcmV0 AG1lAHMzY3JldA== me"

    assert tidy(text, forms) == "*** *** *** me"


def test_a_password_is_struck_out_even_where_the_text_is_cut() -> None:
    assert "s3c" not in tidy("x" * 1_997 + "s3cret", secret_forms("me", "s3cret"))


def test_an_account_without_a_password_strikes_out_nothing() -> None:
    assert tidy("all of it", secret_forms("", "")) == "all of it"
