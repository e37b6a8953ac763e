"""Work of a job that must end although the job's time is up, such as recording a known outcome.

The worker keeps the message of the job alive, and doesn't acknowledge it, until all that was held
during the job has ended. When the worker's drain is over, what is still held is cancelled and has
a few seconds to write down what it knows.
"""

import asyncio
import contextlib
from collections.abc import Coroutine, Generator
from contextvars import ContextVar, copy_context
from typing import Any

from app.models.statements import step_outside

type Held = set[asyncio.Task[Any]]

_current: ContextVar[Held | None] = ContextVar("held_by_this_job", default=None)
_outside: Held = set()
"""Keeps tasks that no worker waits for from being collected before they end."""


def hold[T](work: Coroutine[Any, Any, T]) -> asyncio.Future[T]:
    """Start ``work`` in a task that the job's timeout doesn't cancel.

    Awaiting what is returned gives the result; an awaiter that is cancelled leaves it running.
    Outside a worker the work runs all the same, and nobody waits for it.
    """
    context = copy_context()
    # The caller's transaction will be closed while the work still runs.
    context.run(step_outside)
    task = asyncio.get_running_loop().create_task(work, context=context)
    held = _current.get()
    held = _outside if held is None else held
    held.add(task)
    task.add_done_callback(held.discard)
    answer = asyncio.shield(task)
    answer.add_done_callback(_look_at)
    return answer


@contextlib.contextmanager
def holding() -> Generator[Held]:
    """For the worker: collects what is held inside the block, as the set of its open tasks."""
    held: Held = set()
    token = _current.set(held)
    try:
        yield held
    finally:
        _current.reset(token)


def _look_at(answer: asyncio.Future[Any]) -> None:
    # The error belongs to whoever awaits; a job that was cut off no longer does.
    if not answer.cancelled():
        answer.exception()
