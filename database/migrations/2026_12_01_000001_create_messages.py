"""People, content and files: what a message says, and to whom. Written once, never changed."""

from arvel.database import Migration, Schema
from sqlalchemy import text

TABLES = (
    """
    CREATE TABLE senders (
        id uuid PRIMARY KEY,
        name text NOT NULL DEFAULT '',
        email text,
        cell text,
        created timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT senders_reachable CHECK (email IS NOT NULL OR cell IS NOT NULL)
    )
    """,
    """
    CREATE TABLE receivers (
        id uuid PRIMARY KEY,
        name text NOT NULL DEFAULT '',
        email text,
        cell text,
        created timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT receivers_reachable CHECK (email IS NOT NULL OR cell IS NOT NULL)
    )
    """,
    """
    CREATE TABLE email_messages (
        id uuid PRIMARY KEY,
        sender_id uuid REFERENCES senders ON DELETE RESTRICT,
        sender_name text NOT NULL DEFAULT '',
        sender_address text NOT NULL,
        subject text NOT NULL,
        text text NOT NULL DEFAULT '',
        html text NOT NULL DEFAULT '',
        headers jsonb NOT NULL DEFAULT '{}',
        tags text[] NOT NULL DEFAULT '{}',
        queued timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT email_messages_body CHECK (text <> '' OR html <> '')
    )
    """,
    """
    CREATE TABLE email_receivers (
        email_id uuid NOT NULL REFERENCES email_messages ON DELETE RESTRICT,
        role text NOT NULL CHECK (role IN ('to', 'cc', 'bcc', 'reply_to')),
        position smallint NOT NULL,
        receiver_id uuid REFERENCES receivers ON DELETE RESTRICT,
        name text NOT NULL DEFAULT '',
        address text NOT NULL,
        PRIMARY KEY (email_id, role, position)
    )
    """,
    """
    CREATE TABLE sms_messages (
        id uuid PRIMARY KEY,
        sender_id uuid REFERENCES senders ON DELETE RESTRICT,
        sender_number text NOT NULL DEFAULT '',
        body text NOT NULL DEFAULT '' CHECK (length(body) <= 1600),
        media_url text,
        queued timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT sms_messages_content CHECK (body <> '' OR media_url IS NOT NULL)
    )
    """,
    """
    CREATE TABLE blobs (
        sha256 text PRIMARY KEY,
        path text NOT NULL,
        size bigint NOT NULL,
        created timestamptz NOT NULL DEFAULT now(),
        removed_at timestamptz
    )
    """,
    """
    CREATE TABLE attachments (
        id uuid PRIMARY KEY,
        sha256 text NOT NULL REFERENCES blobs ON DELETE RESTRICT,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
        content_type text NOT NULL,
        size bigint NOT NULL,
        created timestamptz NOT NULL DEFAULT now()
    )
    """,
    """
    CREATE TABLE email_attachments (
        email_id uuid NOT NULL REFERENCES email_messages ON DELETE RESTRICT,
        position smallint NOT NULL,
        attachment_id uuid NOT NULL REFERENCES attachments ON DELETE RESTRICT,
        content_id text,
        PRIMARY KEY (email_id, position)
    )
    """,
    "CREATE INDEX blobs_present ON blobs (sha256) WHERE removed_at IS NULL",
    # The newest last, where clean-up looks first for a message that still needs a file.
    "CREATE INDEX attachments_blob ON attachments (sha256, id)",
    "CREATE INDEX email_attachments_attachment ON email_attachments (attachment_id, email_id)",
)


class CreateMessages(Migration):
    def up(self, schema: Schema) -> None:
        for statement in TABLES:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for table in (
            "email_attachments",
            "attachments",
            "blobs",
            "sms_messages",
            "email_receivers",
            "email_messages",
            "receivers",
            "senders",
        ):
            schema.drop(table)
