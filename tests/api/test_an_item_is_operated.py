"""Retry, cancel and other transitions of one item, as an operator's program asks for them."""

import asyncio
import uuid
from typing import Any

import pytest

from app.models import statements
from app.models.queries import claim
from app.workflow import TRANSITIONS
from tests.fakes.access import bearer, put_token
from tests.fakes.items import history_of, put_item, raw, state_of
from tests.fakes.web import Web

SERVER_ONLY = [t.name for t in TRANSITIONS if t.permission is None]
NOT_FOUND = "/api/docs#problem-not-found"
CONFLICT = "/api/docs#problem-conflict"
UNCONFIRMED = "/api/docs#problem-confirmation-needed"


async def put_email_without_files() -> uuid.UUID:
    """An errored email whose attachment was cleaned away."""
    item = await put_item("errored", error_kind="rejected")
    await statements.run(
        "INSERT INTO blobs (sha256, path, size, removed_at) VALUES ('gone', 'gone', 1, now())"
    )
    await statements.run(
        "WITH f AS (INSERT INTO attachments (id, sha256, name, content_type, size)"
        " VALUES ($2, 'gone', 'a.txt', 'text/plain', 1) RETURNING id)"
        " INSERT INTO email_attachments (email_id, position, attachment_id)"
        " SELECT q.email_id, 0, f.id FROM queue_items q, f WHERE q.id = $1",
        item.id,
        uuid.uuid7(),
    )
    return item.id


async def last_line(item: uuid.UUID) -> Any:
    [row] = await statements.run(
        "SELECT id, actor, decision FROM item_history WHERE item_id = $1 ORDER BY id DESC LIMIT 1",
        item,
    )
    return row


@pytest.mark.parametrize(
    ("action", "state", "after"),
    [
        ("retry", "errored", "queued"),
        ("retry", "delayed", "queued"),
        ("cancel", "queued", "cancelled"),
        ("cancel", "delayed", "cancelled"),
        ("cancel", "errored", "cancelled"),
    ],
)
async def test_an_operator_moves_an_item_and_the_history_says_who_and_by_which_request(
    api: Web, action: str, state: str, after: str
) -> None:
    item = await put_item(state, error_kind="rejected")
    answer = await api.post(f"/api/queue-items/{item.id}/{action}")
    assert answer.status_code == 200
    line = await last_line(item.id)
    assert answer.json() == {
        "id": str(item.id),
        "transition": action,
        "state": after,
        "dry_run": False,
        "history_id": line["id"],
    }
    assert await history_of(item.id) == [(action, state, after)]
    assert line["actor"].endswith("/a test")
    assert str(line["decision"]) == answer.headers["x-request-id"]


@pytest.mark.parametrize("content", [b"", b"{}", b'{"confirm": false}'])
async def test_a_decision_needs_no_body(api: Web, content: bytes) -> None:
    item = await put_item("errored", error_kind="rejected")
    headers = {"content-type": "application/json"} if content else {}
    path = f"/api/queue-items/{item.id}/retry"
    answer = await api.post(path, content=content, headers=headers)
    assert answer.status_code == 200


@pytest.mark.parametrize(
    ("body", "status"), [({"confrim": True}, 422), ([], 422), ({"confirm": "yes"}, 422)]
)
async def test_a_misspelt_decision_changes_nothing(api: Web, body: Any, status: int) -> None:
    item = await put_item("errored", error_kind="rejected")
    answer = await api.post(f"/api/queue-items/{item.id}/retry", json=body)
    assert answer.status_code == status
    assert await state_of(item.id) == "errored"


@pytest.mark.parametrize("action", ["retry", "cancel"])
async def test_what_may_have_been_sent_needs_a_confirmation(api: Web, action: str) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    path = f"/api/queue-items/{item.id}/{action}"
    refused = await api.post(path)
    assert (refused.status_code, refused.json()["type"]) == (409, UNCONFIRMED)
    assert refused.json()["state"] == "errored"
    assert await history_of(item.id) == []
    assert (await api.post(path, json={"confirm": True})).status_code == 200


@pytest.mark.parametrize(("action", "after"), [("retry", "queued"), ("cancel", "cancelled")])
async def test_a_dry_run_says_the_target_and_changes_nothing(
    api: Web, action: str, after: str
) -> None:
    item = await put_item("errored", error_kind="rejected")
    answer = await api.post(f"/api/queue-items/{item.id}/{action}", json={"dry_run": True})
    told = answer.json()
    assert (told["state"], told["dry_run"], told["history_id"]) == (after, True, None)
    assert (await state_of(item.id), await history_of(item.id)) == ("errored", [])


