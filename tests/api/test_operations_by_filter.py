"""All items that match a filter: stored, worked off in the background, and never twice."""

import asyncio
import uuid
from typing import Any

import httpx
import pytest

from app.access.caller import Bounds
from app.items import bulk_operations
from app.models import statements
from tests.fakes.access import bearer, put_token
from tests.fakes.items import history_of, put_item, state_of
from tests.fakes.web import Web
from tests.feature.operating.given import copies_of, count, fill

OPERATOR = ("list_queueitem", "read_queueitem", "read_workflow")
ERRORED = {"state": "errored"}


async def start(web: Web, key: str | None = None, **body: Any) -> httpx.Response:
    headers = {"idempotency-key": key} if key else {}
    return await web.post("/api/operations", json={"filter": ERRORED, **body}, headers=headers)


async def finished(web: Web, location: str) -> dict[str, Any]:
    """The operation, once a worker has come."""
    while await bulk_operations.work_page(uuid.UUID(location.rpartition("/")[2])):
        assert (await web.client.get(location)).is_success
    return (await web.client.get(location)).json()


async def test_it_is_accepted_at_once_and_worked_off_in_the_background(api: Web) -> None:
    """Field report 76: in the background, with progress, and with who was skipped and why."""
    await fill(700)
    unknown = await put_item("errored", error_kind="outcome_unknown")
    answer = await start(api, action="retry")
    assert answer.status_code == 202
    assert answer.json()["total"] == 701
    assert answer.json()["request_id"] == answer.headers["x-request-id"]
    told = await finished(api, answer.headers["location"])
    assert (told["state"], told["done"], told["unknown"]) == ("finished", 700, 1)
    results = f"{answer.headers['location']}/results"
    [skipped] = (await api.client.get(f"{results}?result=unknown")).json()["data"]
    assert skipped["id"] == str(unknown.id)
    assert "may have been sent" in skipped["text"]
    assert await history_of(unknown.id) == []


async def test_results_come_page_by_page(api: Web) -> None:
    await fill(120)
    answer = await start(api, action="cancel")
    await finished(api, answer.headers["location"])
    seen: list[str] = []
    path = f"{answer.headers['location']}/results?limit=50"
    following: str | None = ""
    while following is not None:
        page = (await api.client.get(f"{path}&cursor={following}" if following else path)).json()
        seen += [one["id"] for one in page["data"]]
        following = page["next"]
    assert len(seen) == len(set(seen)) == 120


async def test_the_history_names_who_asked_and_the_operation(api: Web) -> None:
    item = await put_item("errored", error_kind="rejected")
    answer = await start(api, action="cancel")
    await finished(api, answer.headers["location"])
    [row] = await statements.run("SELECT actor, decision FROM item_history")
    assert row["actor"] == answer.json()["actor"]
    assert str(row["decision"]) == answer.json()["id"]
    assert await state_of(item.id) == "cancelled"


async def test_pressing_twice_does_not_double(api: Web) -> None:
    """Field report 76."""
    items = [await put_item("succeeded") for _ in range(30)]
    body = {"action": "resend", "filter": {"all": True}}
    answers = await asyncio.gather(*(start(api, "a key", **body) for _ in range(3)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.headers["location"] for answer in answers}) == 1
    await finished(api, answers[0].headers["location"])
    again = await start(api, "a key", **body)
    assert again.json()["id"] == answers[0].json()["id"]
    assert again.json()["state"] == "finished"
    assert {len(await copies_of(item.id)) for item in items} == {1}


async def test_sending_again_needs_a_key_of_the_request(api: Web) -> None:
    await put_item("succeeded")
    answer = await start(api, action="resend", filter={"all": True})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "Idempotency-Key"
    assert await count("bulk_operations") == 0


async def put_running() -> uuid.UUID:
    """An operation that nobody works on."""
    key = uuid.uuid7()
    await statements.run(
        "INSERT INTO bulk_operations (id, action, actor, filter, confirm, total)"
        " VALUES ($1, 'cancel', 'anna', '{\"state\": \"errored\"}', false, 1)",
        key,
    )
    return key


