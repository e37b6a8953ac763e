"""Indexes for lists of items, and for finding them by whom they went to.

``queue_items`` gets no more than one entry for each change of state: its two indexes hold the same
rows by turns. They ask for ``finished_at`` and not for states, so that no statement which reaches
an item by its key is ever planned through them. All else stands on ``item_search``, written once.
Tags get rows of their own beside it: an index on arrays knows no order, and a tag that half of all
items had last spring must be found as fast as a rare one.

pg_trgm comes with PostgreSQL and is trusted: the owner of the database may create it.
"""

from arvel.database import Migration, Schema
from sqlalchemy import text

STATEMENTS = (
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    """
    CREATE INDEX queue_items_open ON queue_items (state, method, queued, id)
        WHERE finished_at IS NULL
    """,
    """
    CREATE INDEX queue_items_done ON queue_items (state, method, queued, id)
        WHERE finished_at IS NOT NULL
    """,
    "DROP INDEX item_search_receiver",
    """
    CREATE INDEX item_search_receiver ON item_search (lower(receiver_address), queued, item_id)
    """,
    "DROP INDEX item_search_origin",
    """
    CREATE INDEX item_search_origin ON item_search (origin_type, origin_id, queued, item_id)
        WHERE origin_type IS NOT NULL
    """,
    """
    CREATE INDEX item_search_origin_type ON item_search (origin_type, queued, item_id)
        WHERE origin_type IS NOT NULL
    """,
    "DROP INDEX item_search_created_by",
    """
    CREATE INDEX item_search_created_by ON item_search (created_by, queued, item_id)
        WHERE created_by IS NOT NULL
    """,
    """
    CREATE TABLE item_tags (
        tag text NOT NULL,
        queued timestamptz NOT NULL,
        item_id uuid NOT NULL,
        PRIMARY KEY (tag, queued, item_id)
    )
    """,
    """
    INSERT INTO item_tags (tag, queued, item_id)
    SELECT DISTINCT t.tag, s.queued, s.item_id FROM item_search s, unnest(s.tags) AS t (tag)
    """,
    """
    CREATE FUNCTION add_item_tags() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        INSERT INTO item_tags (tag, queued, item_id)
        SELECT DISTINCT t.tag, NEW.queued, NEW.item_id FROM unnest(NEW.tags) AS t (tag);
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER item_search_add_tags AFTER INSERT ON item_search FOR EACH ROW
    WHEN (NEW.tags <> '{}') EXECUTE FUNCTION add_item_tags()
    """,
    """
    CREATE FUNCTION drop_item_tags() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        DELETE FROM item_tags WHERE tag = ANY (OLD.tags) AND queued = OLD.queued
            AND item_id = OLD.item_id;
        RETURN NULL;
    END $$
    """,
    """
    CREATE TRIGGER item_search_drop_tags AFTER DELETE ON item_search FOR EACH ROW
    WHEN (OLD.tags <> '{}') EXECUTE FUNCTION drop_item_tags()
    """,
    """
    CREATE INDEX item_search_person ON item_search
        USING gin (lower(receiver_name || E'\\n' || receiver_address) gin_trgm_ops)
    """,
    # Of failed items alone: nothing is written here while all goes well.
    """
    CREATE INDEX queue_items_result ON queue_items USING gin (lower(result) gin_trgm_ops)
        WHERE result IS NOT NULL AND error_kind IS NOT NULL
    """,
)

UNDO = (
    "DROP INDEX queue_items_result",
    "DROP INDEX item_search_person",
    "DROP TRIGGER item_search_drop_tags ON item_search",
    "DROP FUNCTION drop_item_tags",
    "DROP TRIGGER item_search_add_tags ON item_search",
    "DROP FUNCTION add_item_tags",
    "DROP TABLE item_tags",
    "DROP INDEX item_search_created_by",
    "CREATE INDEX item_search_created_by ON item_search (created_by, queued)",
    "DROP INDEX item_search_origin_type",
    "DROP INDEX item_search_origin",
    """
    CREATE INDEX item_search_origin ON item_search (origin_type, origin_id)
        WHERE origin_type IS NOT NULL
    """,
    "DROP INDEX item_search_receiver",
    "CREATE INDEX item_search_receiver ON item_search (lower(receiver_address), queued)",
    "DROP INDEX queue_items_done",
    "DROP INDEX queue_items_open",
)


class CreateBrowsingIndexes(Migration):
    def up(self, schema: Schema) -> None:
        for statement in STATEMENTS:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for statement in UNDO:
            schema.execute(text(statement))
