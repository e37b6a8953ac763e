"""Who runs a periodic job: whoever is first, by the database's clock."""

from collections.abc import Mapping

from app.models import statements

CLAIM = """
WITH asked AS (
    SELECT name, every * interval '1 second' AS every
    FROM unnest($1::text[], $2::float8[]) AS a (name, every)
), won AS (
    INSERT INTO ticks (name, last_run, run_by)
    SELECT name, statement_timestamp(), $3 FROM asked ORDER BY name
    ON CONFLICT (name) DO UPDATE SET last_run = EXCLUDED.last_run, run_by = EXCLUDED.run_by
    WHERE ticks.last_run + (SELECT every FROM asked WHERE asked.name = ticks.name)
        <= EXCLUDED.last_run
    RETURNING name
)
SELECT a.name, w.name IS NOT NULL AS won,
    EXTRACT(epoch FROM t.last_run + a.every - statement_timestamp())::float8 AS wait
FROM asked a LEFT JOIN ticks t USING (name) LEFT JOIN won w USING (name)
"""


async def claim(every: Mapping[str, float], who: str) -> tuple[set[str], dict[str, float]]:
    """Which of the ticks are ours to run now, and in how many seconds the others come due.

    ``every``: by name, the seconds from one run to the next.
    """
    rows = await statements.run(CLAIM, list(every), list(every.values()), who)
    won = {row["name"] for row in rows if row["won"]}
    waits = {r["name"]: max(0.0, r["wait"] or 0.0) for r in rows if not r["won"]}
    return won, waits
