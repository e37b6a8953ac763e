"""Without `read_content` nothing tells an address, a subject, a body or what a provider said."""

import json
from typing import Any
from uuid import UUID

import pytest

from app.models import statements
from tests.api.stock import put, some_uuid
from tests.api.test_lists_show_items_page_by_page import QUEUE, SENT
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web

CANARY = "canary"
EXPANSIONS = "sender,receiver,email,sms,attempts,events,history,attachments"
VIEWER = ("list_queueitem", "read_queueitem")


async def put_secrets(state: str, **given: Any) -> UUID:
    """An item whose every text that is content says "canary"."""
    key = await put(
        state,
        receiver_name="Canary Wharf",
        receiver_address="canary@example.com",
        message_id="canary-id",
        result="550 canary@example.com unknown",
        **given,
    )
    for statement in (
        "UPDATE email_messages SET sender_name = 'canary', sender_address = 'canary@x.example',"
        " subject = 'canary', text = 'canary', html = 'canary', headers = '{\"X-A\": \"canary\"}'",
        "UPDATE sms_messages SET sender_number = 'canary', body = 'canary',"
        " media_url = 'https://canary.example'",
        "INSERT INTO email_receivers (email_id, role, position, name, address)"
        " SELECT id, r, 1, 'canary', 'canary@example.com'"
        " FROM email_messages, unnest('{to,cc,bcc,reply_to}'::text[]) r",
        "UPDATE attempts SET text = 'canary'",
        "INSERT INTO item_history (item_id, transition, to_state, actor, text)"
        " SELECT id, 'error', 'errored', 'worker', 'canary' FROM queue_items",
        "INSERT INTO delivery_events (id, provider, event_key, item_id, type, report, text, reason,"
        " raw) SELECT gen_random_uuid(), 'sandbox', 'k', id, 'bounced', 'failed', 'canary',"
        " 'canary', '{\"to\": \"canary\"}' FROM queue_items",
        "INSERT INTO blobs (sha256, path, size) VALUES ('ab', 'blobs/ab', 1)",
        "INSERT INTO attachments (id, sha256, name, content_type, size)"
        " VALUES (gen_random_uuid(), 'ab', 'canary.pdf', 'application/pdf', 1)",
        "INSERT INTO email_attachments (email_id, position, attachment_id, content_id)"
        " SELECT e.id, 1, a.id, 'canary' FROM email_messages e, attachments a",
    ):
        await statements.run(statement)
    return key


@pytest.mark.parametrize("method", ["email", "sms"])
async def test_what_is_hidden_is_nowhere_in_the_answer(web: Web, method: str) -> None:
    key = await put_secrets("unconfirmed", method=method)
    viewer = bearer(await put_token(*VIEWER))
    reader = bearer(await put_token(*VIEWER, "read_content"))
    for path in (f"{QUEUE}/{key}", f"{SENT}/{key}", SENT):
        open_answer = await web.client.get(f"{path}?expand={EXPANSIONS}", headers=reader)
        assert CANARY in open_answer.text
        answer = await web.client.get(f"{path}?expand={EXPANSIONS}", headers=viewer)
        assert answer.status_code == 200
        assert CANARY not in answer.text.lower()
        assert '"masked":true' in answer.text
        assert '"masked":false' in open_answer.text


async def test_why_a_channel_is_paused_is_hidden_with_its_items(web: Web) -> None:
    key = await put("queued")
    await statements.run("UPDATE queue_items SET due_at = statement_timestamp()")
    await statements.run(
        "INSERT INTO channels (name, paused_until, pause_reason)"
        " SELECT channel, 'infinity', 'canary@example.com complained' FROM queue_items"
    )
    told: list[str] = []
    for abilities in ((*VIEWER, "read_content"), VIEWER):
        headers = bearer(await put_token(*abilities))
        answers = [
            await web.client.get(path, headers=headers) for path in (QUEUE, f"{QUEUE}/{key}")
        ]
        assert all("waits until its channel is resumed" in answer.text for answer in answers)
        told += [answer.text for answer in answers]
    assert [CANARY in text for text in told] == [True, True, False, False]


