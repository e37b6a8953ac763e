"""Metrics are for those who run Pillarbox."""

import pytest

from tests.fakes.web import Web, serving

TOKEN = "sixteen characters or more"


async def test_this_machine_may_read_them_while_there_is_no_token(web: Web) -> None:
    assert (await web.client.get("/metrics")).status_code == 200


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "Via"])
async def test_what_comes_through_a_proxy_on_this_machine_does_not(web: Web, header: str) -> None:
    answer = await web.client.get("/metrics", headers={header: "203.0.113.9"})
    assert answer.status_code == 401
    assert not answer.text


async def test_with_a_token_everybody_has_to_bring_it(database_url: str, redis_url: str) -> None:
    async with serving(METRICS_TOKEN=TOKEN) as web:
        assert (await web.client.get("/metrics")).status_code == 401
        for wrong in (f"Bearer {TOKEN}x", "Bearer", f"Basic {TOKEN}", TOKEN, "Bearer é"):
            given = {"Authorization": wrong.encode()}
            assert (await web.client.get("/metrics", headers=given)).status_code == 401
        right = {"Authorization": f"Bearer {TOKEN}"}
        assert (await web.client.get("/metrics", headers=right)).status_code == 200
        assert (await web.client.get(f"/metrics?token={TOKEN}")).status_code == 401


async def test_neither_metrics_nor_health_are_part_of_the_api_s_document(web: Web) -> None:
    document = (await web.client.get("/api/openapi.json")).text
    assert "/metrics" not in document
    assert "/health" not in document
