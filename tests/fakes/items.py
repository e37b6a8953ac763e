"""Items in any state, put straight into the database, and what one can see of them afterwards."""

import uuid
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from app.models import statements
from app.transports.contract import EventType, ProviderEvent
from app.workflow import DONE, State

PROVIDER = "sandbox"

EVENTS = {
    "in_flight": EventType.SENT,
    "engaged": EventType.OPENED,
    "delivered": EventType.DELIVERED,
    "failed": EventType.BOUNCED,
}


@dataclass(frozen=True, slots=True)
class Put:
    """An item that was put into a state, with the key of its current (or cleared) attempt."""

    id: UUID
    attempt: UUID
    method: str


HAS_ATTEMPT = {State.SENDING, State.AWAITING, State.SUCCEEDED, State.UNCONFIRMED, State.ERRORED}


async def put_item(
    state: str = "queued",
    *,
    method: str = "email",
    error_kind: str | None = None,
    attempts: int = 1,
    current: bool = True,
    receiver: str = "someone@example.com",
    **columns: Any,
) -> Put:
    """Put an item into a state as if it had come there; ``columns`` override what is stored."""
    item, content, attempt = uuid.uuid7(), uuid.uuid7(), uuid.uuid7()
    await _put_content(content, method)
    values: dict[str, Any] = {
        "id": item,
        "method": method,
        "channel": PROVIDER,
        f"{method}_id": content,
        "state": state,
        "attempts": attempts,
        "attempt_id": attempt if attempts and current else None,
        "error_kind": (error_kind or "outcome_unknown") if state == State.ERRORED else None,
        **columns,
    }
    await _insert("queue_items", values)
    await statements.run(
        """UPDATE queue_items SET dispatched_at = COALESCE(dispatched_at, queued) WHERE id = $1""",
        item,
    )
    await _insert("item_search", {"item_id": item, "method": method, "receiver_address": receiver})
    if attempts:
        await put_attempt(item, attempt, number=attempts, receiver=receiver)
    return Put(item, attempt, method)


async def put_attempt(
    item: UUID, attempt: UUID, *, number: int, receiver: str = "", **columns: Any
) -> None:
    values = {
        "id": attempt,
        "item_id": item,
        "number": number,
        "provider": PROVIDER,
        "provider_key": attempt,
        "recipient": receiver.lower(),
        **columns,
    }
    await _insert("attempts", values)


async def _put_content(content: UUID, method: str) -> None:
    if method == "email":
        await statements.run(
            "INSERT INTO email_messages (id, sender_address, subject, text) "
            "VALUES ($1, 'shop@example.com', 'Hello', 'Text')",
            content,
        )
    else:
        await statements.run("INSERT INTO sms_messages (id, body) VALUES ($1, 'Text')", content)


async def _insert(table: str, values: dict[str, Any]) -> None:
    values = dict(values)
    if table == "queue_items":
        if values["state"] == State.SENDING and "lease_until" not in values:
            values["lease_until"] = _raw("now() + interval '40 s'")
        if values["state"] in DONE and "finished_at" not in values:
            values["finished_at"] = _raw("now()")
    names, marks, args = [], [], []
    for name, value in values.items():
        names.append(name)
        if isinstance(value, _raw):
            marks.append(value)
        else:
            args.append(value)
            marks.append(f"${len(args)}")
    await statements.run(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join(marks)})", *args
    )


class _raw(str):
    """A value that the database computes."""


raw = _raw


async def see(item: UUID) -> dict[str, Any]:
    """The item's row."""
    rows = await statements.run("SELECT * FROM queue_items WHERE id = $1", item)
    return dict(rows[0].items())  # type: ignore[attr-defined]


async def state_of(item: UUID) -> str:
    return str((await see(item))["state"])


async def history_of(item: UUID) -> list[tuple[str, str | None, str]]:
    """The item's history as (transition, from, to)."""
    rows = await statements.run(
        "SELECT transition, from_state, to_state FROM item_history WHERE item_id = $1 ORDER BY id",
        item,
    )
    return [(r["transition"], r["from_state"], r["to_state"]) for r in rows]


async def letters_of(item: UUID) -> int:
    """How many dead letters there are of an item."""
    rows = await statements.run("SELECT count(*) AS n FROM failed_jobs WHERE item_id = $1", item)
    return int(rows[0]["n"])


def event(said: str, attempt: UUID, *, key: str | None = None, **facts: Any) -> ProviderEvent:
    """A report about an attempt; one key for each thing said, as providers have it."""
    return ProviderEvent(
        event_key=key or f"{attempt}/{said}",
        type=EVENTS[said],
        status=said,
        attempt_key=attempt,
        text=f"the provider says {said}",
        **facts,
    )
