"""Finds the attempts that a provider knew and the database had lost, among all the others."""

from arvel.database import Migration, Schema
from sqlalchemy import text


class IndexRecoveredAttempts(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(
            text("CREATE INDEX attempts_recovered ON attempts (item_id) WHERE recovered")
        )

    def down(self, schema: Schema) -> None:
        schema.execute(text("DROP INDEX attempts_recovered"))
