"""Spreads what has just happened over the last hour, as if the shop had been open."""

from app.models import statements

AGE = "(('x' || substr(md5({0}::text), 1, 6))::bit(24)::int % 3400) * interval '1 second'"
COLUMNS = {
    "queue_items": ("id", ("queued", "finished_at", "last_updated", "accepted_at")),
    "item_search": ("item_id", ("queued",)),
    "item_history": ("item_id", ("at",)),
    "attempts": ("item_id", ("started_at", "ended_at")),
    "delivery_events": ("item_id", ("received_at", "occurred_at", "applied_at")),
}


async def spread() -> None:
    for table, (key, columns) in COLUMNS.items():
        age = AGE.format(key)
        changes = ", ".join(f"{column} = {column} - {age}" for column in columns)
        await statements.run(f"UPDATE {table} SET {changes} WHERE {key} IS NOT NULL")  # noqa: S608
