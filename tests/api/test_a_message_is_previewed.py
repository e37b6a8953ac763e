"""What a message would be, told before it is sent."""

from typing import Any

import pytest

from tests.api.given import SHOP, count, email, fields, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web


async def preview(api: Web, message: dict[str, Any]) -> dict[str, Any]:
    answer = await api.post("/api/messages/preview", json={"message": message})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def text(api: Web, body: str) -> dict[str, Any]:
    return (await preview(api, {"method": "sms", **sms(body=body)}))["sms"]


@pytest.mark.parametrize(
    ("body", "encoding", "units", "segments"),
    [
        ("a" * 160, "GSM-7", 160, 1),
        ("a" * 161, "GSM-7", 161, 2),
        ("a" * 306, "GSM-7", 306, 2),
        ("a" * 307, "GSM-7", 307, 3),
        ("€" * 80, "GSM-7", 160, 1),
        ("é à {x}", "GSM-7", 9, 1),
        ("a" * 152 + "€" + "a" * 152, "GSM-7", 306, 3),
        ("’" * 70, "UCS-2", 70, 1),
        ("’" * 71, "UCS-2", 71, 2),
        ("😀" * 35, "UCS-2", 70, 1),
        ("’" * 66 + "😀" + "’" * 66, "UCS-2", 134, 3),
    ],
)
async def test_an_sms_says_what_it_comes_to(
    api: Web, body: str, encoding: str, units: int, segments: int
) -> None:
    """Field report 68."""
    shown = await text(api, body)
    assert (shown["encoding"], shown["units"], shown["segments"]) == (encoding, units, segments)


async def test_characters_that_make_an_sms_longer_are_shown_where_they_are(api: Web) -> None:
    """Field report 68: nothing is replaced, and each character is named before sending."""
    shown = await text(api, "It’s 5 ° ok")
    assert shown["foreign"] == [
        {"position": 2, "character": "’", "code_point": "U+2019"},
        {"position": 7, "character": "°", "code_point": "U+00B0"},
    ]


async def test_an_email_says_its_size_and_headers(api: Web) -> None:
    message = {
        "method": "email",
        **email(
            subject="Grüße",
            cc=[{"email": "bob@example.com"}],
            bcc=[{"email": "eve@example.com"}],
            headers={"X-Campaign": "spring"},
        ),
    }
    shown = await preview(api, message)
    headers = {line["name"]: line["value"] for line in shown["email"]["headers"]}
    assert headers["From"] == '"Shop" <shop@example.com>'
    assert headers["To"] == '"Anna" <anna@example.com>'
    assert headers["Cc"] == "bob@example.com"
    assert headers["Subject"].startswith("=?utf-8?")
    assert headers["X-Campaign"] == "spring"
    assert "eve@example.com" not in str(shown)
    bigger = await preview(api, {**message, "text": "Text" + "x" * 1000})
    assert bigger["email"]["size"] > shown["email"]["size"] + 1000


async def test_the_channel_is_the_one_that_each_receiver_would_get_it_by(api: Web) -> None:
    shown = await preview(api, {"method": "email", **email()})
    assert shown["receivers"] == [{"receiver": "to.0", "channel": "sandbox"}]


@pytest.mark.parametrize("message", [{"method": "email", **email()}, {"method": "sms", **sms()}])
async def test_a_preview_stores_nothing(api: Web, message: dict[str, Any]) -> None:
    await preview(api, message)
    assert await count("queue_items") == 0


async def test_a_preview_refuses_what_sending_refuses(api: Web) -> None:
    message = {"method": "email", **email(to=[{"email": "nobody"}], subjekt="")}
    answer = await api.post("/api/messages/preview", json={"message": message})
    assert (answer.status_code, fields(answer)) == (422, {"subjekt"})
    del message["subjekt"]
    answer = await api.post("/api/messages/preview", json={"message": message})
    assert (answer.status_code, fields(answer)) == (422, {"to.0.email"})


async def test_a_preview_does_not_tell_addresses_to_whom_they_are_masked(web: Web) -> None:
    token = bearer(await put_token("send"))
    shop = (await web.post("/api/senders", json=SHOP, headers=token)).json()["id"]
    message = {"method": "email", **email(sender=shop)}
    answer = await web.post("/api/messages/preview", json={"message": message}, headers=token)
    assert (answer.status_code, answer.json()["needs"]) == (403, ["read_content"])
