"""Retry, cancel and resend by ids: a result for each, in order, and nothing twice."""

import asyncio
import uuid
from collections import Counter

import pytest

from app.access.caller import Bounds
from app.models import statements
from tests.api.test_an_item_is_operated import put_email_without_files
from tests.fakes.access import bearer, put_token
from tests.fakes.items import history_of, put_item, state_of
from tests.fakes.web import Web
from tests.feature.operating.given import copies_of, count

MISSING = "01a22faf-12dc-7273-b8f0-1b3f2b84ea39"


async def test_each_item_has_its_result_in_the_order_of_the_request(api: Web) -> None:
    rejected = await put_item("errored", error_kind="rejected")
    unknown = await put_item("errored", error_kind="outcome_unknown")
    done = await put_item("succeeded")
    bare = await put_email_without_files()
    ids = [str(done.id), MISSING, str(unknown.id), str(bare), str(rejected.id)]
    answer = await api.post("/api/queue-items/retry", json={"ids": ids})
    assert answer.status_code == 200
    told = answer.json()["data"]
    assert [one["id"] for one in told] == ids
    results = [(one["result"], one["state"]) for one in told]
    assert results == [
        ("refused", "succeeded"),
        ("missing", None),
        ("unknown", "errored"),
        ("refused", "errored"),
        ("done", "queued"),
    ]
    assert MISSING in told[1]["text"]
    assert await history_of(rejected.id) == [("retry", "errored", "queued")]


async def test_a_dry_run_over_many_changes_nothing(api: Web) -> None:
    item = await put_item("errored", error_kind="rejected")
    body = {"ids": [str(item.id)], "dry_run": True}
    answer = await api.post("/api/queue-items/cancel", json=body)
    assert answer.json()["dry_run"] is True
    assert answer.json()["data"][0]["state"] == "cancelled"
    assert await state_of(item.id) == "errored"


async def test_an_item_that_is_named_twice_is_moved_once(api: Web) -> None:
    item = await put_item("errored", error_kind="rejected")
    answer = await api.post("/api/queue-items/cancel", json={"ids": [str(item.id)] * 3})
    assert [one["result"] for one in answer.json()["data"]] == ["done"]
    assert len(await history_of(item.id)) == 1


@pytest.mark.parametrize("path", ["queue-items/retry", "queue-items/cancel", "sent-items/resend"])
@pytest.mark.parametrize("ids", [[], ["nobody"], [MISSING] * 1001, None])
async def test_a_list_that_can_not_be_meant_is_refused(
    api: Web, path: str, ids: list[str] | None
) -> None:
    answer = await api.post(f"/api/{path}", json={"ids": ids})
    assert answer.status_code == 422


async def test_overlapping_requests_move_each_item_once(api: Web) -> None:
    items = [await put_item("errored", error_kind="rejected") for _ in range(60)]
    ids = [str(item.id) for item in items]
    answers = await asyncio.gather(
        api.post("/api/queue-items/cancel", json={"ids": ids[:40]}),
        api.post("/api/queue-items/cancel", json={"ids": ids[:19:-1]}),
        api.post("/api/queue-items/cancel", json={"ids": ids}),
    )
    told = [one for answer in answers for one in answer.json()["data"]]
    assert Counter(one["id"] for one in told if one["result"] == "done") == Counter(ids)
    assert {one["state"] for one in told} == {"cancelled"}
    assert await count("item_history") == 60


async def test_who_may_resend_and_nothing_else_learns_nothing_but_ids(web: Web) -> None:
    """Field report 89: what resending needs is its own permission alone."""
    headers = bearer(await put_token("can_resend"))
    item, queued = await put_item("succeeded"), await put_item("queued")
    answer = await web.post(f"/api/sent-items/{item.id}/resend", headers=headers)
    assert answer.status_code == 200
    [copy] = await copies_of(item.id)
    assert answer.json() == {"id": str(item.id), "copy_id": str(copy.id), "dry_run": False}
    waiting = await web.post(f"/api/sent-items/{queued.id}/resend", headers=headers)
    missing = await web.post(f"/api/sent-items/{MISSING}/resend", headers=headers)
    for refused in (waiting, missing):
        told = refused.json()
        assert (refused.status_code, told.pop("request_id") != "") == (404, True)
    assert {**waiting.json(), "request_id": ""} == {**missing.json(), "request_id": ""}


async def test_the_history_of_both_says_who_sent_it_again_and_by_which_request(api: Web) -> None:
    item = await put_item("succeeded")
    answer = await api.post(f"/api/sent-items/{item.id}/resend")
    rows = await statements.run(
        "SELECT item_id, actor, decision FROM item_history WHERE transition = 'resend'"
    )
    assert {str(row["item_id"]) for row in rows} == {str(item.id), answer.json()["copy_id"]}
    assert {str(row["decision"]) for row in rows} == {answer.headers["x-request-id"]}
    assert all(row["actor"].endswith("/a test") for row in rows)


async def test_a_message_whose_files_are_gone_is_refused_before_anything_is_written(
    api: Web,
) -> None:
    """Field report 79: sending again what has lost its attachments."""
    item = await put_email_without_files()
    await statements.run(
        "UPDATE queue_items SET state = 'succeeded', error_kind = NULL, finished_at = now()"
    )
    answer = await api.post(f"/api/sent-items/{item}/resend")
    assert (answer.status_code, answer.json()["reason"]) == (409, "files_gone")
    assert await count("queue_items") == 1
    assert await history_of(item) == []


