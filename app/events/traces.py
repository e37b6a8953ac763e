"""Spans of what is done for an item, and the way from a report back to the attempt it is about.

While telemetry is off nothing here imports OpenTelemetry, asks a server or keeps anything.
"""

import asyncio
import contextlib
from collections.abc import Callable, Generator, Iterable, Mapping
from typing import Any
from uuid import UUID

from arvel import telemetry
from arvel.kernel import app

KEEP = 7 * 24 * 3600
"""Seconds for which a report finds the trace of its item; most come within the hour."""
PATIENCE = 0.5
"""Seconds for which the cache is waited for: a trace is worth no more."""

ITEM = "pillarbox.item_id"
ATTEMPT = "pillarbox.attempt_id"
REQUEST = "pillarbox.request_id"
PROVIDER = "pillarbox.provider"
OUTCOME = "pillarbox.outcome"

type Tell = Callable[[Mapping[str, object]], None]
"""Adds facts to a span. They are seen wherever traces are: ids and fixed words, nothing else."""

is_on = telemetry.is_tracing_enabled


@contextlib.contextmanager
def span(name: str, facts: Mapping[str, object]) -> Generator[Tell]:
    """A call to somebody else, as long as the block runs."""
    if not is_on():
        yield _ignore
        return
    with telemetry.span(name, kind="client", attributes=_written(facts)) as current:
        yield lambda more: current.set_attributes(_written(more))


def tell(facts: Mapping[str, object]) -> None:
    """Add facts to the span that is open here, if one is."""
    if is_on():
        _current().set_attributes(_written(facts))


async def remember(items: Iterable[UUID]) -> None:
    """Keep what is traced here as that which these items' next spans come from."""
    if not is_on():
        return
    carrier: dict[str, str] = {}
    _propagate().inject(carrier)
    if "traceparent" in carrier:
        kept = {_key(item): carrier["traceparent"] for item in items}
        with contextlib.suppress(Exception):
            async with asyncio.timeout(PATIENCE):
                await app().make("cache").put_many(kept, KEEP)


async def link(item_id: UUID) -> None:
    """Lead from the span that is open here to what was remembered of the item."""
    if not is_on() or not _current().is_recording():
        return
    with contextlib.suppress(Exception):
        async with asyncio.timeout(PATIENCE):
            kept = await app().make("cache").get(_key(item_id))
        if kept is not None:
            _link(str(kept))


def _link(traceparent: str) -> None:
    from opentelemetry import trace

    there = trace.get_current_span(_propagate().extract({"traceparent": traceparent}))
    here = _current()
    if there.get_span_context().trace_id != here.get_span_context().trace_id:
        here.add_link(there.get_span_context())


def _current() -> Any:
    from opentelemetry import trace

    return trace.get_current_span()


def _propagate() -> Any:
    from opentelemetry import propagate

    return propagate


def _key(item_id: UUID) -> str:
    return f"trace:{item_id}"


def _written(facts: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in facts.items() if value is not None}


def _ignore(_facts: Mapping[str, object]) -> None:
    """Nobody listens."""
