"""Tokens by the API: issued within the bounds of the one that asks, listed, shown, revoked."""

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from httpx import Response

from app.access.caller import Bounds
from app.access.permissions import PERMISSIONS
from app.access.tokens import Wish, issue
from app.controllers.api.access.wanted import Ability
from app.models import statements
from tests.fakes.access import bearer, put_token, put_user
from tests.fakes.web import Web

WISH = {"name": "shop", "abilities": ["send"]}


async def ask(web: Web, token: str, **wish: Any) -> Response:
    return await web.client.post("/api/tokens", json={**WISH, **wish}, headers=bearer(token))


async def me(web: Web, token: str) -> Any:
    return (await web.client.get("/api/me", headers=bearer(token))).json()


async def put_bounded(*abilities: str, days: float = 100, **bounds: Any) -> str:
    """A token with these bounds of an owner who may do everything."""
    user = await put_user(*PERMISSIONS)
    end = datetime.now(UTC) + timedelta(days=days)
    networks = bounds.pop("networks", ())
    wish = Wish("asks", abilities or tuple(PERMISSIONS), end, networks, Bounds(**bounds))
    return (await issue(user, frozenset(PERMISSIONS), wish)).text


def test_every_permission_can_be_an_ability() -> None:
    assert set(Ability.__value__.__args__) == set(PERMISSIONS)


async def test_a_new_token_is_shown_once_and_works(api: Web) -> None:
    made = await api.client.post("/api/tokens", json=WISH)
    assert made.status_code == 201
    assert made.headers["cache-control"] == "no-store"
    text = made.json()["token"]
    assert text.startswith(made.json()["begins"] + "_")
    assert (await me(api, text))["permissions"] == ["send"]
    shown = await api.client.get(made.headers["location"])
    listed = await api.client.get("/api/tokens")
    for answer in (shown, listed):
        assert answer.status_code == 200
        assert text not in answer.text
    assert listed.json()["data"][0] == shown.json()
    rows = await statements.run("SELECT t::text AS line FROM api_tokens t")
    assert not any(text.rpartition("_")[2] in row["line"] for row in rows)


async def test_a_token_belongs_to_the_user_whose_token_asked(web: Web) -> None:
    asking = await put_token()
    made = (await ask(web, asking)).json()
    mine = await me(web, asking)
    assert made["user_id"] == mine["user_id"]
    assert made["issued_by"] == mine["token"]["id"]


async def test_last_use_is_shown(api: Web) -> None:
    made = (await api.client.post("/api/tokens", json=WISH)).json()
    assert made["last_used_at"] is None
    await me(api, made["token"])
    shown = await api.client.get(f"/api/tokens/{made['id']}")
    assert shown.json()["last_used_at"] is not None


@pytest.mark.parametrize(
    ("held", "wished", "field"),
    [
        (("manage_tokens",), {"abilities": ["send"]}, "abilities"),
        (("manage_tokens", "send"), {"abilities": ["send", "read_content"]}, "abilities"),
        (("manage_tokens",), {"abilities": ["manage_tokens"], "expires_in_days": 101}, "expires"),
    ],
)
async def test_a_token_gives_nothing_that_it_lacks(
    web: Web, held: tuple[str, ...], wished: dict[str, Any], field: str
) -> None:
    answer = await ask(web, await put_bounded(*held), **wished)
    assert answer.status_code == 403
    assert answer.json()["errors"][0]["field"].startswith(field)


async def test_a_token_gives_nothing_that_its_owner_lost(web: Web) -> None:
    token = await put_token("manage_tokens", "send")
    assert (await ask(web, token)).status_code == 201
    await statements.run("UPDATE users SET permissions = '{manage_tokens}'")
    assert (await ask(web, token, name="another")).status_code == 403


