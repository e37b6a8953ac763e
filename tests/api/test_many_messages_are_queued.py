"""A batch: a result for each message, and all that can be used written together."""

import uuid
from typing import Any

import pytest

from app.models import statements
from app.models.queries.compose import PEOPLE
from tests.api.given import ANNA, PHONE, SHOP, count, email, sms
from tests.fakes.access import bearer, put_token
from tests.fakes.web import Web

KEY = {"idempotency-key": "batch-1"}


def mail(**changes: Any) -> dict[str, Any]:
    return {"method": "email", **email(**changes)}


def text(**changes: Any) -> dict[str, Any]:
    return {"method": "sms", **sms(**changes)}


def batch(*messages: Any) -> dict[str, Any]:
    return {"messages": list(messages)}


async def test_each_message_has_a_result_in_its_place(api: Web) -> None:
    answer = await api.post(
        "/api/messages/batch",
        json=batch(
            mail(to=[ANNA, {"email": "bob@example.com"}]),
            text(receiver={"cell": "0151"}),
            mail(subjekt="?", priority="urgent"),
            {"method": "fax"},
            7,
            text(),
        ),
    )
    assert answer.status_code == 202, answer.text
    body = answer.json()
    assert (body["accepted"], body["refused"]) == (2, 4)
    results = body["results"]
    assert [result["status"] for result in results] == [202, 422, 422, 422, 422, 202]
    assert [item["receiver"] for item in results[0]["message"]["items"]] == ["to.0", "to.1"]
    named = [{error["field"] for error in result.get("errors", [])} for result in results]
    assert named == [set(), {"receiver.cell"}, {"subjekt", "priority"}, {"method"}, {""}, set()]
    assert await count("queue_items") == 3


async def test_five_hundred_messages_of_both_kinds_are_queued_at_once(api: Web) -> None:
    answer = await api.post("/api/messages/batch", json=batch(*[mail(), text()] * 250))
    assert (answer.status_code, answer.json()["accepted"]) == (202, 500)
    rows = await statements.run("SELECT count(*) AS n FROM queue_items WHERE state = 'queued'")
    assert rows[0]["n"] == 500
    over = await api.post("/api/messages/batch", json=batch(*[text()] * 501))
    assert over.status_code == 422


async def test_a_repeated_batch_queues_nothing(api: Web) -> None:
    """Failure-points row 34."""
    bad = text(body="")
    first, second = [
        await api.post("/api/messages/batch", json=batch(mail(), bad, text()), headers=KEY)
        for _ in range(2)
    ]
    assert first.json() == second.json()
    assert second.headers["idempotency-replayed"] == "true"
    assert await count("queue_items") == 2


async def test_a_batch_that_dies_half_way_leaves_nothing(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Failure-points row 34."""
    from app.items import writing

    whole, calls = writing.write, [0]

    async def die(*args: Any) -> Any:
        calls[0] += 1
        if calls[0] == 3:
            raise RuntimeError
        return await whole(*args)

    messages = batch(mail(), text(), mail(), text())
    with monkeypatch.context() as patch:
        patch.setattr(writing, "write", die)
        answer = await api.post("/api/messages/batch", json=messages, headers=KEY)
    assert answer.status_code == 500
    assert await count("queue_items") == await count("idempotency_keys") == 0
    assert (await api.post("/api/messages/batch", json=messages, headers=KEY)).status_code == 202
    assert await count("queue_items") == 4


async def test_a_batch_of_nothing_but_faults_is_refused_and_leaves_its_key_unused(
    api: Web,
) -> None:
    answer = await api.post(
        "/api/messages/batch", json=batch(text(body=""), {"method": "fax"}), headers=KEY
    )
    assert answer.status_code == 422
    named = {error["field"] for error in answer.json()["errors"]}
    assert named == {"messages.0.body", "messages.1.method"}
    assert await count("idempotency_keys") == 0


@pytest.mark.parametrize("body", [{}, {"messages": []}, {"messages": 1}, [], {"message": []}])
async def test_what_is_no_batch_is_refused(api: Web, body: Any) -> None:
    assert (await api.post("/api/messages/batch", json=body)).status_code == 422


async def test_a_message_beyond_the_bounds_does_not_hold_the_others_back(web: Web) -> None:
    from app.access.caller import Bounds

    token = bearer(await put_token("send", bounds=Bounds(sms_prefixes=("+49",))))
    answer = await web.post("/api/messages/batch", json=batch(mail(), text()), headers=token)
    assert [result["status"] for result in answer.json()["results"]] == [202, 403]


async def test_a_batch_that_would_pass_the_cap_is_refused_as_a_whole(web: Web) -> None:
    from app.access.caller import Bounds

    token = bearer(await put_token("send", bounds=Bounds(hourly_cap=2)))
    answer = await web.post("/api/messages/batch", json=batch(*[text()] * 3), headers=token)
    assert answer.status_code == 429
    assert await count("queue_items") == 0


async def test_files_in_a_batch_are_kept_once(api: Web) -> None:
    file = {"name": "a.txt", "content": "Y29udGVudA=="}
    answer = await api.post(
        "/api/messages/batch",
        json=batch(mail(attachments=[file]), mail(attachments=[{**file, "name": "b.txt"}])),
    )
    assert answer.status_code == 202, answer.text
    assert await count("blobs") == 1
    assert await count("email_attachments") == 2


async def test_people_of_all_messages_are_read_at_once(
    api: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = (await api.post("/api/senders", json=SHOP)).json()["id"]
    anna = (await api.post("/api/receivers", json={**ANNA, **PHONE})).json()["id"]
    nobody = str(uuid.uuid7())
    read: list[str] = []
    run = statements.Statements.run

    async def counted(self: statements.Statements, sql: str, *args: Any, **more: Any) -> Any:
        read.append(sql)
        return await run(self, sql, *args, **more)

    monkeypatch.setattr(statements.Statements, "run", counted)
    good = [mail(sender=shop, to=[anna]), text(receiver=anna)] * 5
    answer = await api.post("/api/messages/batch", json=batch(*good, text(receiver=nobody)))
    assert [one["status"] for one in answer.json()["results"]] == [202] * 10 + [422]
    assert sum(sql == PEOPLE for sql in read) == 2
