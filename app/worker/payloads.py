"""Writes jobs down: arvel's form, but of the caller's context only what a job may carry."""

from collections.abc import Callable, Mapping, Sequence
from contextvars import copy_context
from typing import Any, cast

import msgspec
import structlog
from arvel.queue import Job
from arvel.queue.serialization import serialize, serialize_instance
from arvel.support.context import Context

CARRIED = frozenset({"request_id", "actor_id"})
"""All else that a request bound to its log or context stays out of messages, rows and letters."""


type Call = tuple[tuple[Any, ...], dict[str, Any]]
"""The arguments, by place and by name, that a worker will construct a job from."""


def of_calls(job_cls: type[Job], calls: Sequence[Call]) -> list[str]:
    """The payloads of jobs of one class, in order."""
    return _narrowly(lambda: [serialize(job_cls, args, kwargs) for args, kwargs in calls])


def of_instance(job: Job) -> str:
    """The payload of a job that carries the state of this instance."""
    return _narrowly(lambda: serialize_instance(job))


def narrowed(payload: str) -> str:
    """A payload that arvel wrote by itself, without what a job must not carry."""
    data = cast("dict[str, Any]", msgspec.json.decode(payload))
    data["_log_context"] = _only_carried(data.get("_log_context"))
    context = cast("dict[str, Any]", data.get("_context") or {})
    data["_context"] = {part: _only_carried(context.get(part)) for part in ("visible", "hidden")}
    return msgspec.json.encode(data).decode()


def _narrowly[T](write: Callable[[], T]) -> T:
    return copy_context().run(_write_narrowly, write)


def _write_narrowly[T](write: Callable[[], T]) -> T:
    bound = _only_carried(structlog.contextvars.get_contextvars())
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**bound)
    visible = _only_carried(Context.all())
    Context.flush()
    Context.add(visible)
    return write()


def _only_carried(values: object) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        return {}
    pairs = cast("Mapping[str, Any]", values).items()
    return {key: str(value) for key, value in pairs if key in CARRIED and value is not None}
