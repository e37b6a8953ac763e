"""Lists of queue items and of sent items: what is in them, in which order, page by page."""

import base64
from typing import Any

import pytest

from app.models import statements
from tests.api.stock import at, put, some_uuid
from tests.fakes.web import Web

QUEUE, SENT = "/api/queue-items", "/api/sent-items"
OPEN = ("queued", "sending", "awaiting", "delayed", "errored")
DONE = ("succeeded", "unconfirmed", "cancelled")


async def get(web: Web, path: str, **query: Any) -> Any:
    answer = await web.client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def ids(page: Any) -> list[str]:
    return [item["id"] for item in page["data"]]


async def walk(web: Web, path: str, **query: Any) -> list[str]:
    """The ids of all pages."""
    found, cursor = [], {}
    while True:
        page = await get(web, path, **query, **cursor)
        found += ids(page)
        if page["next"] is None:
            return found
        cursor = {"cursor": page["next"]}


async def test_an_item_is_in_one_of_the_lists(api: Web) -> None:
    states = {str(await put(state, n)): state for n, state in enumerate(OPEN + DONE)}
    queue, sent = await walk(api, QUEUE), await walk(api, SENT)
    assert [states[key] for key in queue] == list(reversed(OPEN))
    assert [states[key] for key in sent] == list(reversed(DONE))


async def test_a_sent_item_is_not_found_before_it_is_done(api: Web) -> None:
    key = await put("queued")
    assert (await api.client.get(f"{SENT}/{key}")).status_code == 404
    assert (await get(api, f"{QUEUE}/{key}"))["state"] == "queued"
    await statements.run(
        "UPDATE queue_items SET state = 'cancelled', finished_at = now() WHERE id = $1", key
    )
    assert (await get(api, f"{SENT}/{key}"))["links"]["sent_item"] == f"{SENT}/{key}"
    assert (await get(api, f"{QUEUE}/{key}"))["done"] is True


@pytest.mark.parametrize("path", [QUEUE, SENT])
async def test_what_is_not_there_is_404(api: Web, path: str) -> None:
    for key in (some_uuid(), "nothing", "1", "%00"):
        answer = await api.client.get(f"{path}/{key}")
        assert (answer.status_code, answer.json()["type"]) == (404, "/api/docs#problem-not-found")


@pytest.mark.parametrize("path", [QUEUE, SENT])
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
async def test_lists_can_only_be_read(api: Web, path: str, method: str) -> None:
    answer = await api.client.request(method, path, json={})
    assert answer.status_code == 405
    assert "GET" in answer.headers["allow"]


