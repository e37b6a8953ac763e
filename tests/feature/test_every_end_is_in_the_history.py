"""However an item ends, by a provider's word or by ours, its history and its times say so."""

from collections.abc import Awaitable, Callable

import pytest

from app.models.queries import operate, publish
from app.models.statements import Statements
from app.transports.contract import Accepted, Rejected, Unknown
from tests.fakes.facts import record, report, time_out
from tests.fakes.items import Put, history_of, put_item, raw, see


async def cancelled_by_a_person(item: Put) -> None:
    await operate.cancel(item.id, "operator:1", confirm=False, dry_run=False)


async def expired(_: Put) -> None:
    await operate.expire(10, "too late", "expiry")


async def publishing_failed(item: Put) -> None:
    await publish.fail([(item.id, (await see(item.id))["dispatched_at"])], "no broker", "publish")


ENDS: dict[str, tuple[str, Callable[[Put], Awaitable[None]], str]] = {
    "delivered": ("awaiting", lambda i: report(i, "delivered"), "succeeded"),
    "bounced": ("awaiting", lambda i: report(i, "failed"), "errored"),
    "accepted for good": ("sending", lambda i: record(i, Accepted("m", final=True)), "succeeded"),
    "rejected": ("sending", lambda i: record(i, Rejected("no")), "errored"),
    "errored by us": ("sending", lambda i: record(i, Unknown("?")), "errored"),
    "never published": ("queued", publishing_failed, "errored"),
    "unconfirmed": ("awaiting", time_out, "unconfirmed"),
    "cancelled": ("queued", cancelled_by_a_person, "cancelled"),
    "expired": ("delayed", expired, "cancelled"),
}


@pytest.mark.parametrize("name", ENDS)
async def test_an_end_is_told_with_its_time_whoever_brought_it_about(
    database: Statements, name: str
) -> None:
    """Field report 42: ends of our own making are as visible as a provider's reports."""
    state, act, end = ENDS[name]
    item = await put_item(state, expires_at=raw("now() - interval '1 s'"))
    await act(item)
    row = await see(item.id)
    assert row["state"] == end
    assert (row["finished_at"] is not None) == (end != "errored")
    assert [to for _, _, to in await history_of(item.id)] == [end]
