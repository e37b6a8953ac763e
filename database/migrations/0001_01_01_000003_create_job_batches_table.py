"""arvel's batches of jobs."""

from arvel.database import Blueprint, Migration, Schema


class CreateJobBatchesTable(Migration):
    def up(self, schema: Schema) -> None:
        def define(table: Blueprint) -> None:
            table.uuid("id").primary()
            table.integer("total_jobs")
            table.integer("pending_jobs")
            table.integer("failed_jobs")
            table.text("options")
            table.integer("cancelled_at").nullable()
            table.integer("created_at")
            table.integer("finished_at").nullable()

        schema.create("job_batches", define)

    def down(self, schema: Schema) -> None:
        schema.drop("job_batches")
