"""What this process has done, counted where it happens, for Prometheus.

Labels come from fixed sets: channels, outcomes, moves. No address, no id and no text of a provider.
"""

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector

REGISTRY = CollectorRegistry()
"""Ours alone: what libraries count in the default one is not shown."""

ProcessCollector(registry=REGISTRY)

ATTEMPTS = Counter(
    "pillarbox_attempts",
    "Attempts that ended, by channel and by what they came to.",
    ("provider", "outcome"),
    registry=REGISTRY,
)
DOUBTFUL = Counter(
    "pillarbox_doubtful_attempts",
    "Attempts that did not end as accepted, although the message may have been sent.",
    ("provider",),
    registry=REGISTRY,
)
PROVIDER_SECONDS = Histogram(
    "pillarbox_provider_seconds",
    "How long providers took to answer a message.",
    ("provider",),
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 40),
    registry=REGISTRY,
)
DEFERRALS = Counter(
    "pillarbox_deferrals",
    "Messages put off: the provider asked to (try_later), nothing was sent (not_sent), or their"
    " channel is paused (paused).",
    ("reason",),
    registry=REGISTRY,
)
LAG = (0.1, 0.5, 1, 2.5, 5, 15, 60, 300, 1800, 7200, 43_200)
REPORT_APPLY_SECONDS = Histogram(
    "pillarbox_report_apply_seconds",
    "From the time a report was received to the time it was applied.",
    ("provider",),
    buckets=LAG,
    registry=REGISTRY,
)
REPORT_DELAY_SECONDS = Histogram(
    "pillarbox_report_delay_seconds",
    "From the time that a provider says something happened to the time its report was received.",
    ("provider",),
    buckets=LAG,
    registry=REGISTRY,
)
WEBHOOKS = Counter(
    "pillarbox_webhooks",
    "Requests to webhook routes, by how they were answered.",
    ("provider", "answer"),
    registry=REGISTRY,
)
SWEPT = Counter(
    "pillarbox_swept",
    "Items, reports and files that a sweep found and moved, by move.",
    ("move",),
    registry=REGISTRY,
)


def count_attempt(provider: str, outcome: str, *, may_have_been_sent: bool) -> None:
    ATTEMPTS.labels(provider, outcome).inc()
    if may_have_been_sent and outcome != "accepted":
        DOUBTFUL.labels(provider).inc()


def measure_report(provider: str, waited: float, delay: float | None) -> None:
    """``delay``: from the provider's time to ours, where it told one; clocks may disagree."""
    REPORT_APPLY_SECONDS.labels(provider).observe(max(0.0, waited))
    if delay is not None:
        REPORT_DELAY_SECONDS.labels(provider).observe(max(0.0, delay))
