"""Items that operators meet, and what they see of them afterwards."""

import json
import uuid
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from app.items import add_email, add_sms, bulk_operations
from app.models import statements
from app.models.bulk_operation import BulkOperation
from app.models.queue_item import QueueItem
from tests.fakes.items import Put

SHOP = {"name": "Shop", "email": "shop@example.com", "cell": "+15550100009"}
ANNA = {"name": "Anna", "email": "anna@example.com", "cell": "+15550100001"}
BOB = {"name": "Bob", "email": "bob@example.com"}


async def email(**changes: Any) -> list[QueueItem]:
    given: dict[str, Any] = {"sender": SHOP, "to": [ANNA], "subject": "Hello", "text": "Text"}
    return await add_email(**{**given, **changes})


async def sms(**changes: Any) -> QueueItem:
    return await add_sms(**{"sender": SHOP, "receiver": ANNA, "body": "Text", **changes})


async def bring_to(state: str, *items: UUID, error_kind: str | None = None) -> None:
    """Put composed items into a state that needs no attempt."""
    await statements.run(
        """UPDATE queue_items SET state = $1::text, error_kind = $2, lease_until = NULL,
            finished_at = CASE WHEN $1::text IN ('succeeded', 'cancelled', 'unconfirmed')
                THEN now() END
        WHERE id = ANY ($3)""",
        state,
        error_kind,
        list(items),
    )


async def fill(count: int, state: str = "errored", error_kind: str | None = "rejected") -> None:
    """Many items in one state, of one email."""
    [item] = await email()
    await statements.run(
        """WITH many AS (
            INSERT INTO queue_items (id, method, channel, email_id, state, error_kind, finished_at)
            SELECT gen_random_uuid(), 'email', 'sandbox', $1, $2::text, $3,
                CASE WHEN $2::text IN ('succeeded', 'cancelled') THEN now() END
            FROM generate_series(1, $4) RETURNING id)
        INSERT INTO item_search (item_id, method, receiver_address)
        SELECT id, 'email', 'someone@example.com' FROM many""",
        item.email_id,
        state,
        error_kind,
        count,
    )
    # As autovacuum would soon: without it the plans of pages depend on when it last came by.
    await statements.run("ANALYZE queue_items, item_search")


async def find_item(item_id: UUID) -> QueueItem:
    found = await QueueItem.find(item_id)
    assert found is not None
    return found


async def copies_of(item_id: UUID) -> list[QueueItem]:
    return list(await QueueItem.where("cloned_from", item_id).get())


async def count(table: str, where: str = "true", *args: Any) -> int:
    rows = await statements.run(f"SELECT count(*) AS n FROM {table} WHERE {where}", *args)
    return int(rows[0]["n"])


async def most_moves_by_one_decision() -> int:
    """How often one decision moved the same item, or made a copy of it, at worst."""
    rows = await statements.run(
        """SELECT COALESCE(max(n), 0) AS n FROM (
            SELECT count(*) AS n FROM item_history WHERE decision IS NOT NULL
            GROUP BY item_id, decision
            UNION ALL
            SELECT count(*) FROM item_history h JOIN queue_items c ON c.id = h.item_id
            WHERE c.cloned_from IS NOT NULL AND h.transition = 'resend' AND h.from_state IS NULL
            GROUP BY c.cloned_from, h.decision) AS moves"""
    )
    return int(rows[0]["n"])


async def put_letter(item: UUID, attempt: UUID | None, job: str = "SendMessage") -> UUID:
    """A dead letter as a worker writes it."""
    state = {"item_id": str(item)} | ({"attempt_id": str(attempt)} if attempt else {})
    payload = {"job": f"app.jobs.send_message:{job}", "state": state}
    letter = uuid.uuid4()
    await statements.run(
        "INSERT INTO failed_jobs (id, queue, payload, exception, failed_at)"
        " VALUES ($1, 'default', $2, 'Undeliverable: Given up.', now())",
        letter,
        json.dumps(payload),
    )
    return letter


async def letters() -> list[UUID]:
    return [row["id"] for row in await statements.run("SELECT id FROM failed_jobs")]


def ids_of(items: Sequence[Put]) -> list[UUID]:
    return [item.id for item in items]


async def work_off(operation: BulkOperation) -> BulkOperation:
    while operation.running:
        worked = await bulk_operations.work_page(operation.id)
        assert worked is not None
        operation = worked
    return operation


async def results_of(operation: BulkOperation) -> dict[UUID, str]:
    found = await bulk_operations.list_results(operation.id)
    return {result.item_id: result.result for result in found}
