"""Attempts whose message carries none of our keys: their reports are matched by id alone."""

from arvel.database import Migration, Schema
from sqlalchemy import text


class NoteKeylessAttempts(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(
            text("ALTER TABLE attempts ADD COLUMN keyless boolean NOT NULL DEFAULT false")
        )

    def down(self, schema: Schema) -> None:
        schema.execute(text("ALTER TABLE attempts DROP COLUMN keyless"))
