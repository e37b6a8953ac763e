"""Queue items and all that happens to them.

``queue_items`` holds what changes and has few indexes, since each transition writes them all; what
is searched but never changes stands in ``item_search``, written once. The CHECKs are the last
fence behind the conditional statements.
"""

from arvel.database import Migration, Schema
from sqlalchemy import text

TABLES = (
    """
    CREATE TABLE channels (
        name text PRIMARY KEY,
        paused_until timestamptz,
        pause_reason text
    )
    """,
    """
    CREATE TABLE queue_items (
        id uuid PRIMARY KEY,
        method text NOT NULL CHECK (method IN ('email', 'sms')),
        channel text NOT NULL,
        priority text NOT NULL DEFAULT 'default' CHECK (priority IN ('high', 'default', 'bulk')),
        state text NOT NULL DEFAULT 'queued',
        previous_state text,
        email_id uuid REFERENCES email_messages ON DELETE RESTRICT,
        sms_id uuid REFERENCES sms_messages ON DELETE RESTRICT,
        queued timestamptz NOT NULL DEFAULT statement_timestamp(),
        send_at timestamptz,
        expires_at timestamptz,
        due_at timestamptz DEFAULT statement_timestamp(),
        dispatched_at timestamptz,
        dispatches smallint NOT NULL DEFAULT 0,
        task_id text,
        attempt_id uuid,
        attempts smallint NOT NULL DEFAULT 0,
        lease_until timestamptz,
        retries smallint NOT NULL DEFAULT 0,
        retry_delay real,
        failures smallint NOT NULL DEFAULT 0,
        not_sent smallint NOT NULL DEFAULT 0,
        inherit_key uuid,
        inherit_until timestamptz,
        rescues smallint NOT NULL DEFAULT 0,
        postponed_from timestamptz,
        error_kind text,
        result text,
        message_id text,
        earlier_delivered boolean NOT NULL DEFAULT false,
        delivered_after_cancel boolean NOT NULL DEFAULT false,
        accepted_at timestamptz,
        finished_at timestamptz,
        polled_at timestamptz,
        cloned_from uuid, -- no foreign key: a copy outlives its original
        last_updated timestamptz NOT NULL DEFAULT statement_timestamp(),
        CONSTRAINT queue_items_state CHECK (state IN ('queued', 'sending', 'awaiting', 'delayed',
            'errored', 'succeeded', 'unconfirmed', 'cancelled')),
        CONSTRAINT queue_items_error_kind CHECK (error_kind IN ('publish_failed',
            'outcome_unknown', 'poisoned', 'unforeseen', 'retries_exhausted', 'rejected',
            'opted_out', 'configuration', 'reported')),
        CONSTRAINT queue_items_errored CHECK ((state = 'errored') = (error_kind IS NOT NULL)),
        CONSTRAINT queue_items_lease CHECK ((state = 'sending') = (lease_until IS NOT NULL)),
        CONSTRAINT queue_items_attempt
            CHECK (state NOT IN ('sending', 'awaiting') OR attempt_id IS NOT NULL),
        CONSTRAINT queue_items_finished CHECK
            ((state IN ('cancelled', 'succeeded', 'unconfirmed')) = (finished_at IS NOT NULL)),
        CONSTRAINT queue_items_content CHECK
            ((method = 'email') = (email_id IS NOT NULL)
            AND (method = 'sms') = (sms_id IS NOT NULL))
    ) WITH (
        autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
        autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 1
    )
    """,
    """
    CREATE INDEX queue_items_due ON queue_items (due_at)
        WHERE state IN ('queued', 'delayed')
    """,
    "CREATE INDEX queue_items_lease ON queue_items (lease_until) WHERE state = 'sending'",
    "CREATE INDEX queue_items_awaiting ON queue_items (queued) WHERE state = 'awaiting'",
    "CREATE INDEX queue_items_errored ON queue_items (error_kind, queued) WHERE state = 'errored'",
    """
    CREATE INDEX queue_items_expiring ON queue_items (expires_at)
        WHERE state IN ('queued', 'delayed') AND expires_at IS NOT NULL
    """,
    """
    CREATE INDEX queue_items_finished ON queue_items (finished_at)
        WHERE finished_at IS NOT NULL
    """,
    "CREATE INDEX queue_items_email ON queue_items (email_id) WHERE email_id IS NOT NULL",
    "CREATE INDEX queue_items_sms ON queue_items (sms_id) WHERE sms_id IS NOT NULL",
    """
    CREATE TABLE item_search (
        item_id uuid PRIMARY KEY REFERENCES queue_items ON DELETE RESTRICT,
        method text NOT NULL,
        receiver_id uuid REFERENCES receivers ON DELETE RESTRICT,
        receiver_name text NOT NULL DEFAULT '',
        receiver_address text NOT NULL,
        role text NOT NULL DEFAULT 'to' CHECK (role IN ('to', 'cc', 'bcc')),
        origin_type text,
        origin_id text,
        tags text[] NOT NULL DEFAULT '{}',
        queued timestamptz NOT NULL DEFAULT statement_timestamp()
    )
    """,
    "CREATE INDEX item_search_queued ON item_search (queued, item_id)",
    "CREATE INDEX item_search_receiver ON item_search (lower(receiver_address), queued)",
    """
    CREATE INDEX item_search_origin ON item_search (origin_type, origin_id)
        WHERE origin_type IS NOT NULL
    """,
    """
    CREATE TABLE attempts (
        id uuid PRIMARY KEY,
        item_id uuid NOT NULL REFERENCES queue_items ON DELETE RESTRICT,
        number smallint NOT NULL,
        provider text NOT NULL,
        provider_key uuid NOT NULL,
        message_id text,
        recipient text NOT NULL DEFAULT '',
        outcome text CHECK
            (outcome IN ('accepted', 'rejected', 'try_later', 'not_sent', 'unknown')),
        may_have_been_sent boolean NOT NULL DEFAULT false,
        recovered boolean NOT NULL DEFAULT false,
        rank smallint NOT NULL DEFAULT 0,
        previous_rank smallint NOT NULL DEFAULT 0,
        report text CHECK (report IN ('in_flight', 'engaged', 'delivered', 'failed')),
        code text,
        text text,
        started_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        ended_at timestamptz,
        UNIQUE (item_id, number)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)
    """,
    """
    CREATE UNIQUE INDEX attempts_message ON attempts (provider, message_id, recipient)
        WHERE message_id IS NOT NULL
    """,
    """
    CREATE TABLE delivery_events (
        id uuid PRIMARY KEY,
        provider text NOT NULL,
        event_key text NOT NULL,
        attempt_id uuid REFERENCES attempts ON DELETE RESTRICT,
        item_id uuid REFERENCES queue_items ON DELETE RESTRICT,
        message_id text,
        attempt_key uuid,
        item_key uuid,
        recipient text NOT NULL DEFAULT '',
        type text NOT NULL,
        report text NOT NULL,
        status text NOT NULL DEFAULT '',
        code text NOT NULL DEFAULT '',
        text text NOT NULL DEFAULT '',
        reason text NOT NULL DEFAULT '',
        occurred_at timestamptz,
        received_at timestamptz NOT NULL DEFAULT statement_timestamp(),
        applied_at timestamptz,
        verdict text,
        failures smallint NOT NULL DEFAULT 0,
        raw jsonb NOT NULL DEFAULT '{}',
        UNIQUE (provider, event_key)
    ) WITH (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000)
    """,
    """
    CREATE INDEX delivery_events_unapplied ON delivery_events (received_at)
        WHERE applied_at IS NULL
    """,
    """
    CREATE INDEX delivery_events_orphans ON delivery_events (provider, message_id)
        WHERE applied_at IS NULL AND attempt_id IS NULL
    """,
    "CREATE INDEX delivery_events_item ON delivery_events (item_id) WHERE item_id IS NOT NULL",
    """
    CREATE INDEX delivery_events_attempt ON delivery_events (attempt_id)
        WHERE attempt_id IS NOT NULL
    """,
    "CREATE INDEX delivery_events_raw ON delivery_events (received_at) WHERE raw <> '{}'",
    """
    CREATE INDEX delivery_events_unmatched ON delivery_events (received_at)
        WHERE item_id IS NULL AND applied_at IS NOT NULL
    """,
    """
    CREATE TABLE item_history (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        item_id uuid NOT NULL REFERENCES queue_items ON DELETE RESTRICT,
        attempt_id uuid,
        transition text NOT NULL,
        from_state text,
        to_state text NOT NULL,
        actor text NOT NULL,
        text text,
        detail text,
        at timestamptz NOT NULL DEFAULT statement_timestamp()
    ) WITH (autovacuum_vacuum_insert_scale_factor = 0.05)
    """,
    "CREATE INDEX item_history_item ON item_history (item_id, id)",
    "CREATE INDEX item_history_at ON item_history (at)",
    """
    CREATE TABLE ticks (
        name text PRIMARY KEY,
        last_run timestamptz NOT NULL,
        run_by text NOT NULL DEFAULT ''
    )
    """,
    """
    CREATE TABLE sandbox_reports (
        id uuid PRIMARY KEY,
        method text NOT NULL,
        body jsonb NOT NULL,
        query text NOT NULL DEFAULT '',
        due_at timestamptz NOT NULL,
        tries smallint NOT NULL DEFAULT 0
    )
    """,
    "CREATE INDEX sandbox_reports_due ON sandbox_reports (due_at)",
)


class CreateQueueItems(Migration):
    def up(self, schema: Schema) -> None:
        for statement in TABLES:
            schema.execute(text(statement))

    def down(self, schema: Schema) -> None:
        for table in (
            "sandbox_reports",
            "ticks",
            "item_history",
            "delivery_events",
            "attempts",
            "item_search",
            "queue_items",
            "channels",
        ):
            schema.drop(table)
