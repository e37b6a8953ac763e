"""One errored item has one dead letter: its rescue and its own job, cut off, may both write one.

The job's letter is its message as it came, so it names no attempt; then the other one is kept.
"""

from arvel.database import Migration, Schema
from sqlalchemy import text

# The lock makes who writes the second one wait for the first, and then see it.
ONE_EACH = """
CREATE OR REPLACE FUNCTION drop_letter_without_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM queue_items q WHERE q.id = NEW.item_id AND q.state = 'errored'
        AND (NEW.attempt_id IS NULL OR q.attempt_id = NEW.attempt_id) FOR NO KEY UPDATE;
    IF NOT FOUND OR EXISTS (
        SELECT FROM failed_jobs f WHERE f.item_id = NEW.item_id AND f.id <> NEW.id
            AND (NEW.attempt_id IS NULL OR f.attempt_id = NEW.attempt_id)
    ) THEN
        DELETE FROM failed_jobs WHERE id = NEW.id;
    ELSE
        DELETE FROM failed_jobs
        WHERE item_id = NEW.item_id AND id <> NEW.id AND attempt_id IS NULL;
    END IF;
    RETURN NULL;
END $$
"""

ANY_NUMBER = """
CREATE OR REPLACE FUNCTION drop_letter_without_item() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM queue_items q WHERE q.id = NEW.item_id AND q.state = 'errored'
        AND (NEW.attempt_id IS NULL OR q.attempt_id = NEW.attempt_id) FOR SHARE;
    IF NOT FOUND THEN
        DELETE FROM failed_jobs WHERE id = NEW.id;
    END IF;
    RETURN NULL;
END $$
"""


class KeepOneLetterAnAttempt(Migration):
    def up(self, schema: Schema) -> None:
        schema.execute(text(ONE_EACH))

    def down(self, schema: Schema) -> None:
        schema.execute(text(ANY_NUMBER))