@pytest.mark.parametrize(
    ("bound", "wider", "narrower"),
    [
        ({"networks": ("127.0.0.0/8",)}, {}, {"networks": ["127.0.0.1"]}),
        ({"networks": ("127.0.0.0/8",)}, {"networks": ["127.0.0.1", "10.0.0.0/8"]}, None),
        ({"networks": ("127.0.0.0/8",)}, {"networks": ["126.0.0.0/7"]}, None),
        ({"networks": ("127.0.0.0/8",)}, {"networks": ["::1"]}, None),
        ({"senders": ("@shop.example",)}, {}, {"senders": ["News@shop.example"]}),
        ({"senders": ("@shop.example",)}, {"senders": ["a@evilshop.example"]}, None),
        ({"senders": ("a@shop.example",)}, {"senders": ["@shop.example"]}, None),
        ({"sms_prefixes": ("+49",)}, {}, {"sms_prefixes": ["+491"]}),
        ({"sms_prefixes": ("+49",)}, {"sms_prefixes": ["+4"]}, None),
        ({"max_receivers": 5}, {"max_receivers": 6}, {"max_receivers": 5}),
        ({"max_receivers": 5}, {}, None),
    ],
)
async def test_a_token_gives_no_wider_bounds_than_its_own(
    web: Web, bound: dict[str, Any], wider: dict[str, Any], narrower: dict[str, Any] | None
) -> None:
    asking = await put_bounded(**bound)
    assert (await ask(web, asking, **wider)).status_code == 403
    if narrower is not None:
        assert (await ask(web, asking, **narrower)).status_code == 201


async def test_a_cap_is_not_got_round_by_many_tokens(web: Web) -> None:
    asking = await put_bounded(hourly_cap=10)
    assert (await ask(web, asking, hourly_cap=10)).status_code == 403
    reading = {"abilities": ["read_workflow"], "hourly_cap": 10}
    assert (await ask(web, asking, **reading)).status_code == 201


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        ({"abilities": []}, "abilities"),
        ({"abilities": ["everything"]}, "abilities.0"),
        ({"name": ""}, "name"),
        ({"name": "a\u202eb"}, "name"),
        ({"name": "a\0b"}, "name"),
        ({"expires_in_days": 0}, "expires_in_days"),
        ({"expires_in_days": 367}, "expires_in_days"),
        ({"networks": ["10.0.0.0/33"]}, "networks.0"),
        ({"sms_prefixes": ["49"]}, "sms_prefixes.0"),
        ({"hourly_cap": 0}, "hourly_cap"),
        ({"user_id": str(uuid.uuid7())}, "user_id"),
        ({"expires": 90}, "expires"),
    ],
)
async def test_what_no_token_can_be_is_named(api: Web, wish: dict[str, Any], field: str) -> None:
    answer = await api.client.post("/api/tokens", json={**WISH, **wish})
    assert answer.status_code == 422
    [error] = answer.json()["errors"]
    assert error["field"] == field
    assert "regex" not in error["message"]


@pytest.mark.parametrize("network", ["0.0.0.0/0", "::/0", "::", "::1", "2001:db8::/32"])
async def test_every_way_to_write_a_network_is_taken(api: Web, network: str) -> None:
    answer = await api.client.post("/api/tokens", json={**WISH, "networks": [network]})
    assert answer.status_code == 201, answer.text


async def test_two_living_tokens_have_two_names(api: Web) -> None:
    made = (await api.client.post("/api/tokens", json=WISH)).json()
    again = {**WISH, "name": "SHOP"}
    assert (await api.client.post("/api/tokens", json=again)).status_code == 409
    assert (await api.client.delete(f"/api/tokens/{made['id']}")).status_code == 204
    assert (await api.client.post("/api/tokens", json=again)).status_code == 201


async def test_a_revoked_token_is_as_good_as_none(api: Web) -> None:
    made = (await api.client.post("/api/tokens", json=WISH)).json()
    revoked = await api.client.delete(f"/api/tokens/{made['id']}")
    assert (revoked.status_code, revoked.content) == (204, b"")
    answer = await api.client.get("/api/me", headers=bearer(made["token"]))
    assert answer.status_code == 401
    assert (await api.client.delete(f"/api/tokens/{made['id']}")).status_code == 204
    assert (await api.client.get(f"/api/tokens/{made['id']}")).json()["revoked_at"]


