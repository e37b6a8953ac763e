"""What belongs together goes together: no row is deleted by hand from under another one."""

import asyncpg
import pytest

from app.items import evidence
from app.models import statements
from app.models.statements import Statements
from tests.fakes.items import event, put_item


@pytest.mark.parametrize("table", ["queue_items", "attempts", "email_messages"])
async def test_what_others_stand_on_can_not_be_deleted(database: Statements, table: str) -> None:
    item = await put_item("awaiting")
    for event_id in await evidence.store("sandbox", [event("delivered", item.attempt)]):
        await evidence.apply(event_id)
    # PostgreSQL 18 calls it the former, older ones the latter.
    refused = (asyncpg.RestrictViolationError, asyncpg.ForeignKeyViolationError)
    with pytest.raises(refused):
        await statements.run(f"DELETE FROM {table}")
