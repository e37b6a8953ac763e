"""What people sign in with besides their password, who set that up."""

from arvel.database import Migration, Schema
from sqlalchemy import text

# Beside the users: what everybody reads of them must not hold it.
STATEMENT = """
CREATE TABLE second_factors (
    user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
    secret text NOT NULL,
    recovery text[] NOT NULL,
    confirmed_at timestamptz
)
"""


class CreateSecondFactors(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(text(STATEMENT))

    def down(self, schema: Schema) -> None:
        schema.execute(text("DROP TABLE second_factors"))
