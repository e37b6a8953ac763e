"""Idempotency-Key: a request counts once, however often it is sent."""

import asyncio
import uuid
from typing import Any

import httpx
import pytest
from arvel.kernel import app

from app.access.caller import Bounds
from app.items import retention_keys
from app.models import statements
from app.models.queries import idempotency
from app.models.queries.idempotency import Kept
from tests.api.given import ANNA, count, email, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web

KEY = {"idempotency-key": "welcome-42"}


async def send(web: Web, body: dict[str, Any], **headers: str) -> httpx.Response:
    path = "/api/sms" if "receiver" in body else "/api/emails"
    return await web.post(path, json=body, headers={**KEY, **headers})


@pytest.mark.parametrize("body", [email(), sms()])
async def test_a_repeated_request_is_answered_as_the_first(api: Web, body: dict[str, Any]) -> None:
    first = await send(api, body)
    second = await send(api, body)
    assert (first.status_code, second.status_code) == (202, 202)
    assert first.json() == second.json()
    assert first.headers["location"] == second.headers["location"]
    assert "idempotency-replayed" not in first.headers
    assert second.headers["idempotency-replayed"] == "true"
    assert await count("queue_items") == 1


async def test_twenty_equal_requests_at_once_make_one_item(api: Web) -> None:
    """Field report 25."""
    answers = await asyncio.gather(*(send(api, email()) for _ in range(20)))
    assert {answer.status_code for answer in answers} == {202}
    assert len({answer.json()["items"][0]["id"] for answer in answers}) == 1
    assert sum("idempotency-replayed" not in answer.headers for answer in answers) == 1
    assert await count("queue_items") == await count("idempotency_keys") == 1


async def test_another_body_with_the_same_key_is_refused(api: Web) -> None:
    """Field report 25."""
    await send(api, email())
    for body in (email(subject="Bye"), sms()):
        answer = await send(api, body)
        assert answer.status_code == 422
        assert answer.json()["type"].endswith("key-reused")
    assert await count("queue_items") == 1


async def test_of_two_different_requests_with_one_key_at_once_one_is_refused(api: Web) -> None:
    """Failure-points row 33."""
    answers = await asyncio.gather(*(send(api, email(subject=str(n % 2))) for n in range(10)))
    assert sorted(answer.status_code for answer in answers) == [202] * 5 + [422] * 5
    assert await count("queue_items") == 1


async def test_the_key_still_answers_when_its_item_was_cancelled(api: Web) -> None:
    """Field report 25."""
    first = await send(api, email())
    await statements.run("UPDATE queue_items SET state = 'cancelled', finished_at = now()")
    assert (await send(api, email())).json() == first.json()


async def test_a_refused_request_leaves_its_key_unused(api: Web) -> None:
    """Field report 25."""
    assert (await send(api, email(to=[]))).status_code == 422
    assert (await send(api, email())).status_code == 202
    assert await count("queue_items") == 1


