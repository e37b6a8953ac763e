"""Whether messages can be taken: one word to strangers, in time whatever hangs."""

from app.models import statements
from tests.fakes.web import Web, serving

TOKEN = "sixteen characters or more"
TRUSTED = {"Authorization": f"Bearer {TOKEN}"}


async def test_strangers_learn_one_word(web: Web) -> None:
    answer = await web.client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "up"}


async def test_a_process_that_lives_says_so_without_asking_anybody(web: Web) -> None:
    assert (await web.client.get("/livez")).status_code == 200


async def test_whoever_brings_the_token_sees_what_is_up(database_url: str, redis_url: str) -> None:
    async with serving(METRICS_TOKEN=TOKEN) as web:
        assert (await web.client.get("/health")).json() == {"status": "up"}
        shown = (await web.client.get("/health", headers=TRUSTED)).json()
        up = {"postgresql": "up", "migrations": "up", "valkey": "up"}
        assert shown == {"status": "up", "checks": up}


async def test_debug_mode_shows_it_to_everybody(database_url: str, redis_url: str) -> None:
    async with serving(APP_DEBUG="true") as web:
        assert set((await web.client.get("/health")).json()) == {"status", "checks"}


async def test_a_migration_that_is_not_applied_makes_it_down(
    database_url: str, redis_url: str
) -> None:
    async with serving(METRICS_TOKEN=TOKEN) as web:
        (row,) = await statements.run(
            "DELETE FROM arvel_migrations WHERE name LIKE '%create_workers' RETURNING *"
        )
        try:
            answer = await web.client.get("/health", headers=TRUSTED)
        finally:
            names = ", ".join(dict(row.items()))  # type: ignore[attr-defined]
            values = list(dict(row.items()).values())  # type: ignore[attr-defined]
            marks = ", ".join(f"${n}" for n in range(1, len(values) + 1))
            await statements.run(
                f"INSERT INTO arvel_migrations ({names}) OVERRIDING SYSTEM VALUE VALUES ({marks})",
                *values,
            )
        assert answer.status_code == 503
        assert answer.json()["checks"]["migrations"] == "1 pending"
