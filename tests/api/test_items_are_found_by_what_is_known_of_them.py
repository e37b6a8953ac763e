"""Filters and search: each finds what it should, and nothing else."""

from typing import Any

import pytest

from app.models import statements
from tests.api.stock import at, put
from tests.api.test_lists_show_items_page_by_page import DONE, OPEN, QUEUE, SENT, ids, walk
from tests.fakes.web import Web

ADA = {
    "method": "sms",
    "receiver_name": "Ada Lovelace",
    "receiver_address": "+15550100042",
    "origin_type": "order",
    "origin_id": "42",
    "tags": ["receipt", "vip"],
    "created_by": "shop/web",
    "message_id": "SM123",
}
GRACE = {
    "method": "email",
    "receiver_name": "Grace Höpper",
    "receiver_address": "Grace.100%_sure@example.com",
    "origin_type": "order",
    "origin_id": "43",
    "tags": ["receipt"],
    "created_by": "crm/sync",
    "message_id": "<a@b>",
}

FOUND: list[tuple[dict[str, str], set[str]]] = [
    ({}, {"ada", "grace"}),
    ({"method": "sms"}, {"ada"}),
    ({"queued_from": at(5).isoformat()}, {"grace"}),
    ({"queued_from": at(10).isoformat()}, {"grace"}),
    ({"queued_until": at(10).isoformat()}, {"ada"}),
    ({"queued_from": "2026-03-01T13:10:00+01:00"}, {"grace"}),
    ({"receiver": "grace.100%_SURE@example.com"}, {"grace"}),
    ({"receiver": "+15550100042"}, {"ada"}),
    ({"receiver": "grace.100"}, set()),
    ({"origin_type": "order"}, {"ada", "grace"}),
    ({"origin_type": "order", "origin_id": "42"}, {"ada"}),
    ({"origin_type": "invoice"}, set()),
    ({"tag": "receipt"}, {"ada", "grace"}),
    ({"tag": "vip"}, {"ada"}),
    ({"tag": "VIP"}, set()),
    ({"created_by": "crm/sync"}, {"grace"}),
    ({"message_id": "SM123"}, {"ada"}),
    ({"message_id": "<a@b>"}, {"grace"}),
    ({"message_id": "SM1234"}, set()),
    ({"q": "lovelace"}, {"ada"}),
    ({"q": "ADA LOVE"}, {"ada"}),
    ({"q": "HÖPPER"}, {"grace"}),
    ({"q": "example.com"}, {"grace"}),
    ({"q": "0100"}, {"ada"}),
    ({"q": "100%_sure"}, {"grace"}),
    ({"q": "100%sure"}, set()),
    ({"q": "100%_"}, {"grace"}),
    ({"q": "race%sure"}, set()),
    ({"q": "Lovelace +1555"}, set()),
    ({"tag": "receipt", "q": "grace", "method": "email"}, {"grace"}),
    ({"tag": "receipt", "q": "grace", "method": "sms"}, set()),
    ({"receiver": "+15550100042", "origin_type": "order", "tag": "vip"}, {"ada"}),
    ({"message_id": "SM123", "created_by": "crm/sync"}, set()),
]


@pytest.mark.parametrize(("path", "state"), [(QUEUE, "awaiting"), (SENT, "succeeded")])
async def test_each_filter_finds_what_it_says(api: Web, path: str, state: str) -> None:
    other = "succeeded" if state == "awaiting" else "awaiting"
    for wrong in (other,):
        for person in (ADA, GRACE):
            await put(wrong, 3, **{**person, "message_id": None})
    names = {
        str(await put(state, 0, **ADA)): "ada",
        str(await put(state, 10, **GRACE)): "grace",
    }
    for query, right in FOUND:
        for order in ("-queued", "queued"):
            found = await walk(api, path, limit=1, order=order, **query)
            assert {names[key] for key in found} == right, query
            assert len(found) == len(right), query
        answer = await api.client.get(path, params={**query, "count": "true"})
        assert answer.json()["count"] == {"value": len(right), "capped": False}, query


async def test_sent_items_are_found_in_the_order_of_their_end_too(api: Web) -> None:
    await put("succeeded", 0, **ADA)
    await put("unconfirmed", 10, **GRACE)
    for query, _ in FOUND:
        by_queue = await walk(api, SENT, limit=1, **query)
        assert await walk(api, SENT, limit=1, order="-finished", **query) == by_queue, query


