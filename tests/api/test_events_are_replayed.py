"""What providers reported: listed, shown, and applied or read once more."""

import asyncio
import json
import uuid
from typing import Any

import httpx
import pytest

from app.items import evidence
from app.items.evidence import FAILURES_LIMIT
from app.models import statements
from app.transports.contract import EventType, ProviderEvent
from app.transports.sandbox.webhook import SandboxWebhook
from tests.fakes.access import bearer, put_token
from tests.fakes.items import Put, event, history_of, put_item, state_of
from tests.fakes.web import Web

MISSING = "01a22faf-12dc-7273-b8f0-1b3f2b84ea39"
READING = ("list_queueitem", "read_queueitem")


async def put_report(item: Put, said: str = "delivered", **facts: Any) -> uuid.UUID:
    """A report as the sandbox's webhook stores it, applied."""
    kind = event(said, item.attempt).type
    raw = {
        "event_id": str(uuid.uuid4()),
        "type": str(kind),
        "message_id": f"message of {item.attempt}",
        "queue_item": str(item.id),
        "attempt": str(item.attempt),
        "recipient": "someone@example.com",
        **facts,
    }
    given = ProviderEvent(
        event_key=raw["event_id"],
        type=kind,
        status=str(kind),
        message_id=raw["message_id"],
        item_key=item.id,
        attempt_key=item.attempt,
        recipient=raw["recipient"],
        text="for someone@example.com",
        raw=raw,
    )
    [event_id] = await evidence.store("sandbox", [given])
    await evidence.apply(event_id)
    return event_id


async def replay(web: Web, event_id: object, to: str = "item") -> httpx.Response:
    return await web.post(f"/api/events/{event_id}/replay", json={"to": to})


async def put_failed(item: Put) -> uuid.UUID:
    """A report that was not applied, five times."""
    [event_id] = await evidence.store("sandbox", [event("delivered", item.attempt)])
    await statements.run(
        "UPDATE delivery_events SET failures = $1, verdict = 'failed', applied_at = now()",
        FAILURES_LIMIT,
    )
    return event_id


async def test_a_report_is_shown_with_what_the_provider_sent(api: Web) -> None:
    item = await put_item("awaiting")
    event_id = await put_report(item)
    told = (await api.client.get(f"/api/events/{event_id}")).json()
    assert (told["item_id"], told["verdict"], told["masked"]) == (str(item.id), "normal", False)
    assert told["raw"]["attempt"] == str(item.attempt)
    [listed] = (await api.client.get("/api/events")).json()["data"]
    assert "raw" not in listed
    assert listed == {name: value for name, value in told.items() if name != "raw"}


async def test_without_content_nothing_of_the_message_is_shown(web: Web) -> None:
    event_id = await put_report(await put_item("awaiting"))
    headers = bearer(await put_token(*READING))
    one = await web.client.get(f"/api/events/{event_id}", headers=headers)
    listed = await web.client.get("/api/events", headers=headers)
    assert one.json()["masked"] is True
    assert one.json()["raw"] is None
    assert "example.com" not in one.text + listed.text
    assert "message of" not in one.text + listed.text


async def test_events_are_listed_the_latest_first_and_page_by_page(api: Web) -> None:
    item = await put_item("awaiting")
    stored = [str(await put_report(item, "in_flight")) for _ in range(7)]
    seen: list[str] = []
    path: str | None = "/api/events?limit=3"
    while path is not None:
        page = (await api.client.get(path)).json()
        seen += [one["id"] for one in page["data"]]
        path = page["next"] and f"/api/events?limit=3&cursor={page['next']}"
    assert seen == sorted(stored, reverse=True)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, 3),
        ({"provider": "sandbox"}, 3),
        ({"provider": "postmark"}, 0),
        ({"type": "delivered"}, 2),
        ({"type": "bounced"}, 0),
        ({"standing": "applied"}, 1),
        ({"standing": "failed"}, 1),
        ({"standing": "unapplied"}, 1),
        ({"provider": "sandbox", "type": "delivered", "standing": "failed"}, 1),
        ({"received_from": "0001-01-01T00:00:00Z"}, 3),
        ({"received_until": "9999-12-31T23:59:59Z"}, 3),
        ({"received_from": "2999-01-01T00:00:00Z"}, 0),
        ({"received_until": "2001-01-01T00:00:00+02:00"}, 0),
    ],
    ids=str,
)
async def test_events_are_found_by(api: Web, query: dict[str, str], found: int) -> None:
    item = await put_item("awaiting")
    await put_failed(item)
    await put_report(item, "in_flight")
    await evidence.store("sandbox", [event("delivered", item.attempt, key="waiting")])
    answer = await api.client.get("/api/events", params=query)
    assert answer.status_code == 200
    assert len(answer.json()["data"]) == found


