"""The page that Prometheus reads: what this process counted, and what the servers say of now."""

import asyncio
from collections.abc import Iterable, Iterator
from pathlib import Path

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
from app.worker.gauges import families
from app.worker.names import log
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
        if self._queue.on_broker:
            up[self._queue.broker.server] = streams is not None
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
        if not self._queue.on_broker:
            return []
        return await self._queue.broker.gauges()


def _oldest(rows: list[Reading], streams: list[Reading]) -> Iterator[Reading]:
    """Behind a long backlog rows don't show a younger priority any more, and its stream does."""
    ages: dict[tuple[str, ...], float] = {}
    for reading in (*rows, *streams):
        if reading.gauge == "oldest_waiting":
            ages[reading.labels] = max(reading.value, ages.get(reading.labels, 0.0))
        else:
            yield reading
    yield from (Reading("oldest_waiting", labels, age) for labels, age in ages.items())


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
