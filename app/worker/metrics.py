"""The page that Prometheus reads: what this process counted, and what the servers say of now."""

import asyncio
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from app.events.measures import REGISTRY
from app.items import pause
from app.items.unrecorded import LOST, REFUSED
from app.models.queries import gauges as queries
from app.models.queries.gauges import Reading
from app.settings import DispatchSettings
from app.worker.asked import Asked
from app.worker.broker import StreamBroker
from app.worker.gauges import families
from app.worker.names import LABELS, log
from app.worker.oldest import oldest_waiting
from app.worker.publishing import Publishing

KEEP = 5.0
"""Seconds for which what was read is shown again, however often it is asked for."""

KINDS = {"waiting": "*.json", "refused": f"*{REFUSED}", "lost": f"*{LOST}"}


class Metrics:
    """Of one process; a scrape ends in time, whatever the servers do."""

    def __init__(self, queue: Publishing, *, keep: float = KEEP) -> None:
        self._queue = queue
        self._rows = Asked(self._read_rows, keep=keep)
        self._streams = Asked(self._read_streams, keep=keep)
        self._files = Asked(_read_files, keep=keep)

    async def render(self) -> bytes:
        """In Prometheus' text format."""
        rows, streams, files = await asyncio.gather(
            self._rows.now(), self._streams.now(), self._files.now()
        )
        up = {"postgresql": rows is not None}
        if self._queue.on_streams:
            up["valkey"] = streams is not None
        readings = [
            *(Reading("up", (server,), float(answers)) for server, answers in up.items()),
            *_oldest(rows or [], streams or []),
            *(files or []),
        ]
        shown = CollectorRegistry()
        shown.register(_Shown(families(readings, pause.names())))
        return generate_latest(REGISTRY) + generate_latest(shown)

    async def _read_rows(self) -> list[Reading]:
        readings = await queries.read()
        if readings is None:
            log().warning("gauges_took_too_long")
        return readings or []

    async def _read_streams(self) -> list[Reading]:
        if not self._queue.on_streams:
            return []
        broker = self._queue.broker
        waiting = await oldest_waiting(broker)
        return [*await _lengths(broker), *(_waits(label, at) for label, at in waiting.items())]


def _waits(label: str, since: datetime | None) -> Reading:
    age = 0.0 if since is None else (datetime.now(UTC) - since).total_seconds()
    return Reading("oldest_waiting", (label,), max(0.0, age))


def _oldest(rows: list[Reading], streams: list[Reading]) -> Iterator[Reading]:
    """Behind a long backlog rows don't show a younger priority any more, and its stream does."""
    ages: dict[tuple[str, ...], float] = {}
    for reading in (*rows, *streams):
        if reading.gauge == "oldest_waiting":
            ages[reading.labels] = max(reading.value, ages.get(reading.labels, 0.0))
        else:
            yield reading
    yield from (Reading("oldest_waiting", labels, age) for labels, age in ages.items())


async def _lengths(broker: StreamBroker) -> list[Reading]:
    pipeline = cast("Any", broker.client).pipeline(transaction=False)
    for label in LABELS:
        pipeline.xlen(broker.names.stream(label))
    pipeline.xlen(broker.names.quarantine)
    *lengths, aside = await pipeline.execute()
    streams = zip(LABELS, lengths, strict=True)
    return [
        *(Reading("stream", (label,), float(length)) for label, length in streams),
        Reading("quarantine", (), float(aside)),
    ]


async def _read_files() -> list[Reading]:
    return await asyncio.to_thread(_count_files, Path(DispatchSettings().storage) / "unrecorded")


def _count_files(folder: Path) -> list[Reading]:
    return [
        Reading("unrecorded", (state,), float(sum(1 for _ in folder.glob(pattern))))
        for state, pattern in KINDS.items()
    ]


class _Shown(Collector):
    def __init__(self, found: Iterable[GaugeMetricFamily]) -> None:
        self._found = list(found)

    def collect(self) -> Iterable[GaugeMetricFamily]:
        return self._found