async def test_events_are_found_by_when_they_were_received(api: Web) -> None:
    event_id = await put_report(await put_item("awaiting"))
    at = (await api.client.get(f"/api/events/{event_id}")).json()["received_at"]
    found = await api.client.get("/api/events", params={"received_from": at})
    before = await api.client.get("/api/events", params={"received_until": at})
    assert (len(found.json()["data"]), len(before.json()["data"])) == (1, 0)


async def test_events_of_one_item_are_found(api: Web) -> None:
    one, other = await put_item("awaiting"), await put_item("awaiting")
    event_id = await put_report(one)
    await put_report(other)
    answer = await api.client.get("/api/events", params={"item_id": str(one.id)})
    assert [found["id"] for found in answer.json()["data"]] == [str(event_id)]


@pytest.mark.parametrize(
    "query",
    [
        "type=nonsense",
        "standing=",
        "provider=%00",
        "received_from=2026-01-01",
        "received_from=0001-01-01T00:00:00%2B14:00",
        "item_id=1",
        "cursor=AAAA",
        "limit=0",
        "limit=99999999999999999999999",
        "recipient=a@example.com",
    ],
)
async def test_a_list_that_can_not_be_meant_is_refused(api: Web, query: str) -> None:
    assert (await api.client.get(f"/api/events?{query}")).status_code == 422


async def test_a_report_that_failed_five_times_is_applied_by_an_operator(api: Web) -> None:
    item = await put_item("awaiting")
    event_id = await put_failed(item)
    answer = await replay(api, event_id)
    assert answer.status_code == 200
    [told] = answer.json()["data"]
    rows = await statements.run("SELECT id, actor, decision FROM item_history ORDER BY id")
    assert told == {
        "id": str(event_id),
        "verdict": "normal",
        "item_id": str(item.id),
        "state": "succeeded",
        "history_id": rows[-1]["id"],
    }
    assert await history_of(item.id) == [("succeed", "awaiting", "succeeded")]
    assert all(row["actor"].endswith("/a test") for row in rows)
    assert {str(row["decision"]) for row in rows} == {answer.headers["x-request-id"]}


@pytest.mark.parametrize("to", ["item", "parser"])
async def test_a_report_that_was_applied_changes_nothing_more_and_leaves_a_trace(
    api: Web, to: str
) -> None:
    item = await put_item("awaiting")
    event_id = await put_report(item)
    answer = await replay(api, event_id, to)
    [told] = answer.json()["data"]
    assert (told["verdict"], told["state"]) == ("kept", "succeeded")
    assert await history_of(item.id) == [
        ("succeed", "awaiting", "succeeded"),
        ("replay", "succeeded", "succeeded"),
    ]


async def test_an_old_report_does_not_undo_what_came_after_it(api: Web) -> None:
    item = await put_item("awaiting")
    old = await put_report(item, "in_flight")
    await put_report(item, "delivered")
    await replay(api, old)
    assert await state_of(item.id) == "succeeded"


async def test_an_orphan_is_applied_once_its_item_is_there(api: Web) -> None:
    lost = Put(uuid.uuid7(), uuid.uuid7(), "email")
    event_id = await put_report(lost)
    await statements.run("UPDATE delivery_events SET verdict = 'orphaned', applied_at = now()")
    assert (await replay(api, event_id)).json()["data"][0]["verdict"] == "orphan"
    item = await put_item("awaiting")
    await statements.run(
        "UPDATE attempts SET message_id = $1 WHERE id = $2",
        f"message of {lost.attempt}",
        item.attempt,
    )
    [told] = (await replay(api, event_id)).json()["data"]
    assert (told["verdict"], told["item_id"], told["state"]) == (
        "normal",
        str(item.id),
        "succeeded",
    )


async def misread(event_id: uuid.UUID) -> None:
    """As a parser that didn't know this report yet would have stored it."""
    await statements.run(
        "UPDATE delivery_events SET type = 'unknown', report = 'noted', text = '',"
        " verdict = 'kept', applied_at = now() WHERE id = $1",
        event_id,
    )
    await statements.run("UPDATE attempts SET rank = 0, report = NULL")


