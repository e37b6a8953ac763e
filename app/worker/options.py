"""How a worker was asked to run."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.worker.names import LABELS
from app.worker.routing import existing


@dataclass(frozen=True, slots=True)
class Options:
    """The flags of ``queue:work``."""

    labels: Sequence[str] = LABELS
    max_jobs: int | None = None
    max_time: float | None = None
    stop_when_empty: bool = False
    rest: float = 0.0
    memory: float | None = None


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
