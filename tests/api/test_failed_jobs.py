"""Dead letters through the API agree with items, as ``queue:retry`` does."""

import asyncio
import uuid
from typing import Any

import pytest

from app.models import statements
from local import Services
from tests.fakes.access import bearer, put_token
from tests.fakes.items import Put, history_of, letters_of, put_item, state_of
from tests.fakes.web import Web
from tests.feature.operating.given import letters, put_letter

MISSING = "01a22faf-12dc-7273-b8f0-1b3f2b84ea39"


async def put_dead(error_kind: str = "retries_exhausted") -> tuple[Put, uuid.UUID]:
    item = await put_item("errored", error_kind=error_kind)
    return item, await put_letter(item.id, item.attempt)


async def put_other_letter(job: str = "app.jobs.sweep_items:SweepItems") -> uuid.UUID:
    """A letter of a job that is about no item."""
    letter = uuid.uuid4()
    await statements.run(
        "INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)"
        " VALUES ($1, 'bulk', $2, 'RuntimeError', now())",
        letter,
        f'{{"job": "{job}", "state": {{}}}}',
    )
    return letter


async def test_a_letter_shows_what_it_is_about_and_nothing_that_it_carries(api: Web) -> None:
    item, letter = await put_dead()
    told = (await api.client.get(f"/api/failed-jobs/{letter}")).json()
    assert told.pop("failed_at")
    assert told == {
        "id": str(letter),
        "job": "SendMessage",
        "queue": "default",
        "item_id": str(item.id),
        "attempt_id": str(item.attempt),
        "text": "Undeliverable: Given up.",
        "masked": False,
    }


async def test_without_content_the_text_is_hidden(web: Web) -> None:
    _, letter = await put_dead()
    headers = bearer(await put_token("manage_failed_jobs"))
    one = await web.client.get(f"/api/failed-jobs/{letter}", headers=headers)
    listed = await web.client.get("/api/failed-jobs", headers=headers)
    assert one.json()["text"] is None
    assert "Undeliverable" not in one.text + listed.text


async def test_letters_are_listed_the_latest_first_page_by_page(api: Web) -> None:
    for _ in range(7):
        await put_other_letter()
    rows = await statements.run("SELECT id FROM failed_jobs ORDER BY failed_at DESC, id DESC")
    seen: list[str] = []
    path: str | None = "/api/failed-jobs?limit=3"
    while path is not None:
        page = (await api.client.get(path)).json()
        seen += [one["id"] for one in page["data"]]
        path = page["next"] and f"/api/failed-jobs?limit=3&cursor={page['next']}"
    assert seen == [str(row["id"]) for row in rows]


async def test_retrying_a_letter_is_retrying_its_item(api: Web) -> None:
    item, letter = await put_dead()
    answer = await api.post(f"/api/failed-jobs/{letter}/retry")
    assert answer.status_code == 200
    [row] = await statements.run("SELECT id, actor, decision FROM item_history")
    assert answer.json() == {
        "id": str(letter),
        "item_id": str(item.id),
        "state": "queued",
        "history_id": row["id"],
    }
    assert row["actor"].endswith("/a test")
    assert str(row["decision"]) == answer.headers["x-request-id"]
    assert await letters() == []
    assert (await api.post(f"/api/failed-jobs/{letter}/retry")).status_code == 404


async def test_an_unknown_outcome_needs_a_confirmation_and_names_the_item(api: Web) -> None:
    item, letter = await put_dead("outcome_unknown")
    path = f"/api/failed-jobs/{letter}/retry"
    refused = await api.post(path)
    assert refused.status_code == 409
    assert refused.json()["type"] == "/api/docs#problem-confirmation-needed"
    assert refused.json()["item"] == str(item.id)
    assert str(item.id) in refused.json()["detail"]
    assert (await letters(), await state_of(item.id)) == ([letter], "errored")
    assert (await api.post(path, json={"confirm": True})).status_code == 200
    assert (await letters(), await state_of(item.id)) == ([], "queued")


async def test_a_letter_of_an_earlier_attempt_retries_nothing(api: Web) -> None:
    item, letter = await put_dead()
    await statements.run(
        "UPDATE failed_jobs SET payload = replace(payload, $1::text, $2::text)",
        str(item.attempt),
        MISSING,
    )
    answer = await api.post(f"/api/failed-jobs/{letter}/retry")
    assert (answer.status_code, answer.json()["reason"]) == (409, "stale_letter")
    assert answer.json()["state"] == "errored"
    assert await state_of(item.id) == "errored"


