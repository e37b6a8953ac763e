"""One item: what it says of itself, and its expansions, as the application writes them."""

import uuid
from typing import Any

import httpx

from app.items import add_email, add_sms
from app.models import statements
from tests.api.stock import put
from tests.api.test_lists_show_items_page_by_page import QUEUE, SENT
from tests.fakes.items import put_attempt
from tests.fakes.web import Web

ALL = "sender,receiver,email,sms,attempts,events,history,attachments"
SENDER = {"name": "Shop", "email": "shop@example.com", "cell": "+15550100099"}


async def show(web: Web, key: object, expand: str = "", path: str = QUEUE) -> Any:
    answer = await web.client.get(f"{path}/{key}", params={"expand": expand} if expand else {})
    assert answer.status_code == 200, answer.text
    return answer.json()


async def test_an_email_is_shown_as_it_was_composed(api: Web) -> None:
    to, _ = await add_email(
        sender=SENDER,
        to=[{"name": "Ada", "email": "ada@sandbox.example"}],
        cc=[{"name": "Bo", "email": "bo@sandbox.example"}],
        reply_to=[{"name": "Help", "email": "help@example.com"}],
        subject="Hello",
        text="Text",
        html="<p>Text</p>",
        headers={"X-Order": "42"},
        tags=["receipt"],
        origin=("order", 42),
    )
    item = await show(api, to.id, ALL)
    assert (item["subject"], item["receiver_address"], item["role"]) == (
        "Hello",
        "ada@sandbox.example",
        "to",
    )
    assert item["origin"] == {"type": "order", "id": "42"}
    assert item["tags"] == ["receipt"]
    assert item["sender"] == {"id": None, "name": "Shop", "address": "shop@example.com"}
    assert item["receiver"]["name"] == "Ada"
    assert item["email"] == {
        "id": item["email"]["id"],
        "subject": "Hello",
        "text": "Text",
        "html": "<p>Text</p>",
        "cut": False,
        "headers": {"X-Order": "42"},
        "to": [{"name": "Ada", "address": "ada@sandbox.example"}],
        "cc": [{"name": "Bo", "address": "bo@sandbox.example"}],
        "bcc": [],
        "reply_to": [{"name": "Help", "address": "help@example.com"}],
    }
    assert item["sms"] is None
    assert (item["attempts"], item["events"], item["attachments"]) == ([], [], [])


async def test_an_sms_is_shown_as_it_was_composed(api: Web) -> None:
    made = await add_sms(
        sender=SENDER, receiver={"name": "Ada", "cell": "+15550100001"}, body="Code 1"
    )
    item = await show(api, made.id, ALL)
    assert item["sms"]["body"] == "Code 1"
    assert (item["email"], item["subject"], item["attachments"]) == (None, None, [])
    assert item["sender"]["address"] == "+15550100099"
    assert item["receiver"]["address"] == "+15550100001"


async def test_nothing_is_expanded_that_was_not_asked_for(api: Web) -> None:
    item = await show(api, await put("queued"))
    assert set(ALL.split(",")).isdisjoint(item)
    both = await api.client.get(f"{QUEUE}?expand=sms&expand=email,sender")
    [listed] = both.json()["data"]
    assert {"sms", "email", "sender"} == set(ALL.split(",")) & set(listed)


async def test_a_second_copy_is_counted_wherever_the_item_is(api: Web) -> None:
    key = await put("succeeded", attempts=2)
    await put_attempt(key, uuid.uuid7(), number=1, outcome="accepted")
    await statements.run("UPDATE attempts SET report = 'delivered' WHERE number = 2")
    assert (await show(api, key, path=SENT))["copies"] == 2
    [listed] = (await api.client.get(SENT)).json()["data"]
    assert (listed["copies"], listed["attempt_count"]) == (2, 2)


async def test_what_nobody_knows_is_said(api: Web) -> None:
    unknown = await put("errored", 1)
    doubtful = await put("delayed", 2)
    await statements.run(
        "UPDATE attempts SET may_have_been_sent = true WHERE item_id = $1", doubtful
    )
    clear = await put("errored", 3, error_kind="rejected")
    cancelled = await put("cancelled", 4, delivered_after_cancel=True, cloned_from=clear)
    items = {key: await show(api, key) for key in (unknown, doubtful, clear, cancelled)}
    assert [item["may_have_been_sent"] for item in items.values()] == [True, True, False, False]
    assert "may have been sent" in items[unknown]["error"]
    assert "confirmation" in items[unknown]["next_step"]
    assert items[clear]["error"] == "The provider refused it."
    assert items[cancelled]["delivered_after_cancel"] is True
    assert items[cancelled]["cloned_from"] == str(clear)
    assert items[cancelled]["links"]["cloned_from"] == f"{QUEUE}/{clear}"


async def test_a_list_holds_no_more_of_bodies_than_a_reader_can_take(api: Web) -> None:
    key = await put("queued")
    await statements.run("UPDATE email_messages SET text = repeat('x', 20000), html = 'h'")
    assert len((await show(api, key, "email"))["email"]["text"]) == 20_000
    [listed] = (await api.client.get(f"{QUEUE}?expand=email")).json()["data"]
    assert (len(listed["email"]["text"]), listed["email"]["cut"]) == (10_000, True)


async def test_the_last_hundred_reports_are_shown_oldest_first(api: Web) -> None:
    key = await put("awaiting")
    await statements.run(
        "INSERT INTO delivery_events (id, provider, event_key, item_id, type, report, received_at,"
        " raw) SELECT gen_random_uuid(), 'sandbox', n::text, $1, n::text, 'engaged',"
        " now() + n * interval '1 s', '{\"n\": 1}' FROM generate_series(1, 130) n",
        key,
    )
    events = (await show(api, key, "events"))["events"]
    assert [event["type"] for event in events] == [str(n) for n in range(31, 131)]
    assert events[0]["raw"] == {"n": 1}
    [listed] = (await api.client.get(f"{QUEUE}?expand=events")).json()["data"]
    assert listed["events"][0]["raw"] is None


async def test_times_have_a_zone(api: Web) -> None:
    item = await show(api, await put("succeeded", 3))
    assert item["queued"] == "2026-03-01T12:03:00Z"
    assert item["finished_at"] == "2026-03-01T12:04:00Z"


async def test_an_answer_can_be_read_as_the_document_says(api: Web) -> None:
    document = (await api.client.get("/api/openapi.json")).json()
    await put("errored", 1)
    answer: httpx.Response = await api.client.get(f"{QUEUE}?expand={ALL}")
    schema = document["components"]["schemas"]["Item"]
    [item] = answer.json()["data"]
    assert set(item) <= set(schema["properties"])
    assert set(schema["required"]) <= set(item)
