"""Finds what people decided, among all that happened by itself."""

from arvel.database import Migration, Schema
from sqlalchemy import text


class IndexDecisions(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(
            text(
                "CREATE INDEX item_history_decided ON item_history (at, id)"
                " WHERE decision IS NOT NULL"
            )
        )
        schema.execute(text("CREATE INDEX attachment_downloads_at ON attachment_downloads (at)"))

    def down(self, schema: Schema) -> None:
        schema.execute(text("DROP INDEX attachment_downloads_at"))
        schema.execute(text("DROP INDEX item_history_decided"))
