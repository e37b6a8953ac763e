"""A worker inside the web process: it starts after boot and ends before any resource closes."""

import asyncio
import os
import signal
from collections.abc import Callable
from typing import Any, cast

from arvel.kernel import Application

from app.settings import WorkerSettings
from app.worker.chained import chain
from app.worker.names import log
from app.worker.open_requests import OpenRequests
from app.worker.options import Options, configured
from app.worker.queue import Queue
from app.worker.refused import WorkerRefused

BUILDER = "http.asgi_builder"
"""What arvel makes the served application with; commands and plain tests never ask for it."""


SIGNALS = (signal.SIGTERM, signal.SIGINT)


class EmbeddedWorker:
    """``start`` and ``stop`` may also be called by hand.

    Signals stay the server's, but the worker hears of them: servers tell the application only after
    the last request, and one that never ends must not keep a worker at work beside its successor.
    """

    def __init__(self, app: Application, requests: OpenRequests | None = None) -> None:
        self._app = app
        self._requests = requests or OpenRequests()
        self._unchain: Callable[[], None] = lambda: None
        self._cancelling: asyncio.Task[None] | None = None
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
        options = embedded_options()
        self._stop, self._hurry = asyncio.Event(), asyncio.Event()
        self._task = asyncio.create_task(queue.serve(options, self._stop, self._hurry))
        self._task.add_done_callback(_report)
        loop = asyncio.get_running_loop()
        self._unchain = chain(SIGNALS, lambda: loop.call_soon_threadsafe(self._told_to_stop))

    async def stop(self) -> None:
        """Read no more from now on; returns when what was begun has ended or was cut short."""
        task, self._task = self._task, None
        self._unchain()
        if task is not None:
            self._stop.set()
            await asyncio.wait((task,))
        if self._cancelling is not None:
            self._cancelling.cancel()

    def _told_to_stop(self) -> None:
        if self._stop.is_set():
            return
        self._stop.set()
        grace = WorkerSettings().cancel_grace
        if grace is not None and self._task is not None:
            self._cancelling = asyncio.create_task(self._cancel_requests(self._task, grace))

    async def _cancel_requests(self, worker: asyncio.Task[None], grace: float) -> None:
        await asyncio.wait((worker,))
        await asyncio.sleep(grace)
        self._requests.cancel()


def embedded_options() -> Options:
    """As configured, as far as it fits a web process, which may be one of several.

    Raises:
        WorkerRefused: metrics are asked for, which the web process serves itself.
    """
    given = configured()
    if given.metrics_port is not None:
        raise WorkerRefused(
            f"WORKER_METRICS_PORT is {given.metrics_port}, but a worker in the web process serves"
            " no metrics of its own: they are at /metrics. Unset it beside EMBEDDED_WORKER."
        )
    return Options(
        labels=given.labels,
        limits=given.limits,
        concurrency=given.concurrency,
        scheduler=given.scheduler,
        rest=given.rest,
        # Several processes share one environment.
        worker_id=f"{given.worker_id}-{os.getpid()}" if given.worker_id else "",
    )


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