async def test_states_and_error_kinds_select(api: Web) -> None:
    for n, state in enumerate(OPEN + DONE):
        await put(state, n, **({"error_kind": "rejected"} if state == "errored" else {}))
    await put("errored", 20, error_kind="outcome_unknown")

    async def states(path: str, query: str) -> list[str]:
        answer = await api.client.get(f"{path}?{query}")
        assert answer.status_code == 200, answer.text
        return [item["state"] for item in answer.json()["data"]]

    assert await states(QUEUE, "state=sending") == ["sending"]
    assert await states(QUEUE, "state=sending&state=delayed") == ["delayed", "sending"]
    assert await states(QUEUE, "state=sending,delayed") == ["delayed", "sending"]
    assert await states(QUEUE, "error_kind=rejected") == ["errored"]
    assert await states(QUEUE, "error_kind=rejected&method=sms") == []
    assert await states(QUEUE, "error_kind=rejected&state=queued") == []
    assert await states(SENT, "state=cancelled,unconfirmed") == ["cancelled", "unconfirmed"]
    for path, query in (
        (QUEUE, "state=succeeded"),
        (SENT, "state=queued"),
        (QUEUE, "state="),
        (SENT, "error_kind=rejected"),
        (QUEUE, "finished_from=2026-01-01T00:00:00Z"),
    ):
        assert (await api.client.get(f"{path}?{query}")).status_code == 422, query


async def test_what_finished_in_a_time_is_found(api: Web) -> None:
    keys = [str(await put("succeeded", n, finished_at=at(100 - n))) for n in range(6)]
    query = {"finished_from": at(97).isoformat(), "finished_until": at(99).isoformat()}
    assert await walk(api, SENT, **query) == [keys[2], keys[3]]
    assert await walk(api, SENT, limit=1, order="-queued", **query) == [keys[3], keys[2]]
    assert await walk(api, SENT, limit=1, order="finished", **query) == [keys[3], keys[2]]


async def test_results_are_searched_of_failed_items_alone(api: Web) -> None:
    failed = await put("errored", 1, error_kind="rejected", result="550 Mailbox Full")
    await put("delayed", 2, result="452 mailbox full")
    person = await put("errored", 3, receiver_name="Mailbox Fuller")
    assert await walk(api, QUEUE, q="mailbox full", state="errored") == [str(person), str(failed)]
    assert await walk(api, QUEUE, q="mailbox full") == [str(person)]
    assert await walk(api, QUEUE, q="mailbox full", state="errored,delayed") == [str(person)]


async def test_an_address_is_found_however_its_domain_is_written(api: Web) -> None:
    key = await put("queued", receiver_address="a@xn--fa-hia.example")
    assert await walk(api, QUEUE, receiver="a@faß.example") == [str(key)]


NONSENSE: list[dict[str, Any]] = [
    {"q": "ab"},
    {"q": "a.b.c"},
    {"q": "%%%"},
    {"q": "x" * 101},
    {"q": "abc\x00"},
    {"tag": "a\x00b"},
    {"tag": ""},
    {"receiver": "x" * 255},
    {"origin_id": "42"},
    {"queued_from": "2026-03-01T12:00:00"},
    {"queued_from": "yesterday"},
    {"queued_from": "0001-01-01T00:00:00+14:00"},
    {"queued_until": "9999-12-31T23:59:59-14:00"},
    {"method": "fax"},
    {"count": "maybe"},
    {"expand": "everything"},
    {"sender": "a@b"},
]


async def test_what_makes_no_sense_is_refused_by_name(api: Web) -> None:
    for query in NONSENSE:
        for path in (QUEUE, SENT):
            answer = await api.client.get(path, params=query)
            assert answer.status_code == 422, query
            assert {e["field"].split(".")[0] for e in answer.json()["errors"]} == set(query)


async def test_rare_items_behind_many_others_are_reached(api: Web) -> None:
    """Field report 74: filters still find old rows."""
    old = await put("errored", 0, error_kind="rejected", tags=["rare"], receiver_name="Ödipus Rex")
    for n in range(1, 40):
        await put("queued", n, tags=["common"])
    for query in (
        {"tag": "rare"},
        {"q": "dipus"},
        {"error_kind": "rejected"},
        {"state": "errored"},
    ):
        answer = await api.client.get(QUEUE, params={"limit": 1, **query})
        assert (ids(answer.json()), answer.json()["next"]) == ([str(old)], None), query


async def test_tags_go_with_their_item(api: Web) -> None:
    key = await put("queued", tags=["a", "b", "a"])
    tags = await statements.run("SELECT tag FROM item_tags WHERE item_id = $1 ORDER BY tag", key)
    assert [row["tag"] for row in tags] == ["a", "b"]
    assert await walk(api, QUEUE, tag="a") == [str(key)]
    await statements.run("DELETE FROM item_search WHERE item_id = $1", key)
    assert not await statements.run("SELECT FROM item_tags")