async def test_a_token_goes_with_all_that_it_issued(web: Web) -> None:
    asking = await put_bounded()
    child = (await ask(web, asking, abilities=["manage_tokens", "send"])).json()
    grandchild = (await ask(web, child["token"], name="another")).json()
    watching = bearer(await put_token("manage_tokens"))
    place = f"/api/tokens/{child['issued_by']}?issued=true"
    assert (await web.client.delete(place, headers=watching)).status_code == 204
    for text in (asking, child["token"], grandchild["token"]):
        assert (await web.client.get("/api/me", headers=bearer(text))).status_code == 401
    assert (await web.client.get("/api/me", headers=watching)).status_code == 200


async def test_without_permission_a_token_reaches_itself_alone(web: Web) -> None:
    token, other = await put_token("send"), await put_token("send")
    own, foreign = [(await me(web, text))["token"]["id"] for text in (token, other)]
    client, headers = web.client, bearer(token)
    assert (await client.get("/api/tokens", headers=headers)).status_code == 403
    assert (await client.get(f"/api/tokens/{own}", headers=headers)).status_code == 200
    for key in (foreign, uuid.uuid7(), "x", own.upper() + "0"):
        assert (await client.get(f"/api/tokens/{key}", headers=headers)).status_code == 404
        assert (await client.delete(f"/api/tokens/{key}", headers=headers)).status_code == 404
    assert (await client.delete(f"/api/tokens/{own}", headers=headers)).status_code == 204
    assert (await client.get("/api/me", headers=headers)).status_code == 401


async def test_the_list_goes_on_page_by_page(api: Web) -> None:
    for number in range(4):
        await api.client.post("/api/tokens", json={**WISH, "name": f"no. {number}"})
    seen, cursor = [], ""
    while cursor is not None:
        page = (await api.client.get(f"/api/tokens?limit=2{cursor}")).json()
        seen += [token["name"] for token in page["data"]]
        cursor = f"&cursor={page['next']}" if page["next"] else None
    assert seen == ["no. 3", "no. 2", "no. 1", "no. 0", "a test"]
    assert (await api.client.get("/api/tokens?cursor=abc")).status_code == 422


async def test_who_asks_learns_what_is_left(web: Web) -> None:
    token = await put_bounded("send", hourly_cap=10, daily_cap=100)
    mine = await me(web, token)
    assert mine["left"] == {"this_hour": 10, "this_day": 100}
    assert mine["token"]["hourly_cap"] == 10
    await statements.run(
        """INSERT INTO token_usage SELECT $1, date_trunc('hour', now()) - n * interval '1 hour', 4
        FROM unnest(ARRAY[0, 1, 23, 24]) n""",
        uuid.UUID(mine["token"]["id"]),
    )
    assert (await me(web, token))["left"] == {"this_hour": 6, "this_day": 88}
    assert (await me(web, await put_token("send")))["left"] == {
        "this_hour": None,
        "this_day": None,
    }


@pytest.mark.parametrize("ability", ["send", "can_resend"])
@pytest.mark.parametrize("bound", [{"sms_prefixes": ["+4917"]}, {"senders": ["a@shop.example"]}])
async def test_no_series_of_bounds_spells_a_hidden_number(
    web: Web, ability: str, bound: dict[str, list[str]]
) -> None:
    asking = await put_token("manage_tokens", ability)
    refused = await ask(web, asking, abilities=[ability], **bound)
    assert refused.status_code == 403
    assert {error["field"] for error in refused.json()["errors"]} == set(bound)
    reading = await put_token("manage_tokens", ability, "read_content")
    assert (await ask(web, reading, abilities=[ability], **bound)).status_code == 201
