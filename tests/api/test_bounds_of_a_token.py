"""A token sends as much, to whom and in whose name it may: no more, however many ask at once."""

import asyncio
from typing import Any

import httpx
import pytest

from app.access.caller import Bounds
from app.models import statements
from tests.api.given import ANNA, count, email, fields, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web


async def bounded(**bounds: Any) -> dict[str, str]:
    return bearer(await put_token("send", bounds=Bounds(**bounds)))


async def test_at_the_cap_nothing_more_is_queued(web: Web) -> None:
    token = await bounded(hourly_cap=3)
    statuses = [
        (await web.post("/api/sms", json=sms(), headers=token)).status_code for _ in range(4)
    ]
    assert statuses == [202, 202, 202, 429]
    answer = await web.post("/api/emails", json=email(), headers=token)
    assert answer.json()["type"].endswith("cap-reached")
    assert 0 < int(answer.headers["retry-after"]) <= 3600
    assert await count("queue_items") == 3


async def test_requests_at_once_do_not_pass_the_cap(web: Web) -> None:
    token = await bounded(hourly_cap=5, daily_cap=7)
    answers = await asyncio.gather(
        *(web.post("/api/emails", json=email(), headers=token) for _ in range(15))
    )
    assert sorted(a.status_code for a in answers) == [202] * 5 + [429] * 10
    assert await count("queue_items") == 5


async def test_a_day_is_this_hour_and_the_23_before(web: Web) -> None:
    token = await bounded(daily_cap=3)
    await web.post("/api/sms", json=sms(), headers=token)
    [row] = await statements.run("SELECT token_id FROM token_usage")
    for hours in (23, 24):
        await statements.run(
            "INSERT INTO token_usage SELECT $1, date_trunc('hour', now())"
            " - $2::integer * interval '1 hour', 1",
            row["token_id"],
            hours,
        )
    statuses = [
        (await web.post("/api/sms", json=sms(), headers=token)).status_code for _ in range(2)
    ]
    assert statuses == [202, 429]


async def test_an_email_counts_once_for_each_receiver_and_is_sent_to_all_or_none(web: Web) -> None:
    token = await bounded(hourly_cap=2)
    three = [{"email": f"{n}@example.com"} for n in range(3)]
    assert (await web.post("/api/emails", json=email(to=three), headers=token)).status_code == 429
    assert await count("queue_items") == await count("email_messages") == 0
    answer = await web.post("/api/emails", json=email(to=three[:2]), headers=token)
    assert answer.status_code == 202


async def test_a_refused_message_uses_nothing_up(web: Web) -> None:
    token = await bounded(hourly_cap=1)
    assert (await web.post("/api/sms", json=sms(body=""), headers=token)).status_code == 422
    assert (await web.post("/api/sms", json=sms(), headers=token)).status_code == 202


def refused(answer: httpx.Response, field: str) -> bool:
    return (
        answer.status_code == 403
        and answer.json()["type"].endswith("out-of-bounds")
        and fields(answer) == {field}
    )


@pytest.mark.parametrize(
    ("senders", "sends"),
    [
        (("shop@example.com",), True),
        (("SHOP@Example.com",), True),
        (("@example.com",), True),
        (("@shop.example.com",), False),
        (("@le.com",), False),
        (("other@example.com",), False),
        (("+15550100009",), False),
    ],
)
async def test_a_token_sends_in_the_names_that_it_is_bound_to(
    web: Web, senders: tuple[str, ...], sends: bool
) -> None:
    token = await bounded(senders=senders)
    answer = await web.post("/api/emails", json=email(), headers=token)
    assert answer.status_code == 202 if sends else refused(answer, "sender")
    assert await count("queue_items") == sends


async def test_the_sender_behind_an_id_is_bound_too(web: Web) -> None:
    token = await bounded(senders=("other@example.com", "+15550100002"))
    made = await web.post(
        "/api/senders", json={"email": "shop@example.com", "cell": "+15550100009"}, headers=token
    )
    shop = made.json()["id"]
    mail = await web.post("/api/emails", json=email(sender=shop), headers=token)
    text = await web.post("/api/sms", json=sms(sender=shop), headers=token)
    assert refused(mail, "sender")
    assert refused(text, "sender")


@pytest.mark.parametrize(("prefix", "sends"), [("+1", True), ("+1555", True), ("+49", False)])
async def test_a_token_sends_to_the_countries_that_it_is_bound_to(
    web: Web, prefix: str, sends: bool
) -> None:
    token = await bounded(sms_prefixes=(prefix,))
    answer = await web.post("/api/sms", json=sms(), headers=token)
    assert answer.status_code == 202 if sends else refused(answer, "receiver")
    assert (await web.post("/api/emails", json=email(), headers=token)).status_code == 202


async def test_a_token_names_as_many_receivers_in_a_request_as_it_may(web: Web) -> None:
    token = await bounded(max_receivers=2)
    others = [{"email": f"{n}@example.com"} for n in range(2)]
    answer = await web.post("/api/emails", json=email(to=[ANNA], cc=others), headers=token)
    assert answer.json()["type"].endswith("out-of-bounds")
    batch = {"messages": [{"method": "email", **email()}] * 3}
    assert (await web.post("/api/messages/batch", json=batch, headers=token)).status_code == 403
    assert await count("queue_items") == 0
    assert (await web.post("/api/emails", json=email(cc=others[:1]), headers=token)).is_success


@pytest.mark.parametrize(
    ("bounds", "table", "within", "beyond"),
    [
        ({"senders": ("@shop.example",)}, "senders", {"email": "a@shop.example"}, ANNA),
        (
            {"sms_prefixes": ("+49",)},
            "receivers",
            {"cell": "+491711234567"},
            {"cell": "+15550100001"},
        ),
    ],
    ids=["senders", "countries"],
)
async def test_what_others_name_by_its_id_is_changed_within_the_bounds_alone(
    web: Web, bounds: dict[str, Any], table: str, within: dict[str, str], beyond: dict[str, str]
) -> None:
    token = bearer(await put_token("send", "read_content", bounds=Bounds(**bounds)))
    unbound = bearer(await put_token("send", "read_content"))
    place = f"/api/{table}"
    made = await web.post(place, json=within, headers=token)
    assert made.status_code == 201, made.text
    foreign = (await web.post(place, json=beyond, headers=unbound)).json()["links"]["self"]
    own = made.json()["links"]["self"]
    for path, change in ((own, beyond), (foreign, within), (foreign, {"name": "Ann"})):
        answer = await web.client.patch(path, json=change, headers=token)
        assert (answer.status_code, answer.json()["type"].rpartition("-")[2]) == (403, "bounds")
    renamed = await web.client.patch(own, json={"name": "Ann"}, headers=token)
    assert renamed.status_code == 200, renamed.text