async def test_who_may_have_it_already_is_sent_it_again_only_when_confirmed(api: Web) -> None:
    item = await put_item("unconfirmed")
    refused = await api.post(f"/api/sent-items/{item.id}/resend")
    assert refused.json()["type"] == "/api/docs#problem-confirmation-needed"
    assert await copies_of(item.id) == []
    confirmed = await api.post(f"/api/sent-items/{item.id}/resend", json={"confirm": True})
    assert confirmed.status_code == 200


async def test_many_are_sent_again_each_as_by_itself(web: Web) -> None:
    headers = bearer(await put_token("can_resend"))
    done, unsure = await put_item("succeeded"), await put_item("unconfirmed")
    waiting = await put_item("queued")
    ids = [str(waiting.id), str(done.id), MISSING, str(unsure.id)]
    answer = await web.post("/api/sent-items/resend", json={"ids": ids}, headers=headers)
    told = answer.json()["data"]
    assert [one["id"] for one in told] == ids
    assert [one["result"] for one in told] == ["missing", "done", "missing", "unknown"]
    assert all(set(one) == {"id", "result", "copy_id", "text"} for one in told)
    assert told[0]["text"].replace(ids[0], "") == told[2]["text"].replace(MISSING, "")
    [copy] = await copies_of(done.id)
    assert told[1]["copy_id"] == str(copy.id)


async def test_a_dry_run_of_a_resend_copies_nothing(api: Web) -> None:
    item = await put_item("succeeded")
    answer = await api.post(f"/api/sent-items/{item.id}/resend", json={"dry_run": True})
    assert answer.json() == {"id": str(item.id), "copy_id": None, "dry_run": True}
    assert await copies_of(uuid.UUID(answer.json()["id"])) == []


KEYED = {"idempotency-key": "of a repeated request"}


@pytest.mark.parametrize("many", [False, True])
async def test_a_repeated_resend_with_its_key_sends_nothing_more(api: Web, many: bool) -> None:
    """Field report 25: at most once for each cause."""
    item = await put_item("succeeded")
    path = "/api/sent-items/resend" if many else f"/api/sent-items/{item.id}/resend"
    body = {"ids": [str(item.id)]} if many else {}
    answers = await asyncio.gather(*(api.post(path, json=body, headers=KEYED) for _ in range(4)))
    assert [answer.status_code for answer in answers] == [200] * 4
    assert all(answer.json() == answers[0].json() for answer in answers)
    assert len(await copies_of(item.id)) == 1
    assert [move[0] for move in await history_of(item.id)] == ["resend"]


async def test_a_key_of_another_resend_is_refused(api: Web) -> None:
    one, other = await put_item("succeeded"), await put_item("succeeded")
    assert (await api.post(f"/api/sent-items/{one.id}/resend", headers=KEYED)).is_success
    answer = await api.post(f"/api/sent-items/{other.id}/resend", headers=KEYED)
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/docs#problem-key-reused")
    assert await copies_of(other.id) == []


async def test_a_refused_resend_leaves_its_key_free(api: Web) -> None:
    item = await put_item("unconfirmed")
    path = f"/api/sent-items/{item.id}/resend"
    assert (await api.post(path, headers=KEYED)).status_code == 409
    assert (await api.post(path, json={"confirm": True}, headers=KEYED)).status_code == 200


@pytest.mark.parametrize(
    ("bounds", "status"),
    [
        (Bounds(), 200),
        (Bounds(senders=("shop@example.com",)), 200),
        (Bounds(senders=("@example.com",)), 200),
        (Bounds(senders=("other@example.com",)), 403),
        (Bounds(sms_prefixes=("+49",)), 200),
    ],
)
async def test_a_token_resends_only_what_it_may_send(web: Web, bounds: Bounds, status: int) -> None:
    item = await put_item("succeeded")
    headers = bearer(await put_token("can_resend", bounds=bounds))
    answer = await web.post(f"/api/sent-items/{item.id}/resend", headers=headers)
    assert answer.status_code == status
    assert len(await copies_of(item.id)) == (1 if status == 200 else 0)


async def test_a_token_resends_sms_to_its_countries_only(web: Web) -> None:
    headers = bearer(await put_token("can_resend", bounds=Bounds(sms_prefixes=("+49",))))
    abroad = await put_item("succeeded", method="sms", receiver="+15550100001")
    near = await put_item("succeeded", method="sms", receiver="+4915550100")
    refused = await web.post(f"/api/sent-items/{abroad.id}/resend", headers=headers)
    assert refused.json()["type"] == "/api/docs#problem-out-of-bounds"
    assert (await web.post(f"/api/sent-items/{near.id}/resend", headers=headers)).is_success


async def test_copies_count_against_the_caps_of_the_token(web: Web) -> None:
    headers = bearer(await put_token("can_resend", bounds=Bounds(hourly_cap=3)))
    items = [await put_item("succeeded") for _ in range(4)]
    ids = [str(item.id) for item in items]
    two = await web.post("/api/sent-items/resend", json={"ids": ids[:2]}, headers=headers)
    assert two.status_code == 200
    more = await web.post("/api/sent-items/resend", json={"ids": ids[2:]}, headers=headers)
    assert (more.status_code, more.json()["type"]) == (429, "/api/docs#problem-cap-reached")
    assert int(more.headers["retry-after"]) > 0
    assert await count("queue_items", "cloned_from IS NOT NULL") == 2
    last = await web.post("/api/sent-items/resend", json={"ids": ids[2:3]}, headers=headers)
    assert last.status_code == 200
