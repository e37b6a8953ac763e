"""What holds for every operation: who asks, what they may, and how a refusal reads."""

import pytest

from app.models import statements
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web


async def test_an_answer_names_its_request_and_is_kept_nowhere(api: Web) -> None:
    answer = await api.client.get("/api/workflow")
    assert answer.status_code == 200
    assert answer.headers["x-request-id"]
    assert answer.headers["cache-control"] == "no-store"
    assert "queued" in answer.json()["states"]


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer plb_", "Basic dXNlcjpwYXNz", "Bearer plb_" + "a" * 12 + "_" + "b" * 43],
)
async def test_without_a_living_token_nothing_is_answered(web: Web, header: str) -> None:
    answer = await web.client.get("/api/workflow", headers={"authorization": header})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["type"] == "/api/docs#problem-unauthenticated"
    assert answer.headers["www-authenticate"].startswith("Bearer")


async def test_a_token_in_the_query_string_is_no_token(web: Web) -> None:
    token = await put_token()
    assert (await web.client.get(f"/api/workflow?token={token}")).status_code == 401


async def test_what_the_token_lacks_is_named(web: Web) -> None:
    answer = await web.client.get("/api/workflow", headers=bearer(await put_token("send")))
    assert answer.status_code == 403
    assert answer.json()["needs"] == ["read_workflow"]


async def test_a_token_can_do_no_more_than_its_owner_still_can(web: Web) -> None:
    token = bearer(await put_token("read_workflow"))
    assert (await web.client.get("/api/workflow", headers=token)).status_code == 200
    await statements.run("UPDATE users SET permissions = '{send}'")
    assert (await web.client.get("/api/workflow", headers=token)).status_code == 403


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE api_tokens SET revoked_at = now()",
        "UPDATE api_tokens SET expires_at = now()",
        "UPDATE users SET disabled_at = now()",
    ],
)
async def test_a_revoked_token_fails_on_the_next_request(web: Web, change: str) -> None:
    token = bearer(await put_token())
    assert (await web.client.get("/api/workflow", headers=token)).status_code == 200
    await statements.run(change)
    assert (await web.client.get("/api/workflow", headers=token)).status_code == 401


@pytest.mark.parametrize(("network", "status"), [("127.0.0.0/8", 200), ("192.0.2.0/24", 401)])
async def test_a_token_works_from_its_networks_only(web: Web, network: str, status: int) -> None:
    token = bearer(await put_token(networks=(network,)))
    assert (await web.client.get("/api/workflow", headers=token)).status_code == status


async def test_only_what_is_described_is_there(api: Web) -> None:
    missing = await api.client.get("/api/nothing")
    assert (missing.status_code, missing.json()["status"]) == (404, 404)
    wrong = await api.client.delete("/api/workflow")
    assert wrong.status_code == 405
    assert "GET" in wrong.headers["allow"]
    assert wrong.headers["content-type"] == "application/problem+json"


async def test_an_unknown_parameter_is_refused(api: Web) -> None:
    answer = await api.client.get("/api/workflow?states=queued")
    assert answer.status_code == 422
    assert answer.json()["errors"] == [{"field": "states", "message": "There is no such field."}]


async def test_the_rate_limit_says_what_is_left(api: Web) -> None:
    first = await api.client.get("/api/workflow")
    second = await api.client.get("/api/workflow")
    left = [int(answer.headers["ratelimit-remaining"]) for answer in (first, second)]
    assert left[0] - left[1] == 1 or second.headers["ratelimit-reset"] > "58"


async def test_the_document_lists_every_operation(web: Web) -> None:
    document = (await web.client.get("/api/openapi.json")).json()
    assert document["openapi"] == "3.1.0"
    assert "get" in document["paths"]["/api/workflow"]


async def test_a_number_is_no_time(api: Web) -> None:
    answer = await api.client.get("/api/events?received_from=0")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "received_from"


async def test_every_path_names_all_its_methods(api: Web) -> None:
    refused = await api.client.put("/api/senders")
    assert refused.status_code == 405
    assert {"GET", "POST"} <= {name.strip() for name in refused.headers["allow"].split(",")}
