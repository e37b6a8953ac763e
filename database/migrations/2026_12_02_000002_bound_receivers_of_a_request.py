"""How many receivers a token may name in one request."""

from arvel.database import Migration, Schema
from sqlalchemy import text


class BoundReceiversOfARequest(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(
            text(
                "ALTER TABLE api_tokens ADD COLUMN max_receivers integer CHECK (max_receivers > 0)"
            )
        )

    def down(self, schema: Schema) -> None:
        schema.execute(text("ALTER TABLE api_tokens DROP COLUMN max_receivers"))
