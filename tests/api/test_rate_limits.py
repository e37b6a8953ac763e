"""How often a token may call, and what is counted where."""

import asyncio
import time
from collections import Counter
from pathlib import Path

import pytest
from arvel.http import maintenance

from app.controllers.api import asking, rate
from app.controllers.sampled import Sampled
from local import Services
from tests.fakes.access import bearer, put_token
from tests.fakes.logs import listen_to
from tests.fakes.web import Web, serving

NOBODY = "Bearer plb_" + "a" * 12 + "_" + "b" * 43


@pytest.fixture(autouse=True)
async def whole_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test is cut in two by the end of a window, or knows of another's outage."""
    monkeypatch.setattr(rate, "_rests_until", [0.0])
    left = rate.WINDOW - time.time() % rate.WINDOW
    if left < 5:
        await asyncio.sleep(left)


async def statuses(web: Web, token: str, count: int) -> list[int]:
    headers = bearer(token)
    return [
        (await web.client.get("/api/workflow", headers=headers)).status_code for _ in range(count)
    ]


async def test_a_token_at_its_limit_waits_and_others_do_not(
    database_url: str, redis_url: str
) -> None:
    async with serving(API_RATE_LIMIT="3") as web:
        busy, quiet = await put_token(), await put_token()
        assert await statuses(web, busy, 3) == [200] * 3
        refused = await web.client.get("/api/workflow", headers=bearer(busy))
        assert refused.status_code == 429
        assert refused.headers["content-type"] == "application/problem+json"
        assert 0 < int(refused.headers["retry-after"]) <= 60
        assert refused.headers["ratelimit-limit"] == "3"
        assert refused.headers["ratelimit-remaining"] == "0"
        assert await statuses(web, quiet, 1) == [200]


async def test_processes_count_together(database_url: str, redis_url: str) -> None:
    async with serving(API_RATE_LIMIT="4") as one, serving(API_RATE_LIMIT="4") as other:
        token = await put_token()
        first, second = await asyncio.gather(statuses(one, token, 4), statuses(other, token, 4))
        assert Counter(first + second) == {200: 4, 429: 4}


async def test_a_refusal_says_what_is_left_too(web: Web) -> None:
    token = bearer(await put_token("send"))
    answer = await web.client.get("/api/workflow", headers=token)
    assert answer.status_code == 403
    assert answer.headers["ratelimit-limit"] == "600"


async def test_without_redis_requests_are_answered(
    database_url: str, redis_url: str, services: Services, tmp_path: Path
) -> None:
    async with serving(API_RATE_LIMIT="2", STORAGE_PATH=str(tmp_path)) as web:
        token = await put_token()
        services.valkey.stop()
        try:
            assert await statuses(web, token, 5) == [200] * 5
        finally:
            services.valkey.start()


async def test_who_guesses_tokens_is_slowed_down_and_nobody_else(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate, "REFUSALS", 3)
    good = await put_token()
    guess = {"authorization": NOBODY}
    found = [await web.client.get("/api/workflow", headers=guess) for _ in range(5)]
    assert [answer.status_code for answer in found] == [401, 401, 401, 429, 429]
    assert int(found[-1].headers["retry-after"]) > 0
    assert await statuses(web, good, 1) == [200]


async def test_guesses_leave_a_few_log_lines(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_lines", Sampled(10, seconds=60.0))
    log = listen_to(monkeypatch, asking.__name__)
    for _ in range(30):
        await web.client.get("/api/workflow", headers={"authorization": NOBODY})
    assert [action for action, _ in log.lines] == ["token_refused"] * 10
    assert NOBODY.removeprefix("Bearer ") not in str(log.lines)


async def test_whoever_is_told_to_wait_during_maintenance_is_let_in_afterwards(web: Web) -> None:
    token = await put_token()
    await maintenance.down(retry=7)
    answer = await web.client.get("/api/workflow", headers=bearer(token))
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "7")
    assert answer.json()["detail"] == "Down for maintenance."
    await maintenance.up()
    assert await statuses(web, token, 1) == [200]
