"""Who paused a channel, which request began an operation, and in which order reports are listed.

Reports are listed by their ids, which are UUIDv7 and so nearly in the order of reception.
"""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    "ALTER TABLE bulk_operations ADD COLUMN request_id uuid",
    "ALTER TABLE channels ADD COLUMN changed_by text, ADD COLUMN changed_at timestamptz",
    "CREATE INDEX delivery_events_provider ON delivery_events (provider, id)",
    "CREATE INDEX delivery_events_type ON delivery_events (type, id)",
    "CREATE INDEX delivery_events_failed ON delivery_events (id) WHERE verdict = 'failed'",
)

UNDO = (
    "DROP INDEX delivery_events_failed",
    "DROP INDEX delivery_events_type",
    "DROP INDEX delivery_events_provider",
    "ALTER TABLE channels DROP COLUMN changed_by, DROP COLUMN changed_at",
    "ALTER TABLE bulk_operations DROP COLUMN request_id",
)


class OperateByRequests(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for statement in UNDO:
            schema.execute(text(statement))
