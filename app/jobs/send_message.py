"""Sends one queue item: claim, transmit, record."""

import asyncio
import uuid
from dataclasses import replace
from typing import Any, ClassVar, override

from arvel.kernel.logging import LogManager
from arvel.queue import Job

from app.events import measures, traces
from app.items import doubt, outcome, pause
from app.items.outcome import Attempt
from app.jobs import ended
from app.jobs.faults import reach
from app.jobs.holds import hold
from app.jobs.look_up import find, window_of
from app.jobs.overlap import WithoutOverlapping
from app.jobs.transmission import Lease, as_uuid, boot_time, transmit
from app.models.queries import claim as queries
from app.models.queries.record import Entry
from app.models.queries.timeouts import Waiting
from app.models.statements import UNAVAILABLE, Row
from app.settings import AppSettings, ClockSettings, DispatchSettings, RetrySettings
from app.transports.allowed import may_reach
from app.transports.contract import NotSent
from app.workflow import ErrorKind

FAILURES_LIMIT = 10
POISONED = "Ten workers failed on this item before they could start an attempt. Nothing was sent."
ACTOR = "worker"
SECOND_COPY = "An earlier attempt may have been sent as well: this may be a second copy."
LOOK_AGAIN = 600.0
"""Seconds after which an item of a paused channel is looked at again at the latest."""
LETTERS = frozenset({ErrorKind.RETRIES_EXHAUSTED, ErrorKind.UNFORESEEN})


class Undeliverable(Exception):
    """The item came to rest as errored and goes to the dead letters."""


class DatabaseAway(Exception):
    """PostgreSQL went away between the claim and the transmission."""


class SendMessage(Job):
    """Retries live in the row, so the job itself is tried once and waits for nothing."""

    after_commit = True
    tries = 1
    timeout = 45
    attempt_id: str | None = None
    lock_expiry: ClassVar[int] = 60

    def __init__(self, item_id: str) -> None:
        self.item_id = str(item_id)

    @override
    def middleware(self) -> list[Any]:
        return [WithoutOverlapping(f"queue-item:{self.item_id}", expire=self.lock_expiry)]

    @override
    async def handle(self) -> None:
        claimed = await self._claim()
        if claimed is None:
            return
        row, lease = claimed
        error = await asyncio.shield(hold(attempt(row, lease)))
        if error:
            raise Undeliverable(error)

    async def _claim(self) -> tuple[Row, Lease] | None:
        await reach("before_claim")
        clocks, started = ClockSettings(), boot_time()
        key = uuid.uuid7()
        try:
            row = await queries.claim(as_uuid(self.item_id), key, clocks.lease, ACTOR)
            if row is None:
                if await queries.postpone(as_uuid(self.item_id), LOOK_AGAIN):
                    measures.DEFERRALS.labels("paused").inc()
                return None
        except UNAVAILABLE as error:
            # The message was only a hint: the sweep finds the item when the database is back.
            _log("claim_unavailable", self.item_id, error)
            hold(outcome.give_back(Attempt(as_uuid(self.item_id), key, "", 0, 0, ACTOR)))
            return None
        except Exception as error:
            _log("claim_failed", self.item_id, error)
            await queries.count_failure(as_uuid(self.item_id), FAILURES_LIMIT, POISONED, ACTOR)
            return None
        self.attempt_id = str(key)
        return row, Lease(clocks.go_window, started)

    @override
    async def failed(self, exc: BaseException) -> None:
        """The run was cut off; what the attempt itself records later corrects this."""
        if isinstance(exc, Undeliverable) or self.attempt_id is None:
            return
        _log("send_cut_off", self.item_id, exc)


async def attempt(row: Row, lease: Lease) -> str | None:
    """Transmit and record; the text for a dead letter when the item comes to rest as errored.

    Runs as a task of the worker, so that no timeout of the job parts a call from its record.
    """
    ended.name_request(row)
    await _join_traces(row)
    facts = _facts(row)
    channel = str(row["channel"])
    await reach("after_claim")
    try:
        chosen = await _choose_channel(row)
        if chosen is None:
            return None
        channel = chosen
        with traces.span(f"send by {channel}", ended.traced(row, channel)) as tell:
            result = await transmit(row, channel, lease.go)
            tell({traces.OUTCOME: type(result).__name__})
        ended.measure_answer(channel, lease.began)
        await reach("after_call")
        entry = outcome.entry_for(facts, result, RetrySettings())
    except DatabaseAway as error:
        _log("attempt_put_off", str(facts.item_id), error)
        entry = outcome.entry_for(facts, NotSent(outcome.CLAIM_LOST), RetrySettings())
    except asyncio.CancelledError as error:
        entry = outcome.stopped(facts, error, transmitted=lease.used)
    except Exception as error:
        _log("attempt_failed", str(facts.item_id), error)
        entry = outcome.unforeseen(facts, error, transmitted=lease.used)
    written = await outcome.record(_completed(entry, row, channel))
    await reach("after_record")
    ended.tell(channel, entry, written)
    if entry.error_kind == ErrorKind.CONFIGURATION:
        await pause.pause_if_unknown_to(channel, entry.code)
    rests = written is not None and written["after"] == "errored"
    return entry.text if rests and entry.error_kind in LETTERS else None


async def _join_traces(row: Row) -> None:
    """Lead from this attempt back to whatever the item was last traced in, and here from now on."""
    traces.tell(ended.traced(row, None))
    await traces.link(row["id"])
    await traces.remember([row["id"]])


async def _choose_channel(row: Row) -> str | None:
    """Through which channel to send; ``None`` when the message turns out to have been sent before.

    Raises :class:`DatabaseAway`, which costs the message nothing.
    """
    try:
        return None if await _reached_the_provider_before(row) else await _channel(row)
    except UNAVAILABLE as error:
        raise DatabaseAway from error


async def _reached_the_provider_before(row: Row) -> bool:
    """Whether an earlier attempt that may have been sent turns out to have been."""
    if row["doubtful_id"] is None:
        return False
    doubtful = Waiting(
        item_id=row["id"],
        attempt_id=row["doubtful_id"],
        channel=row["doubtful_provider"],
        message_id=row["doubtful_message_id"],
        provider_key=row["doubtful_key"],
        recipient=str(row["receiver_address"]).lower(),
        started_at=row["doubtful_started_at"],
    )
    return await doubt.settle(row["id"], row["attempt_id"], doubtful, find)


def _completed(entry: Entry, row: Row, channel: str) -> Entry:
    # Under the same key the provider recognises the message, and there is one of it.
    another = row["doubtful_id"] is not None and row["doubtful_key"] != row["provider_key"]
    copy = SECOND_COPY if another and entry.outcome == "accepted" else None
    return replace(entry, window=window_of(channel), detail=copy)


def _facts(row: Row) -> Attempt:
    return Attempt(
        item_id=row["id"],
        attempt_id=row["attempt_id"],
        method=row["method"],
        retries=row["retries"],
        not_sent=row["not_sent"],
        actor=ACTOR,
    )


async def _channel(row: Row) -> str:
    """The item's channel, or the sandbox where its receiver must not be reached from here."""
    channel = str(row["channel"])
    allowed = may_reach(
        row["receiver_address"],
        production=AppSettings().production,
        allow=DispatchSettings().allow_real,
    )
    if channel == "sandbox" or allowed:
        return channel
    await queries.redirect(row["attempt_id"], "sandbox")
    return "sandbox"


def _log(action: str, item_id: str, error: BaseException) -> None:
    LogManager().channel("dispatch").warning(action, item_id=item_id, error=type(error).__name__)
