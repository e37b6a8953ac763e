"""What operators do to many items, and the fence that keeps dead letters in step with items.

``bulk_operation_items`` has no foreign keys to items: a result outlives the item that it is about.
The triggers hold the rule that a dead letter of an item exists only while the item is errored with
the attempt that the letter names, whatever statement moves the item or writes the letter.
"""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    """
    CREATE TABLE bulk_operations (
        id uuid PRIMARY KEY,
        action text NOT NULL CHECK (action IN ('retry', 'cancel', 'resend')),
        actor text NOT NULL,
        filter jsonb NOT NULL,
        confirm boolean NOT NULL,
        state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'finished', 'cancelled')),
        total integer NOT NULL,
        more boolean NOT NULL DEFAULT false,
        done integer NOT NULL DEFAULT 0,
        refused integer NOT NULL DEFAULT 0,
        unknown integer NOT NULL DEFAULT 0,
        cursor uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        cancelled_by text,
        created timestamptz NOT NULL DEFAULT statement_timestamp(),
        last_updated timestamptz NOT NULL DEFAULT statement_timestamp(),
        finished_at timestamptz,
        CONSTRAINT bulk_operations_finished
            CHECK ((state = 'running') = (finished_at IS NULL))
    )
    """,
    """
    CREATE UNIQUE INDEX bulk_operations_running ON bulk_operations
        (action, confirm, md5(filter::text)) WHERE state = 'running'
    """,
    "CREATE INDEX bulk_operations_created ON bulk_operations (created)",
    """
    CREATE TABLE bulk_operation_items (
        operation_id uuid NOT NULL REFERENCES bulk_operations ON DELETE RESTRICT,
        item_id uuid NOT NULL,
        result text NOT NULL CHECK (result IN ('done', 'refused', 'unknown')),
        state text NOT NULL,
        text text NOT NULL DEFAULT '',
        copy_id uuid,
        PRIMARY KEY (operation_id, item_id)
    )
    """,
    "ALTER TABLE item_history ADD COLUMN decision uuid",
    """
    CREATE FUNCTION drop_letters_of_item() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM failed_jobs WHERE item_id = NEW.id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER queue_items_letters AFTER UPDATE ON queue_items FOR EACH ROW
    WHEN (OLD.state = 'errored'
        AND (NEW.state <> 'errored' OR NEW.attempt_id IS DISTINCT FROM OLD.attempt_id))
    EXECUTE FUNCTION drop_letters_of_item()
    """,
    """
    CREATE FUNCTION drop_letter_without_item() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM FROM queue_items q WHERE q.id = NEW.item_id AND q.state = 'errored'
            AND (NEW.attempt_id IS NULL OR q.attempt_id = NEW.attempt_id) FOR SHARE;
        IF NOT FOUND THEN
            DELETE FROM failed_jobs WHERE id = NEW.id;
        END IF;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER failed_jobs_item AFTER INSERT ON failed_jobs FOR EACH ROW
    WHEN (NEW.item_id IS NOT NULL) EXECUTE FUNCTION drop_letter_without_item()
    """,
)

UNDO = (
    "DROP TRIGGER failed_jobs_item ON failed_jobs",
    "DROP FUNCTION drop_letter_without_item",
    "DROP TRIGGER queue_items_letters ON queue_items",
    "DROP FUNCTION drop_letters_of_item",
    "ALTER TABLE item_history DROP COLUMN decision",
    "DROP TABLE bulk_operation_items",
    "DROP TABLE bulk_operations",
)


class CreateBulkOperations(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for statement in UNDO:
            schema.execute(text(statement))
