"""Texts that break out of a header, a row or a display: 202 or 422, never 500, never half."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.given import count, email, sms
from tests.fakes.web import Web

type Make = Callable[[str], tuple[str, dict[str, Any]]]

ODD = [
    "\0",
    "\r\n",
    "\u202e",
    "\ud800",
    "\udfff\ud83d",
    "\u2028",
    "\x7f",
    "\x1b",
    "%",
    "'",
    "😀",
    " ",
]
TEXTS = st.lists(st.one_of(st.sampled_from(ODD), st.text(max_size=5)), max_size=4).map("".join)

PLACES: dict[str, Make] = {
    "sender.name": lambda t: ("/api/emails", email(sender={"email": "a@b.example", "name": t})),
    "sender.email": lambda t: ("/api/emails", email(sender={"email": f"a{t}@b.example"})),
    "to.name": lambda t: ("/api/emails", email(to=[{"email": "a@b.example", "name": t}])),
    "to.email": lambda t: ("/api/emails", email(to=[{"email": f"a@b{t}.example"}])),
    "reply_to.name": lambda t: (
        "/api/emails",
        email(reply_to=[{"email": "a@b.example", "name": t}]),
    ),
    "subject": lambda t: ("/api/emails", email(subject=t)),
    "text": lambda t: ("/api/emails", email(text=f"a{t}")),
    "html": lambda t: ("/api/emails", email(html=t)),
    "header name": lambda t: ("/api/emails", email(headers={f"X-{t}": "a"})),
    "header value": lambda t: ("/api/emails", email(headers={"List-Unsubscribe": t})),
    "tag": lambda t: ("/api/emails", email(tags=[f"a{t}"])),
    "origin.type": lambda t: ("/api/emails", email(origin={"type": f"a{t}", "id": "1"})),
    "origin.id": lambda t: ("/api/emails", email(origin={"type": "a", "id": f"1{t}"})),
    "file name": lambda t: (
        "/api/emails",
        email(attachments=[{"name": f"a{t}", "content": "eA=="}]),
    ),
    "content type": lambda t: (
        "/api/emails",
        email(attachments=[{"name": "a", "content": "eA==", "content_type": f"a/b{t}"}]),
    ),
    "content id": lambda t: (
        "/api/emails",
        email(attachments=[{"name": "a", "content": "eA==", "content_id": f"a{t}"}]),
    ),
    "content": lambda t: ("/api/emails", email(attachments=[{"name": "a", "content": t}])),
    "unknown field": lambda t: ("/api/emails", email(**{f"x{t}": 1})),
    "sms sender": lambda t: ("/api/sms", sms(sender={"cell": f"+1555010000{t}"})),
    "sms receiver name": lambda t: ("/api/sms", sms(receiver={"cell": "+15550100001", "name": t})),
    "sms body": lambda t: ("/api/sms", sms(body=f"a{t}")),
    "media_url": lambda t: ("/api/sms", sms(media_url=f"https://a.example/{t}")),
    "person": lambda t: ("/api/receivers", {"email": "a@b.example", "name": t}),
    "person's address": lambda t: ("/api/receivers", {"email": f"a{t}@b.example"}),
}
MULTILINE = {"text", "html", "sms body", "content"}


@pytest.mark.parametrize("place", PLACES)
async def test_whatever_a_text_holds_it_is_stored_or_refused(api: Web, place: str) -> None:
    with httpx.Client(
        base_url=api.url, headers=api.client.headers, trust_env=False, timeout=30
    ) as client:
        await asyncio.to_thread(try_texts, client, PLACES[place], place)
    assert await count("email_messages") + await count("sms_messages") == await count("queue_items")


def try_texts(client: httpx.Client, make: Make, place: str) -> None:
    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(TEXTS)
    def check(text: str) -> None:
        answer = post(client, *make(text))
        assert answer.status_code in {201, 202, 422}, (text, answer.text)
        if answer.is_success:
            assert not any("\ud800" <= c <= "\udfff" or c == "\0" for c in text)
            assert place in MULTILINE or not set("\r\n\u2028").intersection(text)
        else:
            assert answer.json()["errors"]

    check()


def post(client: httpx.Client, path: str, body: dict[str, Any]) -> httpx.Response:
    # Escaped, so that also half of a surrogate pair travels.
    raw = json.dumps(body).encode()
    return client.post(path, content=raw, headers={"content-type": "application/json"})


@pytest.mark.parametrize("method", ["email", "sms"])
async def test_half_a_surrogate_pair_spoils_no_other_message_of_a_batch(
    api: Web, method: str
) -> None:
    bad = {"email": email(subject="\ud800"), "sms": sms(body="\ud800")}[method]
    messages = [{"method": method, **bad}, {"method": "sms", **sms()}]
    answer = await api.post(
        "/api/messages/batch",
        content=json.dumps({"messages": messages}).encode(),
        headers={"content-type": "application/json"},
    )
    assert [result["status"] for result in answer.json()["results"]] == [422, 202]
