"""A worker inside the web process: it starts after boot and ends before any resource closes."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from arvel.kernel import Application

from app.worker.names import log
from app.worker.options import Options
from app.worker.queue import Queue

BUILDER = "http.asgi_builder"
"""What arvel makes the served application with; commands and plain tests never ask for it."""


class EmbeddedWorker:
    """The signals stay the server's; ``start`` and ``stop`` may also be called by hand."""

    def __init__(self, app: Application) -> None:
        self._app = app
        self._stop = asyncio.Event()
        self._hurry = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Begin to work, beside whatever else this loop does.

        Raises:
            WorkerRefused: it could not do its work as configured; the text says why.
        """
        if self._task is not None:
            return
        queue = cast("Queue", self._app.make("queue"))
        queue.check()
        self._stop, self._hurry = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(queue.serve(Options(), self._stop, self._hurry))
        self._task.add_done_callback(_report)

    async def stop(self) -> None:
        """Read no more from now on; returns when what was begun has ended or was cut short."""
        task, self._task = self._task, None
        if task is not None:
            self._stop.set()
            await asyncio.wait((task,))


def when_served(app: Application, call: Callable[[], None]) -> None:
    """Have ``call`` called once arvel builds the application that a server serves.

    To be used in ``register()``: arvel binds its builder later, and then ours goes around it.
    """

    def wrap(build: Any, _app: Any) -> Any:
        def build_and_tell(application: Any) -> Any:
            call()
            return build(application)

        return build_and_tell

    app.rebinding(BUILDER, lambda container: container.extend(BUILDER, wrap))
    app.instance(BUILDER, None)


def _report(task: asyncio.Task[None]) -> None:
    error = None if task.cancelled() else task.exception()
    if error is not None:
        log().error("embedded_worker_failed", error=type(error).__name__)
