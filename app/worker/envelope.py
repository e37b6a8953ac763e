"""How a job's payload travels: inside taskiq's message, in JSON."""

from typing import Any, Literal
from uuid import uuid4

import msgspec

TASK = "arvel.queue.worker:_run_job"
"""The one task of taskiq that arvel defines; its only argument is the payload."""


class _Labels(msgspec.Struct, forbid_unknown_fields=True):
    queue: str


class _Message(msgspec.Struct, forbid_unknown_fields=True):
    """taskiq's message, as its own formatter would write it."""

    task_id: str
    labels: _Labels
    args: tuple[str]
    task_name: Literal["arvel.queue.worker:_run_job"] = TASK
    labels_types: dict[str, int] | None = None
    kwargs: dict[str, Any] = {}


_decoder = msgspec.json.Decoder(_Message)


def wrap(payload: str, label: str, task_id: str) -> bytes:
    return msgspec.json.encode(_Message(task_id, _Labels(label), (payload,)))


def unwrap(data: bytes, label: str) -> str | None:
    """The payload; ``None`` when this is no message of ours for the queue ``label``."""
    try:
        message = _decoder.decode(data)
    except msgspec.DecodeError, UnicodeError, RecursionError:
        return None
    return message.args[0] if message.labels.queue == label else None


def new_task_id() -> str:
    return uuid4().hex
