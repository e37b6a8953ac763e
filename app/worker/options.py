"""How a worker was asked to run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from app.configuration.kinds_of_workers import read_queues
from app.settings import QueueSettings, WorkerSettings
from app.worker.names import LABELS
from app.worker.routing import existing

SPARED = "bulk"
"""The queue that leaves a tenth of a worker, and a place at least, to the others: what is sent in
bulk may be slow, and what is urgent must not wait for the end of it."""


@dataclass(frozen=True, slots=True)
class Options:
    """``limits``: how many messages of a queue are worked on at once, at most."""

    labels: Sequence[str] = LABELS
    max_jobs: int | None = None
    max_time: float | None = None
    stop_when_empty: bool = False
    rest: float = 0.0
    memory: float | None = None
    concurrency: int = field(default_factory=lambda: QueueSettings().concurrency)
    limits: Mapping[str, int] = field(default_factory=dict[str, int])
    scheduler: bool = True
    worker_id: str = ""
    health_check_file: Path | None = None
    metrics_port: int | None = None
    metrics_host: str = "127.0.0.1"

    @property
    def most(self) -> Mapping[str, int]:
        """For each queue that has one, its limit, given or not."""
        room = self.concurrency - -(-self.concurrency // 10)
        if SPARED in self.labels and len(self.labels) > 1 and room > 0:
            return {SPARED: room, **self.limits}
        return self.limits


def configured() -> Options:
    """A worker that was told nothing but what the environment says."""
    given = WorkerSettings()
    queues = read_queues([given.queues])
    return Options(
        labels=tuple(queues) or LABELS,
        limits=limits_of(queues),
        max_jobs=given.max_jobs or None,
        max_time=given.max_time or None,
        memory=given.memory or None,
        rest=given.rest,
        stop_when_empty=given.stop_when_empty,
        scheduler=given.scheduler,
        worker_id=given.id,
        health_check_file=Path(given.health_check_file) if given.health_check_file else None,
        metrics_port=given.metrics_port,
        metrics_host=given.metrics_host,
    )


def limits_of(queues: Mapping[str, int | None]) -> Mapping[str, int]:
    return {label: most for label, most in queues.items() if most is not None}


def labels_of(queues: Sequence[str] | None) -> tuple[str, ...]:
    """The queues to read, most urgent first.

    ``queue:work`` without ``--queue`` says ``default``, which can't be told from
    ``--queue default``: both mean all queues.

    Raises:
        UnknownQueue: nothing is ever put on one of them.
    """
    named = [name.strip() for name in queues or () if name.strip()]
    if named in ([], ["default"]):
        return LABELS
    return tuple(dict.fromkeys(existing(name) for name in named))
