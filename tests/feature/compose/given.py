"""Messages that could be sent, for tests that change one thing about them."""

from typing import Any

from app.items import add_email, add_sms
from app.items.refusals import InvalidMessage
from app.models import statements
from app.models.queue_item import QueueItem

SHOP = {"name": "Shop", "email": "shop@example.com", "cell": "+15550100009"}
ANNA = {"name": "Anna", "email": "anna@example.com", "cell": "+15550100001"}

TABLES = (
    "email_messages",
    "email_receivers",
    "sms_messages",
    "queue_items",
    "item_search",
    "attachments",
    "email_attachments",
    "blobs",
)


async def email(**changes: Any) -> list[QueueItem]:
    given: dict[str, Any] = {"sender": SHOP, "to": [ANNA], "subject": "Hello", "text": "Text"}
    return await add_email(**{**given, **changes})


async def sms(**changes: Any) -> QueueItem:
    return await add_sms(**{"sender": SHOP, "receiver": ANNA, "body": "Text", **changes})


async def refusal_of_email(**changes: Any) -> dict[str, list[str]]:
    """What is said about an email that can't be sent; fails when it was queued."""
    try:
        await email(**changes)
    except InvalidMessage as refusal:
        return refusal.errors
    raise AssertionError("The email was queued")


async def refusal_of_sms(**changes: Any) -> dict[str, list[str]]:
    try:
        await sms(**changes)
    except InvalidMessage as refusal:
        return refusal.errors
    raise AssertionError("The SMS was queued")


async def count_rows() -> int:
    """Rows in all tables that composing writes to."""
    counts = " + ".join(f"(SELECT count(*) FROM {table})" for table in TABLES)
    return int((await statements.run(f"SELECT {counts} AS n"))[0]["n"])


async def rows_of(table: str, order: str) -> list[dict[str, Any]]:
    rows = await statements.run(f"SELECT * FROM {table} ORDER BY {order}")
    return [dict(row.items()) for row in rows]  # type: ignore[attr-defined]
