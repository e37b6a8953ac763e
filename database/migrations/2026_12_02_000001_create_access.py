"""Who may do what: users, their API tokens, what tokens have sent, and answers kept under a key."""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    """
    CREATE TABLE users (
        id uuid PRIMARY KEY,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
        email text NOT NULL DEFAULT '',
        password text,
        roles text[] NOT NULL DEFAULT '{}',
        permissions text[] NOT NULL DEFAULT '{}',
        created timestamptz NOT NULL DEFAULT statement_timestamp(),
        disabled_at timestamptz
    )
    """,
    "CREATE UNIQUE INDEX users_name ON users (lower(name))",
    "CREATE UNIQUE INDEX users_email ON users (lower(email)) WHERE email <> ''",
    """
    CREATE TABLE api_tokens (
        id uuid PRIMARY KEY,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 64),
        lookup text NOT NULL UNIQUE,
        digest bytea NOT NULL,
        abilities text[] NOT NULL,
        networks text[] NOT NULL DEFAULT '{}',
        senders text[] NOT NULL DEFAULT '{}',
        sms_prefixes text[] NOT NULL DEFAULT '{}',
        hourly_cap integer CHECK (hourly_cap > 0),
        daily_cap integer CHECK (daily_cap > 0),
        created timestamptz NOT NULL DEFAULT statement_timestamp(),
        expires_at timestamptz NOT NULL,
        last_used_at timestamptz,
        revoked_at timestamptz
    )
    """,
    """
    CREATE UNIQUE INDEX api_tokens_name ON api_tokens (user_id, lower(name))
        WHERE revoked_at IS NULL
    """,
    """
    CREATE TABLE token_usage (
        token_id uuid NOT NULL REFERENCES api_tokens ON DELETE CASCADE,
        hour timestamptz NOT NULL,
        items integer NOT NULL,
        PRIMARY KEY (token_id, hour)
    )
    """,
    """
    CREATE TABLE idempotency_keys (
        owner uuid NOT NULL,
        key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
        digest text NOT NULL,
        status smallint NOT NULL,
        answer json NOT NULL, -- as it was written: a repeated answer is the same to the byte
        created timestamptz NOT NULL DEFAULT statement_timestamp(),
        PRIMARY KEY (owner, key)
    )
    """,
    "CREATE INDEX idempotency_keys_created ON idempotency_keys (created)",
    # Who had the message sent, and by which request: written once, with the item.
    "ALTER TABLE item_search ADD COLUMN created_by text, ADD COLUMN request_id uuid",
    "CREATE INDEX item_search_created_by ON item_search (created_by, queued)",
)

TABLES = ("idempotency_keys", "token_usage", "api_tokens", "users")


class CreateAccess(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        schema.execute(
            text("ALTER TABLE item_search DROP COLUMN created_by, DROP COLUMN request_id")
        )
        for table in TABLES:
            schema.drop(table)
