"""Which token issued a token, and who downloaded a file when."""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    "ALTER TABLE api_tokens ADD COLUMN issued_by uuid REFERENCES api_tokens ON DELETE SET NULL",
    "CREATE INDEX api_tokens_issued_by ON api_tokens (issued_by) WHERE issued_by IS NOT NULL",
    # Of a file and not of an item: one download is one line, however many receivers there were.
    """
    CREATE TABLE attachment_downloads (
        id uuid PRIMARY KEY,
        attachment_id uuid NOT NULL REFERENCES attachments ON DELETE CASCADE,
        actor text NOT NULL,
        request_id uuid NOT NULL,
        at timestamptz NOT NULL DEFAULT statement_timestamp()
    )
    """,
    "CREATE INDEX attachment_downloads_of ON attachment_downloads (attachment_id, id)",
)

UNDO = (
    "DROP TABLE attachment_downloads",
    "ALTER TABLE api_tokens DROP COLUMN issued_by",
)


class NoteIssuersAndDownloads(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for statement in UNDO:
            schema.execute(text(statement))