async def test_what_is_no_content_is_still_there(web: Web) -> None:
    key = await put_secrets("errored", error_kind="rejected", tags=["receipt"])
    answer = await web.client.get(
        f"{QUEUE}/{key}?expand={EXPANSIONS}", headers=bearer(await put_token(*VIEWER))
    )
    item = answer.json()
    assert (item["state"], item["error_kind"], item["tags"]) == ("errored", "rejected", ["receipt"])
    assert (item["result"], item["subject"], item["receiver_address"]) == (None, None, None)
    assert (item["email"]["to"], item["email"]["headers"]) == ([], None)
    assert item["attempts"][0]["number"] == 1
    assert item["events"][0]["type"] == "bounced"
    assert item["history"][0]["actor"] == "worker"
    assert item["attachments"][0]["content_type"] == "application/pdf"


@pytest.mark.parametrize("name", ["q", "receiver", "message_id"])
async def test_asking_by_content_is_refused_alike_for_hit_and_miss(web: Web, name: str) -> None:
    hit = {"q": "canary", "receiver": "canary@example.com", "message_id": "canary-id"}[name]
    await put_secrets("errored", error_kind="rejected")
    viewer = bearer(await put_token(*VIEWER))
    answers = []
    for path in (QUEUE, SENT):
        for value in (hit, "nobody@example.com"):
            for more in ({}, {"count": "true"}, {"tag": "none"}):
                answer = await web.client.get(path, params={name: value, **more}, headers=viewer)
                assert answer.status_code == 403
                body = answer.json()
                assert body.pop("request_id")
                assert body["needs"] == ["read_content"]
                answers.append(json.dumps(body))
    assert len(set(answers)) == 1


async def test_what_belongs_to_an_item_is_for_who_may_read_one(web: Web) -> None:
    await put("queued")
    lister = bearer(await put_token("list_queueitem", "read_content"))
    assert (await web.client.get(QUEUE, headers=lister)).status_code == 200
    for expansion in EXPANSIONS.split(","):
        for path in (QUEUE, SENT):
            answer = await web.client.get(f"{path}?expand={expansion}", headers=lister)
            assert (answer.status_code, answer.json()["needs"]) == (403, ["read_queueitem"])


async def test_each_list_and_item_needs_its_permission(web: Web) -> None:
    key = await put("succeeded")
    others = bearer(await put_token("send", "read_content", "read_queueitem"))
    for path in (QUEUE, SENT):
        answer = await web.client.get(path, headers=others)
        assert (answer.status_code, answer.json()["needs"]) == (403, ["list_queueitem"])
    lister = bearer(await put_token("list_queueitem"))
    for path in (QUEUE, SENT):
        # The same whether there is such an item or not.
        for item in (key, some_uuid()):
            answer = await web.client.get(f"{path}/{item}", headers=lister)
            assert (answer.status_code, answer.json()["needs"]) == (403, ["read_queueitem"])


@pytest.mark.parametrize("guess", ["anna@example.com", "other@example.com"])
async def test_no_number_of_items_tells_whose_a_guessed_address_is(web: Web, guess: str) -> None:
    """An address that is named twice gets one item."""
    sender = bearer(await put_token("send"))
    made = await web.post("/api/receivers", json={"email": "anna@example.com"}, headers=sender)
    key = made.json()["id"]
    again = await web.post("/api/receivers", json={"email": guess}, headers=sender)
    for roles in (
        {"to": [key, {"email": guess}]},
        {"to": [{"email": guess}], "bcc": [key]},
        {"to": [key], "cc": [again.json()["id"]]},
    ):
        message = {"sender": {"email": "a@example.com"}, "subject": "A", "text": "B", **roles}
        alone = await web.post("/api/emails", json=message, headers=sender)
        assert (alone.status_code, alone.json()["needs"]) == (403, ["read_content"])
        batch = {"messages": [{"method": "email", **message}]}
        assert (
            await web.post("/api/messages/batch", json=batch, headers=sender)
        ).status_code == 422
        reader = bearer(await put_token("send", "read_content"))
        assert (await web.post("/api/emails", json=message, headers=reader)).status_code == 202
    single = {"sender": {"email": "a@example.com"}, "subject": "A", "text": "B", "to": [key]}
    assert (await web.post("/api/emails", json=single, headers=sender)).status_code == 202
