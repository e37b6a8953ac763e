"""Every mistake is named by its field before anything is stored."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from arvel.validation import ValidationException

from app.items import InvalidMessage, add_email
from app.models.receiver import Receiver
from app.models.sender import Sender
from tests.feature.compose.conftest import Published
from tests.feature.compose.given import (
    ANNA,
    SHOP,
    count_rows,
    email,
    refusal_of_email,
    refusal_of_sms,
)

NOW = datetime.now(UTC)
CRLF = "Hi\r\nBcc: evil@example.com"
MANY = [{"email": f"{n}@example.com"} for n in range(51)]

EMAILS: list[tuple[dict[str, Any], str, str]] = [
    ({"sender": {"name": "Shop"}}, "sender.email", "missing"),
    ({"sender": None}, "sender", "a dict"),
    ({"sender": uuid.uuid7()}, "sender", "no such row"),
    ({"sender": {**SHOP, "name": CRLF}}, "sender.name", "one line"),
    ({"sender": {"mail": "shop@example.com"}}, "sender", "a dict"),
    ({"to": [ANNA, {"email": "nobody"}]}, "to.1.email", "not an email address"),
    ({"to": [ANNA, {"name": "Bob"}]}, "to.1.email", "missing"),
    ({"to": [{**ANNA, "name": CRLF}]}, "to.0.name", "one line"),
    ({"to": []}, "to", "no receiver"),
    ({"to": None}, "to", "no receiver"),
    ({"to": "anna@example.com"}, "to", "list"),
    ({"to": ["anna@example.com"]}, "to.0", "a dict"),
    ({"to": [uuid.uuid7()]}, "to.0", "no such row"),
    ({"to": MANY}, "to", "50"),
    ({"to": MANY[:30], "cc": MANY[30:]}, "to", "50"),
    ({"cc": [{"email": "a@b@c"}]}, "cc.0.email", "not an email address"),
    ({"bcc": {"email": ""}}, "bcc.0.email", "missing"),
    ({"reply_to": [{"email": "x y@example.com"}]}, "reply_to.0.email", "not an email address"),
    ({"reply_to": [{**ANNA, "name": CRLF}]}, "reply_to.0.name", "one line"),
    ({"reply_to": MANY}, "reply_to", "50"),
    ({"subject": CRLF}, "subject", "one line"),
    ({"subject": "x" * 999}, "subject", "998"),
    ({"subject": None}, "subject", "text"),
    ({"text": "", "html": ""}, "text", "no body"),
    ({"text": " \n", "html": " "}, "text", "no body"),
    ({"text": "a\0b"}, "text", "NUL"),
    ({"html": "\ud800"}, "html", "Unicode"),
    ({"headers": {"X-Any": CRLF}}, "headers.X-Any", "one line"),
    ({"headers": {"X-Any\r\nBcc": "x"}}, "headers.0", "header name"),
    ({"headers": {"Bcc": "evil@example.com"}}, "headers.Bcc", "May not be set"),
    ({"headers": ["X"]}, "headers", "map"),
    ({"tags": ["good", CRLF]}, "tags.1", "one line"),
    ({"tags": "tag"}, "tags", "list"),
    ({"tags": [""]}, "tags.0", "empty"),
    ({"tags": [["nested"]]}, "tags.0", "text"),
    ({"tags": [str(n) for n in range(21)]}, "tags", "20"),
    ({"origin": ("order", None)}, "origin", "store it first"),
    ({"send_at": datetime(2026, 1, 1)}, "send_at", "time zone"),  # noqa: DTZ001
    ({"send_at": "2026-01-01"}, "send_at", "datetime"),
    ({"send_at": NOW, "expires_at": NOW}, "expires_at", "later than send_at"),
    ({"send_at": NOW, "expires_at": NOW - timedelta(1)}, "expires_at", "later than send_at"),
    ({"priority": "urgent"}, "priority", "high, default, bulk"),
    ({"priority": ["high"]}, "priority", "high, default, bulk"),
    ({"attachments": "file"}, "attachments", "map"),
    ({"attachments": ["file"]}, "attachments.0", "map"),
    ({"attachments": {str(n): b"" for n in range(51)}}, "attachments", "50"),
]

SMS: list[tuple[dict[str, Any], str, str]] = [
    ({"sender": {"email": "shop@example.com"}}, "sender.cell", "missing"),
    ({"sender": {"cell": "5550100009"}}, "sender.cell", "E.164"),
    ({"sender": None}, "sender", "a dict"),
    ({"receiver": {"email": "anna@example.com"}}, "receiver.cell", "missing"),
    ({"receiver": {"cell": "555-0100"}}, "receiver.cell", "E.164"),
    ({"receiver": {**ANNA, "name": CRLF}}, "receiver.name", "one line"),
    ({"receiver": [ANNA]}, "receiver", "a dict"),
    ({"receiver": uuid.uuid7()}, "receiver", "no such row"),
    ({"body": ""}, "body", "no body"),
    ({"body": "  "}, "body", "no body"),
    ({"body": None}, "body", "no body"),
    ({"body": "x" * 1601}, "body", "1600"),
    ({"body": "a\0"}, "body", "NUL"),
    ({"body": 7}, "body", "text"),
    ({"media_url": "http://cdn.example.com/a.png"}, "media_url", "https"),
    ({"media_url": "https://169.254.169.254/latest"}, "media_url", "public"),
    ({"media_url": "https://user:pw@cdn.example.com/a.png"}, "media_url", "user name"),
    ({"media_url": "file:///etc/passwd"}, "media_url", "https"),
    ({"media_url": 7}, "media_url", "text"),
    ({"send_at": datetime(2026, 1, 1)}, "send_at", "time zone"),  # noqa: DTZ001
    ({"priority": ""}, "priority", "high, default, bulk"),
    ({"origin": object()}, "origin", "pair"),
]


@pytest.mark.parametrize(("changes", "field", "words"), EMAILS)
async def test_an_email_with_one_mistake_is_refused_for_that_alone(
    published: Published, changes: dict[str, Any], field: str, words: str
) -> None:
    errors = await refusal_of_email(**changes)
    assert list(errors) == [field]
    assert words in errors[field][0]
    assert await count_rows() == 0
    assert published.due == []


@pytest.mark.parametrize(("changes", "field", "words"), SMS)
async def test_an_sms_with_one_mistake_is_refused_for_that_alone(
    published: Published, changes: dict[str, Any], field: str, words: str
) -> None:
    errors = await refusal_of_sms(**changes)
    assert list(errors) == [field]
    assert words in errors[field][0]
    assert await count_rows() == 0
    assert published.due == []


async def test_all_mistakes_are_said_at_once_and_http_answers_422(published: Published) -> None:
    with pytest.raises(ValidationException) as refusal:
        await email(to=[{"email": "nobody"}], subject=CRLF, text="", priority="urgent")
    assert set(refusal.value.errors) == {"to.0.email", "subject", "text", "priority"}
    assert refusal.value.status == 422


async def test_a_refusal_repeats_nothing_of_the_message(published: Published) -> None:
    secret = "canary"
    with pytest.raises(InvalidMessage) as refusal:
        await email(
            sender={"email": secret, "name": secret + "\n"},
            to=[{"email": secret}],
            subject=secret + "\n",
            text=secret + "\0",
            tags=[secret + "\n"],
            headers={secret + "\n": secret + "\n"},
            attachments={secret + "\n": b"x"},
        )
    assert len(refusal.value.errors) == 8
    assert secret not in str(refusal.value)


async def test_one_bad_email_among_many_stops_none_of_the_others(published: Published) -> None:
    """Field report 47."""
    for number in range(1, 10):
        if number == 5:
            await refusal_of_email(subject=CRLF)
        else:
            await email(subject=f"Hello {number}")
    assert len(published.due) == 8


@pytest.mark.parametrize("known", [True, False])
async def test_a_row_that_is_gone_is_named(published: Published, known: bool) -> None:
    sender = await Sender.create(email="shop@example.com", cell="+15550100009")
    anna = await Receiver.create(email="anna@example.com", cell="+15550100001")
    await (sender if known else anna).delete()
    field = "sender" if known else "receiver"
    expected = {field: ["There is no such row."]}
    assert await refusal_of_email(sender=sender, to=anna) == expected
    assert await refusal_of_sms(sender=sender, receiver=anna) == expected
    assert await count_rows() == 0


async def test_fifty_receivers_are_not_too_many(published: Published) -> None:
    assert len(await email(to=MANY[:20], cc=MANY[20:40], bcc=MANY[40:50])) == 50


async def test_an_sms_may_have_1600_characters(published: Published) -> None:
    from tests.feature.compose.given import sms

    assert (await sms(body="ü" * 1600)).state == "queued"


async def test_arguments_are_those_of_a_function(published: Published) -> None:
    with pytest.raises(TypeError, match="unexpected keyword arguments: body"):
        await email(body="x")
    with pytest.raises(TypeError, match="missing keyword arguments: subject, to"):
        await add_email(sender=SHOP)  # pyright: ignore[reportCallIssue]
