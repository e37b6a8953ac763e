"""arvel's dead letters; generated columns say which item and attempt a letter is about."""

from arvel.database import Migration, Schema
from sqlalchemy import text


class CreateFailedJobsTable(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(
            text(r"""
            CREATE TABLE failed_jobs (
                id uuid PRIMARY KEY,
                queue varchar(255) NOT NULL,
                payload text NOT NULL,
                exception text NOT NULL,
                failed_at timestamptz NOT NULL,
                item_id uuid GENERATED ALWAYS AS
                    (((payload::jsonb) -> 'state' ->> 'item_id')::uuid) STORED,
                attempt_id uuid GENERATED ALWAYS AS
                    (((payload::jsonb) -> 'state' ->> 'attempt_id')::uuid) STORED,
                CONSTRAINT failed_jobs_known_job CHECK (
                    (payload::jsonb) ->> 'job' ~ '^app(\.[a-z_]+)+\:[A-Za-z]+$'
                    OR (payload::jsonb) ->> 'job' = 'arvel.queue.listener\:CallQueuedListener'
                )
            )
            """)
        )
        schema.execute(text("CREATE INDEX failed_jobs_failed_at ON failed_jobs (failed_at DESC)"))
        schema.execute(
            text("CREATE INDEX failed_jobs_item ON failed_jobs (item_id) WHERE item_id IS NOT NULL")
        )

    def down(self, schema: Schema) -> None:
        schema.drop("failed_jobs")