async def test_another_job_is_published_once_and_its_letter_goes(api: Web) -> None:
    letter = await put_other_letter()
    path = f"/api/failed-jobs/{letter}/retry"
    answers = await asyncio.gather(*(api.post(path) for _ in range(3)))
    assert sorted(answer.status_code for answer in answers) == [200, 404, 404]
    [retried] = [answer.json() for answer in answers if answer.is_success]
    assert retried == {"id": str(letter), "item_id": None, "state": None, "history_id": None}
    assert await letters() == []


async def test_a_letter_stays_while_the_queue_is_away(api: Web, services: Services) -> None:
    letter = await put_other_letter()
    services.valkey.kill()
    try:
        answer = await api.post(f"/api/failed-jobs/{letter}/retry")
    finally:
        services.valkey.start()
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert await letters() == [letter]


async def test_a_job_that_nobody_knows_is_refused(api: Web) -> None:
    letter = await put_other_letter("app.gone:Gone")
    answer = await api.post(f"/api/failed-jobs/{letter}/retry")
    assert (answer.status_code, answer.json()["reason"]) == (409, "refused")
    assert await letters() == [letter]


async def test_of_two_operators_one_retries_and_the_other_is_told(api: Web) -> None:
    for _ in range(8):
        item, letter = await put_dead()
        answers = await asyncio.gather(
            api.post(f"/api/failed-jobs/{letter}/retry"),
            api.post(f"/api/failed-jobs/{letter}/retry"),
            api.post(f"/api/queue-items/{item.id}/retry"),
        )
        assert [answer.status_code for answer in answers].count(200) == 1
        assert {answer.status_code for answer in answers} <= {200, 404, 409}
        for answer in answers:
            if answer.status_code == 409:
                assert answer.json()["state"] == "queued"
        assert await history_of(item.id) == [("retry", "errored", "queued")]
        assert await letters_of(item.id) == 0


async def test_a_discarded_letter_leaves_its_item_and_a_line_of_history(api: Web) -> None:
    item, letter = await put_dead()
    answer = await api.client.delete(f"/api/failed-jobs/{letter}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert (await letters(), await state_of(item.id)) == ([], "errored")
    assert await history_of(item.id) == [("discard", "errored", "errored")]
    [row] = await statements.run("SELECT actor, decision FROM item_history")
    assert row["actor"].endswith("/a test")
    assert str(row["decision"]) == answer.headers["x-request-id"]
    assert (await api.client.delete(f"/api/failed-jobs/{letter}")).status_code == 404


async def test_a_letter_without_an_item_is_discarded(api: Web) -> None:
    letter = await put_other_letter()
    assert (await api.client.delete(f"/api/failed-jobs/{letter}")).status_code == 204
    assert await letters() == []


async def test_discarding_and_retrying_at_once_wait_for_each_other(api: Web) -> None:
    for _ in range(8):
        item, letter = await put_dead()
        discarded, retried = await asyncio.gather(
            api.client.delete(f"/api/failed-jobs/{letter}"),
            api.post(f"/api/queue-items/{item.id}/retry"),
        )
        assert retried.status_code == 200
        moves = [move[0] for move in await history_of(item.id)]
        assert moves == (["discard", "retry"] if discarded.status_code == 204 else ["retry"])
        assert await letters() == []


@pytest.mark.parametrize("key", [MISSING, "nobody", "1"])
async def test_a_letter_that_is_not_there_is_not_found(api: Web, key: str) -> None:
    answers: list[Any] = [
        await api.client.get(f"/api/failed-jobs/{key}"),
        await api.post(f"/api/failed-jobs/{key}/retry"),
        await api.client.delete(f"/api/failed-jobs/{key}"),
    ]
    assert {answer.status_code for answer in answers} == {404}


async def test_letters_are_for_who_manages_them(web: Web) -> None:
    _, letter = await put_dead()
    headers = bearer(await put_token("list_queueitem", "read_queueitem", "can_retry"))
    answers = [
        await web.client.get("/api/failed-jobs", headers=headers),
        await web.client.get(f"/api/failed-jobs/{letter}", headers=headers),
        await web.post(f"/api/failed-jobs/{letter}/retry", headers=headers),
        await web.client.delete(f"/api/failed-jobs/{letter}", headers=headers),
    ]
    assert {answer.status_code for answer in answers} == {403}
    assert len(await letters()) == 1
