"""One email or SMS by the API: ids and links at once, and the items as they were asked for."""

import time
import uuid
from datetime import UTC, datetime, timedelta

import pytest

from app.models import statements
from tests.api.given import ANNA, PHONE, SHOP, count, email, fields, rows_of, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.items import see
from tests.fakes.waiting import patience
from tests.fakes.web import Web

LATER = datetime.now(UTC) + timedelta(hours=2)


async def test_an_email_is_answered_with_ids_and_links(api: Web) -> None:
    answer = await api.post("/api/emails", json=email(cc=[{"email": "bob@example.com"}]))
    assert answer.status_code == 202, answer.text
    body = answer.json()
    assert answer.headers["location"] == body["links"]["self"] == f"/api/emails/{body['id']}"
    assert [item["receiver"] for item in body["items"]] == ["to.0", "cc.0"]
    for item in body["items"]:
        assert item["links"]["self"] == f"/api/queue-items/{item['id']}"
        assert (await see(uuid.UUID(item["id"])))["email_id"] == uuid.UUID(body["id"])


async def test_an_sms_is_answered_with_ids_and_links(api: Web) -> None:
    answer = await api.post("/api/sms", json=sms())
    assert answer.status_code == 202, answer.text
    body = answer.json()
    assert answer.headers["location"] == f"/api/sms/{body['id']}"
    assert (await see(uuid.UUID(body["items"][0]["id"])))["sms_id"] == uuid.UUID(body["id"])


async def test_what_a_message_says_is_what_its_item_has(api: Web) -> None:
    answer = await api.post(
        "/api/emails",
        json=email(
            html="<p>Text</p>",
            reply_to=[{"email": "answers@example.com"}],
            headers={"X-Campaign": "spring"},
            tags=["orders"],
            origin={"type": "order", "id": "1042"},
            send_at=LATER.isoformat(),
            expires_at=(LATER + timedelta(hours=1)).isoformat(),
            priority="high",
        ),
    )
    assert answer.status_code == 202, answer.text
    item = await see(uuid.UUID(answer.json()["items"][0]["id"]))
    assert (item["priority"], item["send_at"], item["due_at"]) == ("high", LATER, LATER)
    assert item["dispatched_at"] is None
    [message] = await rows_of("email_messages")
    assert (message["subject"], message["html"], message["tags"]) == (
        "Hello",
        "<p>Text</p>",
        ["orders"],
    )
    [found] = await rows_of("item_search")
    assert (found["origin_type"], found["origin_id"]) == ("order", "1042")


async def test_an_item_says_who_had_it_made_and_by_which_request(web: Web) -> None:
    token = await put_token("send")
    answer = await web.post("/api/sms", json=sms(), headers=bearer(token))
    [found] = await rows_of("item_search")
    assert found["created_by"].endswith("/a test")
    assert str(found["request_id"]) == answer.headers["x-request-id"]


async def test_an_answer_comes_soon_and_each_receiver_has_an_outcome_of_its_own(api: Web) -> None:
    """Field report 26."""
    await api.post("/api/emails", json=email())
    began = time.monotonic()
    answer = await api.post("/api/emails", json=email(to=[ANNA, {"email": "bob@example.com"}]))
    assert time.monotonic() - began < patience(0.2)
    first, second = (uuid.UUID(item["id"]) for item in answer.json()["items"])
    await statements.run(
        "UPDATE queue_items SET state = 'errored', error_kind = 'rejected' WHERE id = $1", second
    )
    shown = (await api.client.get(answer.headers["location"])).json()
    outcomes = {item["id"]: (item["state"], item["error_kind"]) for item in shown["items"]}
    assert outcomes == {str(first): ("queued", None), str(second): ("errored", "rejected")}


@pytest.mark.parametrize(("path", "body"), [("/api/emails", email()), ("/api/sms", sms())])
async def test_a_message_shows_its_items(api: Web, path: str, body: dict[str, object]) -> None:
    made = (await api.post(path, json=body)).json()
    shown = (await api.client.get(made["links"]["self"])).json()
    assert (shown["id"], shown["method"]) == (made["id"], made["method"])
    assert [item["id"] for item in shown["items"]] == [item["id"] for item in made["items"]]
    other = {"/api/emails": "/api/sms", "/api/sms": "/api/emails"}[path]
    assert (await api.client.get(f"{other}/{made['id']}")).status_code == 404