async def test_a_dry_run_is_refused_as_the_decision_would_be(api: Web) -> None:
    item = await put_item("errored", error_kind="outcome_unknown")
    answer = await api.post(f"/api/queue-items/{item.id}/retry", json={"dry_run": True})
    assert answer.json()["type"] == UNCONFIRMED


async def test_an_email_whose_files_were_cleaned_away_is_not_retried(api: Web) -> None:
    item = await put_email_without_files()
    answer = await api.post(f"/api/queue-items/{item}/retry")
    assert answer.status_code == 409
    assert (answer.json()["type"], answer.json()["reason"]) == (CONFLICT, "files_gone")
    assert await state_of(item) == "errored"


async def test_an_item_that_is_being_sent_says_when_to_try_again(api: Web) -> None:
    item = await put_item("sending", lease_until=raw("now() + interval '30 s'"))
    answer = await api.post(f"/api/queue-items/{item.id}/cancel")
    assert answer.status_code == 409
    assert answer.json()["state"] == "sending"
    assert 1 <= int(answer.headers["retry-after"]) <= 31
    assert answer.json()["try_again_at"]


@pytest.mark.parametrize("action", ["retry", "cancel", "transitions"])
@pytest.mark.parametrize("key", ["01a22faf-12dc-7273-b8f0-1b3f2b84ea39", "1", "nobody", "%00"])
async def test_an_item_that_is_not_there_is_not_found(api: Web, action: str, key: str) -> None:
    body = {"transition": "retry"} if action == "transitions" else {}
    answer = await api.post(f"/api/queue-items/{key}/{action}", json=body)
    assert (answer.status_code, answer.json()["type"]) == (404, NOT_FOUND)


async def test_a_transition_by_its_name_is_the_operation_of_that_name(api: Web) -> None:
    item = await put_item("errored", error_kind="rejected")
    path = f"/api/queue-items/{item.id}/transitions"
    answer = await api.post(path, json={"transition": "retry"})
    assert (answer.status_code, answer.json()["state"]) == (200, "queued")


@pytest.mark.parametrize("name", SERVER_ONLY)
async def test_what_the_server_alone_applies_is_refused_by_name_to_everybody(
    api: Web, name: str
) -> None:
    item = await put_item("queued")
    path = f"/api/queue-items/{item.id}/transitions"
    answer = await api.post(path, json={"transition": name})
    assert answer.status_code == 403
    assert name in answer.json()["detail"]
    assert await state_of(item.id) == "queued"


@pytest.mark.parametrize("name", ["fly", "", "RETRY", None, 1])
async def test_a_transition_that_does_not_exist_is_invalid(api: Web, name: Any) -> None:
    item = await put_item("queued")
    path = f"/api/queue-items/{item.id}/transitions"
    assert (await api.post(path, json={"transition": name})).status_code == 422


@pytest.mark.parametrize(("name", "needed"), [("retry", "can_retry"), ("cancel", "can_cancel")])
async def test_a_transition_needs_the_permission_of_its_name(
    web: Web, name: str, needed: str
) -> None:
    other = {"can_retry", "can_cancel"} - {needed}
    reading = ("list_queueitem", "read_queueitem", "read_workflow")
    item = await put_item("errored", error_kind="rejected")
    path = f"/api/queue-items/{item.id}/transitions"
    lacking = bearer(await put_token(*reading, *other))
    answer = await web.post(path, json={"transition": name}, headers=lacking)
    assert (answer.status_code, answer.json()["needs"]) == (403, [needed])
    having = bearer(await put_token(*reading, needed))
    assert (await web.post(path, json={"transition": name}, headers=having)).is_success


async def test_of_two_operators_one_wins_and_the_other_sees_what_it_is_now(api: Web) -> None:
    for _ in range(10):
        item = await put_item("errored", error_kind="rejected")
        path = f"/api/queue-items/{item.id}/retry"
        answers = await asyncio.gather(*(api.post(path) for _ in range(2)))
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        [lost] = [answer for answer in answers if answer.status_code == 409]
        # The embedded worker may have sent it already.
        assert lost.json()["state"] in {"queued", "sending", "awaiting", "succeeded"}
        retries = [move for move in await history_of(item.id) if move[0] == "retry"]
        assert len(retries) == 1


async def test_a_cancel_and_a_claim_at_once_agree_with_the_state(api: Web) -> None:
    for _ in range(10):
        item = await put_item("queued", attempts=0, current=False)
        answer, claimed = await asyncio.gather(
            api.post(f"/api/queue-items/{item.id}/cancel"),
            claim.claim(item.id, uuid.uuid7(), 40.0, "worker"),
        )
        state = await state_of(item.id)
        if answer.status_code == 200:
            assert (state, claimed) == ("cancelled", None)
        else:
            assert (answer.json()["state"], state) == ("sending", "sending")
            assert answer.headers["retry-after"]