async def test_the_same_operation_of_somebody_else_is_joined_or_named(api: Web) -> None:
    running = await put_running()
    joined = await start(api, action="cancel")
    assert (joined.status_code, joined.json()["id"]) == (202, str(running))
    keyed = await start(api, "a key", action="cancel")
    assert keyed.status_code == 409
    assert keyed.json()["operation"] == str(running)
    assert keyed.headers["location"] == f"/api/operations/{running}"
    assert await count("bulk_operations") == 1


@pytest.mark.parametrize(
    "other", [{"action": "cancel"}, {"confirm": True}, {"filter": {"tag": "b"}}]
)
async def test_a_key_belongs_to_one_operation(api: Web, other: dict[str, Any]) -> None:
    first = {"action": "retry", "filter": {"tag": "a"}}
    assert (await start(api, "a key", **first)).status_code == 202
    answer = await start(api, "a key", **{**first, **other})
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/docs#problem-key-reused")


async def test_the_keys_of_others_are_not_mine(api: Web) -> None:
    await put_item("succeeded")
    body = {"action": "resend", "filter": {"all": True}}
    mine = await start(api, "a key", **body)
    await finished(api, mine.headers["location"])
    theirs = bearer(await put_token())
    headers = {"idempotency-key": "a key", **theirs}
    answer = await api.post("/api/operations", json=body, headers=headers)
    assert answer.status_code == 202
    assert answer.json()["id"] != mine.json()["id"]


@pytest.mark.parametrize(
    "wanted",
    [
        {},
        {"all": False},
        {"all": True, "tag": "a"},
        {"state": "queued"},
        {"state": None},
        {"reciever": "a@example.com"},
        {"tag": "a\0"},
        {"queued_from": "2026-01-01T00:00:00"},
        {"queued_from": "0001-01-01T00:00:00+14:00"},
        {"queued_until": "9999-12-31T23:59:59-12:00"},
    ],
)
async def test_a_filter_that_means_nothing_or_too_much_is_refused(
    api: Web, wanted: dict[str, Any]
) -> None:
    answer = await start(api, action="retry", filter=wanted)
    assert answer.status_code == 422
    assert await count("bulk_operations") == 0


@pytest.mark.parametrize("key", ["", "x" * 256, "two\tparts"])
async def test_a_key_that_can_not_be_one_is_refused(api: Web, key: str) -> None:
    headers = {"idempotency-key": key}
    body = {"action": "retry", "filter": ERRORED}
    answer = await api.post("/api/operations", json=body, headers=headers)
    assert answer.status_code == 400


async def test_a_dry_run_counts_and_changes_nothing(api: Web) -> None:
    await fill(20)
    await put_item("errored", error_kind="outcome_unknown")
    answer = await start(api, action="retry", dry_run=True)
    assert answer.status_code == 200
    assert answer.json() == {
        "action": "retry",
        "matching": 21,
        "more": False,
        "unknown": 1,
        "refused": 0,
        "applicable": 20,
    }
    assert (await count("bulk_operations"), await count("item_history")) == (0, 0)


@pytest.mark.parametrize(
    ("action", "lacking"),
    [("retry", "can_retry"), ("cancel", "can_cancel"), ("resend", "can_resend")],
)
async def test_each_action_needs_its_own_permission(web: Web, action: str, lacking: str) -> None:
    others = {"can_retry", "can_cancel", "can_resend"} - {lacking}
    headers = bearer(await put_token(*OPERATOR, *others))
    body = {"action": action, "filter": {"all": True}}
    answer = await web.post("/api/operations", json=body, headers=headers)
    assert (answer.status_code, answer.json()["needs"]) == (403, [lacking])