async def test_sending_needs_the_permission_to_send(web: Web) -> None:
    token = bearer(await put_token("read_queueitem", "read_content"))
    for path in ("/api/emails", "/api/sms", "/api/messages/batch", "/api/messages/preview"):
        answer = await web.post(path, json=email(), headers=token)
        assert (answer.status_code, answer.json()["needs"]) == (403, ["send"])
    assert await count("queue_items") == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"sendat": LATER.isoformat()}, "sendat"),
        ({"send_at": "2026-05-01T09:00:00"}, "send_at"),
        ({"send_at": "tomorrow"}, "send_at"),
        ({"send_at": LATER.isoformat(), "expires_at": LATER.isoformat()}, "expires_at"),
        ({"priority": "urgent"}, "priority"),
        ({"to": []}, "to"),
        ({"to": [{"email": "nobody"}]}, "to.0.email"),
        ({"to": [{"email": "a@example.com", "cell": "+15550100001"}]}, "to.0.cell"),
        ({"to": [str(uuid.uuid7())]}, "to.0"),
        ({"sender": None}, "sender"),
        ({"subject": 7}, "subject"),
        ({"text": ""}, "text"),
        ({"origin": {"type": "order"}}, "origin.id"),
        ({"tags": ["a"] * 21}, "tags"),
        ({"headers": {"Message-ID": "<a@b>"}}, "headers.Message-ID"),
        ({"headers": {"From": "a@b"}}, "headers.From"),
        ({"headers": {"DKIM-Signature": "v=1"}}, "headers.DKIM-Signature"),
        ({"headers": {"X-A": "a\r\nBcc: eve@example.com"}}, "headers.X-A"),
        ({"attachments": [{"path": "/etc/passwd"}]}, "attachments.*.path"),
        ({"attachments": [{"name": "a", "content": "%"}]}, "attachments.*.content"),
    ],
)
async def test_what_can_not_be_sent_is_named_and_nothing_is_stored(
    api: Web, change: dict[str, object], field: str
) -> None:
    answer = await api.post("/api/emails", json=email(**change))
    assert answer.status_code == 422, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found = {error.replace(".0.", ".*.") for error in fields(answer)} | fields(answer)
    assert field in found, found
    assert await count("email_messages") == await count("queue_items") == 0


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"receiver": {"cell": "0151"}}, "receiver.cell"),
        ({"receiver": {"email": "anna@example.com"}}, "receiver"),
        ({"body": ""}, "body"),
        ({"body": "a" * 1601}, "body"),
        ({"media_url": "http://169.254.169.254/latest"}, "media_url"),
        ({"media_url": "file:///etc/passwd"}, "media_url"),
        ({"sender": {}}, "sender"),
        ({"subject": "An SMS has none"}, "subject"),
    ],
)
async def test_what_can_not_be_sent_by_sms_is_named(
    api: Web, change: dict[str, object], field: str
) -> None:
    answer = await api.post("/api/sms", json=sms(**change))
    assert answer.status_code == 422, answer.text
    assert any(found.startswith(field) for found in fields(answer)), answer.text
    assert await count("sms_messages") == 0


async def test_people_can_be_named_by_their_ids(api: Web) -> None:
    shop = (await api.post("/api/senders", json={**SHOP, "cell": "+15550100009"})).json()
    anna = (await api.post("/api/receivers", json={**ANNA, **PHONE})).json()
    mail = await api.post("/api/emails", json=email(sender=shop["id"], to=[anna["id"]]))
    text = await api.post("/api/sms", json=sms(sender=shop["id"], receiver=anna["id"]))
    assert (mail.status_code, text.status_code) == (202, 202)
    found = {row["receiver_address"] for row in await rows_of("item_search")}
    assert found == {"anna@example.com", "+15550100001"}


async def test_a_plain_email_takes_two_statements(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One finds the token, the other writes the message with all of its items."""
    await api.post("/api/emails", json=email())
    ran: list[str] = []
    run = statements.Statements.run

    async def counted(self: statements.Statements, sql: str, *args: object, **more: str) -> object:
        ran.append(sql)
        return await run(self, sql, *args, **more)

    monkeypatch.setattr(statements.Statements, "run", counted)
    answer = await api.post("/api/emails", json=email(to=[ANNA, {"email": "bob@example.com"}]))
    assert answer.status_code == 202
    assert len(ran) == 2, ran


async def test_the_document_describes_json_and_form(web: Web) -> None:
    document = (await web.client.get("/api/openapi.json")).json()
    content = document["paths"]["/api/emails"]["post"]["requestBody"]["content"]
    draft = content["application/json"]["schema"]
    assert content["multipart/form-data"]["schema"]["properties"]["message"] == draft
    assert draft["$ref"].rpartition("/")[2] in document["components"]["schemas"]
