"""Senders and receivers: added, shown, listed and changed."""

import uuid

import pytest

from tests.api.given import ANNA, count, email, fields, rows_of
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web

TABLES = pytest.mark.parametrize("table", ["senders", "receivers"])


@TABLES
async def test_somebody_is_added_and_shown(api: Web, table: str) -> None:
    made = await api.post(f"/api/{table}", json={**ANNA, "cell": "+15550100001"})
    assert made.status_code == 201, made.text
    assert made.headers["location"] == made.json()["links"]["self"]
    shown = await api.client.get(made.headers["location"])
    assert shown.json() == made.json()
    assert (shown.json()["email"], shown.json()["cell"]) == ("anna@example.com", "+15550100001")


@TABLES
async def test_pages_show_everybody_once(api: Web, table: str) -> None:
    made = [
        (await api.post(f"/api/{table}", json={"email": f"{n}@example.com"})).json()["id"]
        for n in range(5)
    ]
    found, cursor = [], ""
    while cursor is not None:
        page = await api.client.get(f"/api/{table}?limit=2{cursor and f'&cursor={cursor}'}")
        found += [one["id"] for one in page.json()["data"]]
        cursor = page.json()["next"]
    assert found == made[::-1]


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "cursor=x", "cursor=AAAA", "page=2"])
async def test_what_is_no_page_is_refused(api: Web, query: str) -> None:
    assert (await api.client.get(f"/api/senders?{query}")).status_code == 422


@TABLES
async def test_what_is_given_is_changed_and_the_rest_stays(api: Web, table: str) -> None:
    made = (await api.post(f"/api/{table}", json={**ANNA, "cell": "+15550100001"})).json()
    address = made["links"]["self"]
    changed = await api.client.patch(address, json={"name": "Ann", "cell": None})
    assert changed.status_code == 200, changed.text
    assert changed.json() == {**made, "name": "Ann", "cell": None}
    refused = await api.client.patch(address, json={"email": None})
    assert refused.status_code == 422
    assert (await api.client.get(address)).json() == changed.json()


async def test_an_item_keeps_the_address_that_it_was_composed_with(api: Web) -> None:
    made = (await api.post("/api/receivers", json=ANNA)).json()
    await api.post("/api/emails", json=email(to=[made["id"]]))
    await api.client.patch(made["links"]["self"], json={"email": "new@example.com"})
    [kept] = await rows_of("item_search")
    assert kept["receiver_address"] == "anna@example.com"


@pytest.mark.parametrize(
    ("person", "field"),
    [
        ({}, "email"),
        ({"name": "Nobody"}, "email"),
        ({"email": "nobody"}, "email"),
        ({"cell": "0151"}, "cell"),
        ({"email": "a@example.com", "name": "a\r\nb"}, "name"),
        ({"email": "a@example.com", "phone": "1"}, "phone"),
    ],
)
async def test_whoever_can_not_be_reached_is_refused(
    api: Web, person: dict[str, str], field: str
) -> None:
    answer = await api.post("/api/senders", json=person)
    assert (answer.status_code, fields(answer)) == (422, {field})
    assert await count("senders") == 0


@TABLES
async def test_unknown_ids_are_not_found(api: Web, table: str) -> None:
    for key in (uuid.uuid7(), "nonsense"):
        assert (await api.client.get(f"/api/{table}/{key}")).status_code == 404
        change = await api.client.patch(f"/api/{table}/{key}", json={"name": "a"})
        assert change.status_code == 404


@TABLES
async def test_addresses_are_shown_to_those_who_may_read_content(web: Web, table: str) -> None:
    token = bearer(await put_token("send"))
    made = await web.post(f"/api/{table}", json=ANNA, headers=token)
    assert made.status_code == 201
    own = made.json()["links"]["self"]
    for answer in (
        await web.client.get(f"/api/{table}", headers=token),
        await web.client.get(own, headers=token),
        await web.client.patch(own, json={"name": "A"}, headers=token),
    ):
        assert (answer.status_code, answer.json()["needs"]) == (403, ["read_content"])
