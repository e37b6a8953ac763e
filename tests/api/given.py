"""Messages that the API takes, for tests that change one thing about them."""

from typing import Any

from app.models import statements

SHOP = {"name": "Shop", "email": "shop@example.com"}
ANNA = {"name": "Anna", "email": "anna@example.com"}
NUMBER = {"cell": "+15550100009"}
PHONE = {"name": "Anna", "cell": "+15550100001"}


def email(**changes: Any) -> dict[str, Any]:
    return {"sender": SHOP, "to": [ANNA], "subject": "Hello", "text": "Text", **changes}


def sms(**changes: Any) -> dict[str, Any]:
    return {"sender": NUMBER, "receiver": PHONE, "body": "Text", **changes}


async def count(table: str) -> int:
    return int((await statements.run(f"SELECT count(*) AS n FROM {table}"))[0]["n"])


async def rows_of(table: str, order: str = "1") -> list[dict[str, Any]]:
    rows = await statements.run(f"SELECT * FROM {table} ORDER BY {order}")
    return [dict(row.items()) for row in rows]  # type: ignore[attr-defined]


def fields(answer: Any) -> set[str]:
    """The fields that a refusal names."""
    return {error["field"] for error in answer.json()["errors"]}