async def test_who_may_not_see_receivers_can_not_ask_for_them(web: Web) -> None:
    blind = bearer(await put_token(*OPERATOR, "can_retry"))
    seeing = bearer(await put_token(*OPERATOR, "can_retry", "read_content"))
    body = {"action": "retry", "filter": {"receiver": "Someone@example.com"}}
    for receiver in ("someone@example.com", "nobody@example.com"):
        asked = {**body, "filter": {"receiver": receiver}, "dry_run": True}
        refused = await web.post("/api/operations", json=asked, headers=blind)
        assert (refused.status_code, refused.json()["needs"]) == (403, ["read_content"])
    started = await web.post("/api/operations", json=body, headers=seeing)
    location = started.headers["location"]
    assert started.json()["filter"] == body["filter"]
    hidden = await web.client.get(location, headers=blind)
    assert hidden.json()["filter"] == {"receiver": "…"}
    listed = await web.client.get("/api/operations", headers=blind)
    assert "example.com" not in listed.text


async def test_an_operation_is_stopped_once(api: Web) -> None:
    running = await put_running()
    path = f"/api/operations/{running}/cancel"
    answers = await asyncio.gather(*(api.post(path) for _ in range(2)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    [stopped] = [answer.json() for answer in answers if answer.is_success]
    assert stopped["state"] == "cancelled"
    assert stopped["cancelled_by"].endswith("/a test")
    [late] = [answer.json() for answer in answers if not answer.is_success]
    assert late["state"] == "cancelled"


async def test_stopping_needs_what_beginning_needs(web: Web) -> None:
    running = await put_running()
    headers = bearer(await put_token(*OPERATOR, "can_retry"))
    answer = await web.post(f"/api/operations/{running}/cancel", headers=headers)
    assert (answer.status_code, answer.json()["needs"]) == (403, ["can_cancel"])


async def test_operations_are_listed_the_newest_first(api: Web) -> None:
    for number in range(5):
        await start(api, action="retry", filter={"tag": f"t{number}"})
    first = (await api.client.get("/api/operations?limit=2")).json()
    second = (await api.client.get(f"/api/operations?limit=3&cursor={first['next']}")).json()
    tags = [one["filter"]["tag"] for page in (first, second) for one in page["data"]]
    assert tags == ["t4", "t3", "t2", "t1", "t0"]
    assert second["next"] is None


@pytest.mark.parametrize("cursor", ["x", "%00", "A" * 32, "_" * 22, "A" * 65, ""])
async def test_a_cursor_of_somewhere_else_is_refused(api: Web, cursor: str) -> None:
    for path in ("/api/operations", f"/api/operations/{await put_running()}/results"):
        answer = await api.client.get(f"{path}?cursor={cursor}")
        assert answer.status_code in {200, 422}
    assert (await api.client.get("/api/operations?cursor=x")).status_code == 422


@pytest.mark.parametrize("suffix", ["", "/results", "/cancel"])
async def test_an_operation_that_is_not_there_is_not_found(api: Web, suffix: str) -> None:
    path = f"/api/operations/{uuid.uuid4()}{suffix}"
    ask = api.client.post if suffix == "/cancel" else api.client.get
    assert (await ask(path)).status_code == 404


async def test_a_bounded_token_resends_by_ids_only(web: Web) -> None:
    bounded = await put_token("list_queueitem", "can_resend", bounds=Bounds(hourly_cap=5))
    headers = {**bearer(bounded), "idempotency-key": "a key"}
    body = {"action": "resend", "filter": {"all": True}}
    answer = await web.post("/api/operations", json=body, headers=headers)
    assert answer.status_code == 403
    assert answer.json()["type"] == "/api/docs#problem-out-of-bounds"


async def test_a_key_that_can_be_none_is_refused_in_a_dry_run_too(api: Web) -> None:
    answer = await api.post(
        "/api/operations",
        json={"action": "retry", "filter": {"all": True}, "dry_run": True},
        headers={"idempotency-key": "x" * 300},
    )
    assert answer.status_code == 400
