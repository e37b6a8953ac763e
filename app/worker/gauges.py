"""What metrics show of the moment: numbers that servers and files are asked for at each scrape."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client.core import GaugeMetricFamily

from app.models.queries.gauges import MOST, Reading

CAPPED = f"at most {MOST:,} are counted"


@dataclass(frozen=True, slots=True)
class Gauge:
    name: str
    help: str
    labels: tuple[str, ...] = ()

    def family(self, readings: Iterable[Reading]) -> GaugeMetricFamily:
        family = GaugeMetricFamily(self.name, f"{self.help}.", labels=self.labels)
        for reading in readings:
            family.add_metric(reading.labels, reading.value)
        return family


GAUGES: Mapping[str, Gauge] = {
    "up": Gauge("pillarbox_up", "Whether a server answered just now", ("server",)),
    "items": Gauge("pillarbox_items", f"Items by state; {CAPPED} of each", ("state", "method")),
    "errored": Gauge(
        "pillarbox_errored_items",
        f"Items in the state errored, by what led to it; {CAPPED} of each",
        ("error_kind",),
    ),
    "oldest_waiting": Gauge(
        "pillarbox_oldest_waiting_seconds",
        "For how long the item that has waited longest could have been sent by now; 0: none waits",
        ("priority",),
    ),
    "oldest_unpublished": Gauge(
        "pillarbox_oldest_unpublished_seconds",
        "For how long the oldest item that is due was handed to no queue; 0: there is none",
    ),
    "oldest_lease_over": Gauge(
        "pillarbox_oldest_abandoned_seconds",
        "For how long the lease is over of the oldest attempt that nobody settled; 0: none is",
    ),
    "dead_letters": Gauge("pillarbox_dead_letters", f"Jobs that failed for good; {CAPPED}"),
    "reports_unapplied": Gauge(
        "pillarbox_reports_unapplied",
        f"Reports of providers that are not applied yet (waiting), or fit no message (orphan);"
        f" {CAPPED} of each",
        ("kind",),
    ),
    "workers": Gauge(
        "pillarbox_workers",
        "Workers that gave a sign of life in the last 30 s (alive), or did not and never said"
        " goodbye (silent)",
        ("heartbeat",),
    ),
    "heartbeat": Gauge(
        "pillarbox_heartbeat_age_seconds", "For how long no worker has given a sign of life"
    ),
    "sweep": Gauge("pillarbox_sweep_age_seconds", "Since when the last sweep has begun"),
    "paused": Gauge("pillarbox_channel_paused", "1 while a channel is paused", ("channel",)),
    "oldest_transaction": Gauge(
        "pillarbox_postgresql_oldest_transaction_seconds",
        "For how long the oldest transaction is open",
    ),
    "oldest_xmin": Gauge(
        "pillarbox_postgresql_oldest_xmin_transactions",
        "How many transactions have begun since the oldest view of the data that is still kept",
    ),
    "stream": Gauge(
        "pillarbox_stream_messages", "Messages on the stream of a queue, begun or not", ("queue",)
    ),
    "quarantine": Gauge(
        "pillarbox_quarantined_messages", "Messages that were put aside since they must not run"
    ),
    "unrecorded": Gauge(
        "pillarbox_unrecorded_outcomes",
        "Files of outcomes that the database did not take: not read back yet (waiting), refused by"
        " it (refused), or of attempts that it has lost (lost)",
        ("state",),
    ),
}


def families(readings: Iterable[Reading], channels: Collection[str]) -> Iterator[GaugeMetricFamily]:
    """Each gauge with what was read for it; a gauge that nobody could read is left out.

    ``channels``: those that are configured. Rows may name others, and labels come from fixed sets.
    """
    by_gauge: dict[str, list[Reading]] = {}
    for reading in readings:
        if reading.gauge != "paused":
            by_gauge.setdefault(reading.gauge, []).append(reading)
    paused = {reading.labels[0] for reading in readings if reading.gauge == "paused"}
    if "items" in by_gauge:
        by_gauge["paused"] = [
            Reading("paused", (name,), float(name in paused)) for name in sorted(channels)
        ]
    for gauge, found in by_gauge.items():
        yield GAUGES[gauge].family(found)