async def test_a_report_that_is_understood_now_is_read_again(api: Web) -> None:
    item = await put_item("awaiting")
    event_id = await put_report(item, text="said so")
    await misread(event_id)
    await statements.run("UPDATE queue_items SET state = 'awaiting', finished_at = NULL")
    assert (await replay(api, event_id)).json()["data"][0]["state"] == "awaiting"
    [told] = (await replay(api, event_id, "parser")).json()["data"]
    assert (told["id"], told["state"]) == (str(event_id), "succeeded")
    shown = (await api.client.get(f"/api/events/{event_id}")).json()
    assert (shown["type"], shown["report"], shown["text"]) == ("delivered", "delivered", "said so")


async def test_news_under_another_key_is_an_event_of_its_own_once(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    item = await put_item("awaiting")
    event_id = await put_report(item, "in_flight")
    parse = SandboxWebhook.parse

    def parse_more(self: SandboxWebhook, request: Any) -> list[ProviderEvent]:
        body = json.loads(request.body)
        also = {**body, "event_id": "another", "type": str(EventType.DELIVERED)}
        second = type(request)(request.method, (), b"", request.headers, json.dumps(also).encode())
        return [*parse(self, request), *parse(self, second)]

    monkeypatch.setattr(SandboxWebhook, "parse", parse_more)
    answers = [await replay(api, event_id, "parser") for _ in range(2)]
    first, again = (answer.json()["data"] for answer in answers)
    assert first[0]["id"] == str(event_id)
    assert (len(first), len(again)) == (2, 1)
    assert await state_of(item.id) == "succeeded"
    [row] = await statements.run("SELECT count(*) AS n FROM delivery_events")
    assert row["n"] == 2


async def test_what_was_pruned_can_only_be_applied_to_the_item(api: Web) -> None:
    event_id = await put_report(await put_item("awaiting"))
    await statements.run("UPDATE delivery_events SET raw = '{}'")
    answer = await replay(api, event_id, "parser")
    assert (answer.status_code, answer.json()["reason"]) == (409, "raw_pruned")
    assert (await replay(api, event_id)).status_code == 200


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("raw = '{\"a\": 1}'", "unreadable"),
        ("raw = '[]'", "raw_pruned"),
        ("provider = 'elsewhere'", "not_configured"),
    ],
)
async def test_what_can_not_be_read_is_a_conflict_with_its_reason(
    api: Web, change: str, reason: str
) -> None:
    item = await put_item("awaiting")
    event_id = await put_report(item)
    await statements.run(f"UPDATE delivery_events SET {change}")
    answer = await replay(api, event_id, "parser")
    assert (answer.status_code, answer.json()["reason"]) == (409, reason)
    assert len(await history_of(item.id)) == 1


@pytest.mark.parametrize("to", ["item", "parser"])
async def test_replays_at_once_change_the_item_once(api: Web, to: str) -> None:
    for _ in range(5):
        item = await put_item("awaiting")
        event_id = await put_report(item, "in_flight")
        await statements.run(
            "UPDATE delivery_events SET applied_at = NULL, type = 'delivered',"
            " report = 'delivered', raw = jsonb_set(raw, '{type}', '\"delivered\"') WHERE id = $1",
            event_id,
        )
        answers = await asyncio.gather(*(replay(api, event_id, to) for _ in range(4)))
        assert {answer.status_code for answer in answers} == {200}
        moves = [move for move in await history_of(item.id) if move[0] == "succeed"]
        assert moves == [("succeed", "awaiting", "succeeded")]


@pytest.mark.parametrize("body", [{}, {"to": "nobody"}, {"to": "item", "dry_run": True}])
async def test_a_replay_that_can_not_be_meant_is_refused(api: Web, body: dict[str, Any]) -> None:
    event_id = await put_report(await put_item("awaiting"))
    assert (await api.post(f"/api/events/{event_id}/replay", json=body)).status_code == 422


async def test_an_event_that_is_not_there_is_not_found(api: Web) -> None:
    assert (await api.client.get(f"/api/events/{MISSING}")).status_code == 404
    for to in ("item", "parser"):
        assert (await replay(api, MISSING, to)).status_code == 404


async def test_replaying_is_for_who_manages_channels(web: Web) -> None:
    event_id = await put_report(await put_item("awaiting"))
    headers = bearer(await put_token(*READING))
    path = f"/api/events/{event_id}/replay"
    answer = await web.post(path, json={"to": "item"}, headers=headers)
    assert (answer.status_code, answer.json()["needs"]) == (403, ["manage_channels"])
