"""Puts expansions beside items."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Raw

from app.controllers.api.items import parts
from app.controllers.api.items.query import Expansion
from app.controllers.api.items.schemas import Item
from app.models.queries.browsing.belongings import find_belongings
from app.models.snapshots import Snapshot
from app.models.statements import Row

PEOPLE = ("sender", "receiver")


async def expand(
    snapshot: Snapshot,
    items: Sequence[Item],
    rows: Sequence[Row],
    wanted: Sequence[Expansion],
    *,
    whole: bool,
) -> None:
    """Set what is wanted on ``items``, which were made of ``rows``."""
    for item, row in zip(items, rows, strict=True):
        _add_people(item, row, wanted)
    ids = [item.id for item in items]
    for kind in sorted(set(wanted).difference(PEOPLE)):
        found = await find_belongings(snapshot, kind, ids, whole=whole)
        for item in items:
            setattr(item, kind, MAKERS[kind](found[item.id]))


def _add_people(item: Item, row: Row, wanted: Sequence[Expansion]) -> None:
    if "sender" in wanted:
        item.sender = parts.Sender(row["sender_id"], row["sender_name"], row["sender_address"])
    if "receiver" in wanted:
        item.receiver = parts.Receiver(
            row["receiver_id"], row["receiver_name"], row["receiver_address"], row["role"]
        )


def _email(rows: Sequence[Row]) -> parts.Email | None:
    if not rows:
        return None
    [row] = rows
    boxes: dict[str, list[parts.Mailbox]] = {role: [] for role in ("to", "cc", "bcc", "reply_to")}
    for role, name, address in json.loads(row["people"] or "[]"):
        boxes[role].append(parts.Mailbox(name, address))
    content = _columns(row, "id", "subject", "text", "html", "cut")
    given: dict[str, Any] = {**content, **boxes, "headers": json.loads(row["headers"])}
    return parts.Email(**given)


def _sms(rows: Sequence[Row]) -> parts.Sms | None:
    return parts.Sms(**_columns(rows[0], "id", "body", "media_url")) if rows else None


def _event(row: Row) -> parts.Event:
    given = _columns(row, *(n for n in parts.Event.__struct_fields__ if n != "raw"))
    return parts.Event(**given, raw=None if row["raw"] is None else Raw(row["raw"].encode()))


def _attachment(row: Row) -> parts.Attachment:
    names = (name for name in parts.Attachment.__struct_fields__ if name != "href")
    return parts.Attachment(**_columns(row, *names), href=f"/api/attachments/{row['id']}")


def _columns(row: Row, *names: str) -> dict[str, Any]:
    return {name: row[name] for name in names}


MAKERS: dict[str, Callable[[Sequence[Row]], Any]] = {
    "email": _email,
    "sms": _sms,
    "attempts": lambda rows: [
        parts.Attempt(**_columns(row, *parts.Attempt.__struct_fields__)) for row in rows
    ],
    "events": lambda rows: [_event(row) for row in rows],
    "history": lambda rows: [
        parts.Change(**_columns(row, *parts.Change.__struct_fields__)) for row in rows
    ],
    "attachments": lambda rows: [_attachment(row) for row in rows],
}
