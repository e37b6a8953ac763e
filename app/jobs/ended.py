"""What is said and counted of an attempt that has ended."""

import re
import time

import structlog
from arvel.kernel.logging import LogManager

from app.events import measures, traces
from app.models.queries.record import Entry
from app.models.statements import Row

WENT_WELL = frozenset({"accepted", "try_later", "not_sent"})
"""What needs nobody's attention as long as it ends by itself."""

CODE = re.compile(r"[A-Za-z0-9 ._-]*")
"""What a provider calls a code and looks like something else is left out."""


def name_request(row: Row) -> None:
    """Let every line that is logged from now on name the request that had the item sent.

    A job brings the id of the request that published it; a retry that came due by itself brings
    none, and its item has it.
    """
    bound = structlog.contextvars.get_contextvars()
    if row["request_id"] is not None and "request_id" not in bound:
        LogManager.with_context(request_id=str(row["request_id"]))


def traced(row: Row, channel: str | None) -> dict[str, object]:
    """What spans say of an attempt."""
    return {
        traces.ITEM: row["id"],
        traces.ATTEMPT: row["attempt_id"],
        traces.REQUEST: row["request_id"],
        traces.PROVIDER: channel,
    }


def measure_answer(channel: str, began: float | None) -> None:
    """``began``: when the message was let go, by the monotonic clock; ``None``: it never was."""
    if began is not None:
        measures.PROVIDER_SECONDS.labels(channel).observe(time.monotonic() - began)


def tell(channel: str, entry: Entry, written: Row | None) -> None:
    """To the log and to the metrics; the provider's text stays out, since it quotes addresses."""
    measures.count_attempt(channel, entry.outcome, may_have_been_sent=entry.may_have_been_sent)
    if entry.delay is not None:
        measures.DEFERRALS.labels(entry.outcome).inc()
    said = {
        "item_id": str(entry.item_id),
        "attempt_id": str(entry.attempt_id),
        "provider": channel,
        "outcome": entry.outcome,
        "code": entry.code if CODE.fullmatch(entry.code) else "",
        "state": None if written is None else written["after"],
    }
    log = LogManager().channel("dispatch")
    if entry.error_kind is None and entry.outcome in WENT_WELL:
        log.info("attempt_ended", **said)
    else:
        log.warning("attempt_errored", error_kind=entry.error_kind, **said)