async def test_a_request_that_fails_leaves_neither_key_nor_item(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Failure-points row 33: what dies between the key and the items takes both with it."""
    from app.items import writing

    async def die(*_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(writing, "write", die)
        assert (await send(api, email())).status_code == 500
    assert await count("idempotency_keys") == await count("queue_items") == 0
    assert (await send(api, email())).status_code == 202


async def test_a_request_waits_a_little_for_the_first_and_is_then_told_to_come_again(
    web: Web,
) -> None:
    token = await put_token("send")
    [user] = await statements.run("SELECT user_id FROM api_tokens")
    async with app().make("db").transaction():
        kept = Kept("0" * 64, 202, "{}")
        assert await idempotency.claim(user["user_id"], "welcome-42", kept, 1)
        answer = await asyncio.create_task(elsewhere(web, token))
    assert answer.status_code == 409
    assert answer.json()["type"].endswith("still-running")
    assert answer.headers["retry-after"] == "1"
    assert await count("queue_items") == 0


async def elsewhere(web: Web, token: str) -> httpx.Response:
    return await send(web, email(), **bearer(token))


async def test_a_replay_needs_the_permission_to_send(web: Web) -> None:
    token = bearer(await put_token("send"))
    await send(web, email(), **token)
    await statements.run("UPDATE users SET permissions = '{}'")
    assert (await send(web, email(), **token)).status_code == 403


async def test_keys_of_different_users_have_nothing_to_do_with_each_other(web: Web) -> None:
    for _ in range(2):
        answer = await send(web, email(), **bearer(await put_token("send")))
        assert "idempotency-replayed" not in answer.headers
    assert await count("queue_items") == 2


async def test_a_key_may_be_in_quotes(api: Web) -> None:
    await send(api, email())
    answer = await send(api, email(), **{"idempotency-key": '"welcome-42"'})
    assert answer.headers["idempotency-replayed"] == "true"


@pytest.mark.parametrize("key", ["", '""', "a" * 256, "ü"])
async def test_what_is_no_key_is_refused(api: Web, key: str) -> None:
    raw = [("idempotency-key", key.encode("latin-1")), *bearer_of(api)]
    answer = await api.client.post("/api/emails", json=email(), headers=httpx.Headers(raw))
    assert answer.status_code == 400
    assert await count("queue_items") == 0


def bearer_of(web: Web) -> list[tuple[str, bytes]]:
    return [("authorization", web.client.headers["authorization"].encode())]


async def test_a_replay_uses_nothing_up(web: Web) -> None:
    token = bearer(await put_token("send", bounds=Bounds(hourly_cap=1)))
    assert [(await send(web, email(), **token)).status_code for _ in range(3)] == [202] * 3
    other = await send(web, email(), **token, **{"idempotency-key": "another"})
    assert other.status_code == 429


async def test_the_same_files_with_another_boundary_are_the_same_request(api: Web) -> None:
    import json

    answers = [
        await api.post(
            "/api/emails",
            files={
                "message": (None, json.dumps(email()), "application/json"),
                "file": ("a.txt", b"content", "text/plain"),
            },
            headers=KEY,
        )
        for _ in range(2)
    ]
    assert [answer.status_code for answer in answers] == [202, 202], answers[0].text
    assert answers[1].headers["idempotency-replayed"] == "true"
    changed = await api.post(
        "/api/emails",
        files={
            "message": (None, json.dumps(email()), "application/json"),
            "file": ("a.txt", b"changed", "text/plain"),
        },
        headers=KEY,
    )
    assert changed.status_code == 422


async def test_keys_are_forgotten_after_their_time(api: Web) -> None:
    await send(api, email())
    assert await retention_keys.forget_keys() == 0
    await statements.run("UPDATE idempotency_keys SET created = now() - interval '8 days'")
    assert await retention_keys.forget_keys() == 1
    assert (await send(api, email())).headers.get("idempotency-replayed") is None


async def test_an_answer_that_was_lost_at_the_commit_is_found(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The connection breaks when nobody knows whether the commit arrived."""
    import contextlib
    from collections.abc import AsyncGenerator

    from app.models.connections import Connections

    token = bearer(await put_token("send", bounds=Bounds(hourly_cap=5)))
    whole = Connections.transaction
    broken = [True]

    @contextlib.asynccontextmanager
    async def lossy(self: Connections, name: str | None = None) -> AsyncGenerator[Any]:
        async with whole(self, name) as connection:
            yield connection
        if broken.pop() if broken else False:
            raise ConnectionResetError

    monkeypatch.setattr(Connections, "transaction", lossy)
    answer = await send(web, email(to=[ANNA]), **token)
    assert answer.status_code == 202
    assert await count("queue_items") == 1
    [used] = await statements.run("SELECT items FROM token_usage")
    assert used["items"] == 1
    assert uuid.UUID(answer.json()["items"][0]["id"])


CUT = "SELECT pg_terminate_backend(pg_backend_pid())"


@pytest.mark.parametrize(("cuts", "status", "items"), [(1, 202, 1), (9, 503, 0)])
async def test_a_connection_that_breaks_within_the_transaction_is_made_anew(
    api: Web, monkeypatch: pytest.MonkeyPatch, cuts: int, status: int, items: int
) -> None:
    from app.items import writing

    whole, left = writing.write, [cuts]

    async def cut(*args: Any) -> Any:
        if left[0]:
            left[0] -= 1
            await statements.run(CUT)
        return await whole(*args)

    monkeypatch.setattr(writing, "write", cut)
    answer = await send(api, email())
    assert answer.status_code == status, answer.text
    assert ("retry-after" in answer.headers) == (status == 503)
    assert await count("queue_items") == await count("idempotency_keys") == items