@pytest.mark.parametrize("order", ["-queued", "queued"])
async def test_pages_follow_each_other_without_gap_or_repetition(api: Web, order: str) -> None:
    # Three at a time have the same moment: then the id decides.
    made = [(n // 3, str(await put(OPEN[n % 5], n // 3))) for n in range(20)]
    right = [key for _, key in sorted(made, reverse=order == "-queued")]
    for limit in (1, 3, 7, 200):
        assert await walk(api, QUEUE, order=order, limit=limit) == right


@pytest.mark.parametrize("order", ["-finished", "finished"])
async def test_sent_items_are_listed_by_when_they_finished(api: Web, order: str) -> None:
    made = [
        (20 - n // 2, str(await put(DONE[n % 3], n, finished_at=at(60 + 20 - n // 2))))
        for n in range(12)
    ]
    right = [key for _, key in sorted(made, reverse=order == "-finished")]
    assert await walk(api, SENT, order=order, limit=5) == right
    assert await walk(api, SENT, order=order, limit=2, tag="none") == []


async def test_the_queue_is_not_ordered_by_the_end_that_its_items_have_not(api: Web) -> None:
    assert (await api.client.get(QUEUE, params={"order": "finished"})).status_code == 422


async def test_what_comes_and_goes_between_two_pages_moves_nobody(api: Web) -> None:
    keys = [str(await put("queued", n)) for n in range(10)]
    page = await get(api, QUEUE, limit=4)
    assert ids(page) == list(reversed(keys[6:]))
    # One that was seen and the last one that was seen leave the list, one that was not seen too;
    # newer ones come, and one of the same moment as the last.
    for key in (keys[8], keys[6], keys[4]):
        await statements.run(
            "UPDATE queue_items SET state = 'cancelled', finished_at = now() WHERE id = $1::uuid",
            key,
        )
    await put("queued", 30)
    rest = []
    while page["next"]:
        page = await get(api, QUEUE, limit=2, cursor=page["next"])
        rest += ids(page)
    assert rest == [keys[n] for n in (5, 3, 2, 1, 0)]


async def test_an_item_that_returns_to_the_queue_is_on_the_page_of_its_time(api: Web) -> None:
    keys = [str(await put("queued", n)) for n in range(3)]
    late = str(await put("unconfirmed", 0.5))
    page = await get(api, QUEUE, limit=1)
    await statements.run(
        "UPDATE queue_items SET state = 'errored', error_kind = 'reported', finished_at = NULL"
        " WHERE id = $1::uuid",
        late,
    )
    assert await walk(api, QUEUE, limit=1) == [keys[2], keys[1], late, keys[0]]
    assert ids(await get(api, QUEUE, limit=9, cursor=page["next"])) == [keys[1], late, keys[0]]


async def test_a_cursor_belongs_to_its_list_filters_and_order(api: Web) -> None:
    for n in range(3):
        await put("queued", n, tags=["a"])
        await put("succeeded", n)
    cursor = (await get(api, QUEUE, limit=1, tag="a"))["next"]
    assert len(ids(await get(api, QUEUE, limit=2, tag="a", cursor=cursor))) == 2
    for path, query in (
        (QUEUE, {}),
        (QUEUE, {"tag": "b"}),
        (QUEUE, {"tag": "a", "order": "queued"}),
        (QUEUE, {"tag": "a", "state": "queued"}),
        (SENT, {"tag": "a"}),
    ):
        answer = await api.client.get(path, params={**query, "cursor": cursor})
        assert answer.status_code == 422, query
        assert [error["field"] for error in answer.json()["errors"]] == ["cursor"]


async def test_a_cursor_that_was_touched_leads_nowhere(api: Web) -> None:
    for n in range(2):
        await put("queued", n)
    cursor = (await get(api, QUEUE, limit=1))["next"]
    raw = base64.urlsafe_b64decode(cursor)
    touched = [
        base64.urlsafe_b64encode(raw[:n] + bytes([raw[n] ^ 1]) + raw[n + 1 :]).decode()
        for n in range(len(raw))
    ]
    odd = ["x", "é", "=" * 80, cursor[:-4], cursor + "AAAA", cursor.lower(), cursor + "\n"]
    for text in (*touched, *odd):
        answer = await api.client.get(QUEUE, params={"cursor": text})
        assert answer.status_code == 422, text


async def test_a_cursor_holds_sort_keys_alone(api: Web) -> None:
    key = await put("queued", 1, receiver_address="secret@example.com", tags=["secret"])
    await put("queued", 0, receiver_address="secret@example.com", tags=["secret"])
    page = await get(api, QUEUE, limit=1, receiver="secret@example.com", tag="secret")
    raw = base64.urlsafe_b64decode(page["next"])
    assert len(raw) == 8 + 16 + 16
    assert raw[8:24] == key.bytes


async def test_counts_are_made_on_request(api: Web) -> None:
    for n in range(5):
        await put("queued", n, method="sms" if n == 3 else "email", tags=["x"] if n < 2 else [])
    assert "count" not in await get(api, QUEUE)
    for query, value in (({}, 5), ({"method": "sms"}, 1), ({"tag": "x"}, 2), ({"tag": "y"}, 0)):
        page = await get(api, QUEUE, limit=1, count="true", **query)
        assert page["count"] == {"value": value, "capped": False}


async def test_a_page_has_bounds(api: Web) -> None:
    for limit in ("0", "201", "-1", "x", "1" * 40):
        assert (await api.client.get(QUEUE, params={"limit": limit})).status_code == 422
