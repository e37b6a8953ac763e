"""Channels through the API: listed, paused with a reason, resumed, and by whom."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from app.models import statements
from tests.fakes.access import bearer, put_token
from tests.fakes.items import history_of, put_item, raw, state_of
from tests.fakes.web import Web

PATH = "/api/channels/sandbox"


async def test_a_channel_that_never_was_paused_sends(api: Web) -> None:
    listed = (await api.client.get("/api/channels")).json()["data"]
    assert [channel["name"] for channel in listed] == sorted(one["name"] for one in listed)
    assert (await api.client.get(PATH)).json() == {
        "name": "sandbox",
        "methods": ["email", "sms"],
        "paused": False,
        "paused_until": None,
        "reason": None,
        "changed_by": None,
        "changed_at": None,
    }


async def test_a_pause_says_why_and_by_whom_until_it_is_resumed(api: Web) -> None:
    paused = await api.post(f"{PATH}/pause", json={"reason": "Moving house"})
    assert paused.status_code == 200
    told = (await api.client.get(PATH)).json()
    assert (told["paused"], told["paused_until"], told["reason"]) == (True, None, "Moving house")
    assert told["changed_by"].endswith("/a test")
    resumed = await api.post(f"{PATH}/resume")
    assert resumed.status_code == 200
    told = (await api.client.get(PATH)).json()
    assert (told["paused"], told["reason"]) == (False, None)
    assert told["changed_by"].endswith("/a test")
    assert (await api.post(f"{PATH}/resume")).json() == {"channel": told, "items": 0}


async def test_a_longer_pause_stays(api: Web) -> None:
    long, short = (datetime.now(UTC) + timedelta(hours=hours) for hours in (5, 1))
    for until, reason in ((long, "long"), (short, "short")):
        body = {"reason": reason, "until": until.isoformat()}
        assert (await api.post(f"{PATH}/pause", json=body)).status_code == 200
    told = (await api.client.get(PATH)).json()
    assert told["reason"] == "long"
    assert datetime.fromisoformat(told["paused_until"]) == long


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"reason": ""},
        {"reason": "a\0b"},
        {"reason": "a" * 501},
        {"reason": "a", "untill": "2030-01-01T00:00:00Z"},
        {"reason": "a", "until": "2030-01-01T00:00:00"},
        {"reason": "a", "until": "2020-01-01T00:00:00Z"},
        {"reason": "a", "until": "9999-12-31T23:59:59-12:00"},
    ],
)
async def test_a_pause_that_can_not_be_meant_is_refused(api: Web, body: dict[str, Any]) -> None:
    assert (await api.post(f"{PATH}/pause", json=body)).status_code == 422
    assert (await api.client.get(PATH)).json()["paused"] is False


async def test_the_last_day_of_the_calendar_is_a_time(api: Web) -> None:
    body = {"reason": "a", "until": "9999-12-31T23:59:59Z"}
    assert (await api.post(f"{PATH}/pause", json=body)).status_code == 200
    assert (await api.client.get(PATH)).json()["paused_until"] == "9999-12-31T23:59:59Z"


@pytest.mark.parametrize("name", ["sandbx", "SANDBOX", "%00", "..", "%2e%2e%2f"])
async def test_a_channel_that_is_not_configured_is_not_found(api: Web, name: str) -> None:
    assert (await api.client.get(f"/api/channels/{name}x")).status_code == 404
    body = {"reason": "a"}
    assert (await api.post(f"/api/channels/{name}x/pause", json=body)).status_code == 404
    assert (await api.post(f"/api/channels/{name}x/resume")).status_code == 404


async def test_resuming_makes_what_waited_due_again(api: Web) -> None:
    item = await put_item(
        "queued",
        attempts=0,
        current=False,
        due_at=raw("now() + interval '1 hour'"),
        postponed_from=raw("now()"),
    )
    await api.post(f"{PATH}/pause", json={"reason": "a"})
    assert (await api.post(f"{PATH}/resume")).json()["items"] == 1
    [row] = await statements.run(
        "SELECT due_at <= now() AS due FROM queue_items WHERE id = $1", item.id
    )
    assert row["due"]


async def test_what_is_healed_by_resuming_names_the_operator_and_the_request(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.items.pause._pause_codes", lambda _: frozenset({"401"}))
    item = await put_item("errored", error_kind="configuration")
    await statements.run("UPDATE attempts SET code = '401'")
    answer = await api.post(f"{PATH}/resume")
    assert await history_of(item.id) == [("retry", "errored", "queued")]
    assert await state_of(item.id) == "queued"
    [row] = await statements.run("SELECT actor, decision FROM item_history")
    assert row["actor"].endswith("/a test")
    assert str(row["decision"]) == answer.headers["x-request-id"]


async def test_channels_are_for_who_manages_them(web: Web) -> None:
    headers = bearer(await put_token("list_queueitem", "read_queueitem", "can_retry"))
    answers = [
        await web.client.get("/api/channels", headers=headers),
        await web.client.get(PATH, headers=headers),
        await web.post(f"{PATH}/pause", json={"reason": "a"}, headers=headers),
        await web.post(f"{PATH}/resume", headers=headers),
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert {tuple(answer.json()["needs"]) for answer in answers} == {("manage_channels",)}
