"""Names of jobs may hold digits and underscores, as names in Python may."""

from arvel.database import Migration, Schema
from sqlalchemy import text

BEFORE = r"^app(\.[a-z_]+)+\:[A-Za-z]+$"
SINCE = r"^app(\.[A-Za-z_][A-Za-z0-9_]*)+\:[A-Za-z_][A-Za-z0-9_]*$"

# NOT VALID: rows that are there fit the narrower pattern, so nobody waits until they are read.
REPLACE = r"""
ALTER TABLE {table}
    DROP CONSTRAINT {table}_known_job,
    ADD CONSTRAINT {table}_known_job CHECK (
        (payload::jsonb) ->> 'job' ~ '{pattern}'
        OR (payload::jsonb) ->> 'job' = 'arvel.queue.listener\:CallQueuedListener'
    ) NOT VALID
"""


class AdmitNamesWithDigits(Migration):
    def up(self, schema: Schema) -> None:
        _replace(schema, SINCE)

    def down(self, schema: Schema) -> None:
        _replace(schema, BEFORE)


def _replace(schema: Schema, pattern: str) -> None:
    for table in ("jobs", "failed_jobs"):
        schema.execute(text(REPLACE.format(table=table, pattern=pattern)))
