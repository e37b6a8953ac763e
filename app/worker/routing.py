"""Which queue a job travels on, and that it stays there through retries and releases."""

import inspect
from contextvars import ContextVar
from typing import Any

from arvel.queue import Job

from app.worker import shapes
from app.worker.names import LABELS

running: ContextVar[tuple[type[Job], str] | None] = ContextVar("running_job", default=None)
"""The class and queue of the job that this task runs."""


class UnknownQueue(ValueError):
    """A queue that no worker reads."""

    def __init__(self, label: str) -> None:
        super().__init__(
            f"There is no queue {label!r}. Use one of: {', '.join(LABELS)}; a provider names more"
            " of them with queue.allow_queue()."
        )


def existing(label: str) -> str:
    """The label itself; raises ``UnknownQueue`` when no worker would ever read it."""
    if label not in LABELS:
        raise UnknownQueue(label)
    return label


def inherited(job_cls: type[Any]) -> str | None:
    """The queue of the run that goes on here, for another job of the same class."""
    current = running.get()
    return current[1] if current is not None and current[0] is job_cls else None


def split(job_cls: type[Job], kwargs: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """Take ``queue=`` out of a dispatch's arguments, unless it is an argument of the job itself.

    Arvel's ``dispatch`` hands it to the constructor, where the job would fail in the worker.
    """
    if "queue" not in kwargs or _takes(job_cls, "queue"):
        return None, kwargs
    return kwargs["queue"], {name: value for name, value in kwargs.items() if name != "queue"}


def _takes(job_cls: type[Job], name: str) -> bool:
    parameters = shapes.signature_of(job_cls).parameters.values()
    return any(p.name == name or p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)
