"""Writes jobs down: arvel's form, but of the caller's context only what a job may carry."""

from collections.abc import Callable, Mapping, Sequence, Set
from contextvars import copy_context
from typing import Any, cast

import msgspec
import structlog
from arvel.queue import Job
from arvel.queue.serialization import serialize, serialize_instance
from arvel.support.context import Context

CARRIED = frozenset({"request_id", "actor_id"})
"""All else that a request bound to its log or context stays out of messages, rows and letters,
unless a provider allows its name."""

SCALARS = (str, int, float, bool)


type Call = tuple[tuple[Any, ...], dict[str, Any]]
"""The arguments, by place and by name, that a worker will construct a job from."""


def of_calls(job_cls: type[Job], calls: Sequence[Call], carried: Set[str] = CARRIED) -> list[str]:
    """The payloads of jobs of one class, in order."""
    return _narrowly(lambda: [serialize(job_cls, args, kwargs) for args, kwargs in calls], carried)


def of_instance(job: Job, carried: Set[str] = CARRIED) -> str:
    """The payload of a job that carries the state of this instance, and the rest of its chain."""
    if job.__arvel_chain__:
        # Arvel wrote these links down by itself.
        job.__arvel_chain__ = [narrowed(link, carried) for link in job.__arvel_chain__]
    return _narrowly(lambda: serialize_instance(job), carried)


def narrowed(payload: str, carried: Set[str] = CARRIED) -> str:
    """A payload that arvel wrote by itself, without what a job must not carry."""
    data = cast("dict[str, Any]", msgspec.json.decode(payload))
    data["_log_context"] = _only(carried, data.get("_log_context"))
    context = cast("dict[str, Any]", data.get("_context") or {})
    data["_context"] = {part: _only(carried, context.get(part)) for part in ("visible", "hidden")}
    return msgspec.json.encode(data).decode()


def _narrowly[T](write: Callable[[], T], carried: Set[str]) -> T:
    return copy_context().run(_write_narrowly, write, carried)


def _write_narrowly[T](write: Callable[[], T], carried: Set[str]) -> T:
    bound = _only(carried, structlog.contextvars.get_contextvars())
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(**bound)
    visible, hidden = _only(carried, Context.all()), _only(carried, Context.all_hidden())
    Context.flush()
    Context.add(visible)
    Context.add_hidden(hidden)
    return write()


def _only(carried: Set[str], values: object) -> dict[str, Any]:
    if not isinstance(values, Mapping):
        return {}
    pairs = cast("Mapping[str, Any]", values).items()
    return {key: _scalar(value) for key, value in pairs if key in carried and value is not None}


def _scalar(value: object) -> str | int | float | bool:
    return value if isinstance(value, SCALARS) else str(value)
