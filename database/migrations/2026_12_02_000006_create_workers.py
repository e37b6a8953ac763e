"""Which workers are there, each under a name that no other one has at a time."""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    # ``token`` is new for each process, ``place`` names the machine's boot and process table.
    """
    CREATE TABLE workers (
        id text PRIMARY KEY,
        token uuid NOT NULL,
        host text NOT NULL,
        pid integer NOT NULL,
        place text NOT NULL,
        process_started bigint NOT NULL,
        queues text[] NOT NULL,
        concurrency integer NOT NULL,
        started_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        heartbeat_at timestamptz NOT NULL DEFAULT statement_timestamp()
    ) WITH (fillfactor = 50)
    """,
)


class CreateWorkers(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        schema.execute(text("DROP TABLE workers"))
